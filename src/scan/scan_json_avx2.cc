// Compiled and called like scan_avx2.cc.
#include "scan/inner/scan_json_kernels.h"

namespace mrc {

extern const JsonScanner kAvx2JsonScanner;
const JsonScanner kAvx2JsonScanner = make_json_scanner<Avx2>("avx2");

}  // namespace mrc
