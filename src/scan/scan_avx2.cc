// Compiled with -mavx2 -mbmi -mpopcnt; called only where the CPU has them.
#include "scan/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx2Scanner;
const Scanner kAvx2Scanner = make_scanner<Avx2>("avx2");

}  // namespace mrc
