// Compiled and called like scan_avx2.cc.
#include "scan/inner/scan_csv_kernels.h"

namespace mrc {

extern const CsvScanner kAvx2CsvScanner;
const CsvScanner kAvx2CsvScanner = make_csv_scanner<Avx2>("avx2");

}  // namespace mrc
