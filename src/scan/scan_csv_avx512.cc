// Compiled and called like scan_avx512.cc.
#include "scan/inner/scan_csv_kernels.h"

namespace mrc {

extern const CsvScanner kAvx512CsvScanner;
const CsvScanner kAvx512CsvScanner = make_csv_scanner<Avx512>("avx512");

}  // namespace mrc
