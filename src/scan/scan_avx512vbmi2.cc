// Compiled with -mavx512vbmi2 and the flags of scan_avx512.cc; called only on CPUs that have these.
#include "scan/inner/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx512Vbmi2Scanner;
const Scanner kAvx512Vbmi2Scanner = make_scanner<Avx512Vbmi2>("avx512vbmi2");

}  // namespace mrc
