// Compiled with -mavx2 -mbmi -mpopcnt; called only on CPUs that have these.
#include "scan/inner/format_kernels.h"
#include "scan/inner/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx2Scanner;
const Scanner kAvx2Scanner = make_scanner<Avx2>("avx2");

// Compiled and called like scan_avx2.cc.

extern const CsvScanner kAvx2CsvScanner;
const CsvScanner kAvx2CsvScanner = make_csv_scanner<Avx2>("avx2");

// Compiled and called like scan_avx2.cc.

extern const JsonScanner kAvx2JsonScanner;
const JsonScanner kAvx2JsonScanner = make_json_scanner<Avx2>("avx2");

}  // namespace mrc
