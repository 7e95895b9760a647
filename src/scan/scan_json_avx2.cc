// Compiled and called as scan_avx2.cc is.
#include "scan/scan_json_kernels.h"

namespace mrc {

extern const JsonScanner kAvx2JsonScanner;
const JsonScanner kAvx2JsonScanner = make_json_scanner<Avx2>("avx2");

}  // namespace mrc
