// Compiled and called like scan_avx512.cc.
#include "scan/inner/scan_json_kernels.h"

namespace mrc {

extern const JsonScanner kAvx512JsonScanner;
const JsonScanner kAvx512JsonScanner = make_json_scanner<Avx512>("avx512");

}  // namespace mrc
