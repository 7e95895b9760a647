// Compiled with -mavx512vbmi2 and what scan_avx512.cc has; called only where the CPU has them.
#include "scan/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx512Vbmi2Scanner;
const Scanner kAvx512Vbmi2Scanner = make_scanner<Avx512Vbmi2>("avx512vbmi2");

}  // namespace mrc
