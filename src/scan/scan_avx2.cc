// Compiled with -mavx2 -mbmi -mpopcnt; called only on CPUs that have these.
#include "scan/inner/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx2Scanner;
const Scanner kAvx2Scanner = make_scanner<Avx2>("avx2");

}  // namespace mrc
