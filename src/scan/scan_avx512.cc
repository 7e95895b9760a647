// Compiled with -mavx512bw and the flags of scan_avx2.cc; called only on CPUs that have these.
#include "scan/inner/format_kernels.h"
#include "scan/inner/scan_kernels.h"

namespace mrc {

extern const Scanner kAvx512Scanner;
const Scanner kAvx512Scanner = make_scanner<Avx512>("avx512");

// Compiled and called like scan_avx512.cc.

extern const CsvScanner kAvx512CsvScanner;
const CsvScanner kAvx512CsvScanner = make_csv_scanner<Avx512>("avx512");

// Compiled and called like scan_avx512.cc.

extern const JsonScanner kAvx512JsonScanner;
const JsonScanner kAvx512JsonScanner = make_json_scanner<Avx512>("avx512");

}  // namespace mrc
