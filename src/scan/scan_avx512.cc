// Compiled with -mavx512bw and the flags of scan_avx2.cc; called only on CPUs that have these.
#include "scan/inner/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx512Scanner;
const Scanner kAvx512Scanner = make_scanner<Avx512>("avx512");

}  // namespace mrc
