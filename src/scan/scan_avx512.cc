// Compiled with -mavx512bw and what scan_avx2.cc has; called only where the CPU has them.
#include "scan/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx512Scanner;
const Scanner kAvx512Scanner = make_scanner<Avx512>("avx512");

}  // namespace mrc
