#include "scan/scan_csv.h"

#include "scan/inner/scan_csv_kernels.h"

namespace mrc {

#if defined(__x86_64__)
extern const CsvScanner kAvx2CsvScanner;
extern const CsvScanner kAvx512CsvScanner;
#endif

namespace {

const CsvScanner kBaselineCsvScanner = make_csv_scanner<BaselineVector>("baseline");

}  // namespace

// Follows the order of the scanners in scan.h, which detect the features of the CPU.
std::array<const CsvScanner *, 3> runnable_csv_scanners() {
  std::array<const CsvScanner *, 3> all = {&kBaselineCsvScanner, nullptr, nullptr};
#if defined(__x86_64__)
  if (runnable_scanners()[1] != nullptr) all[1] = &kAvx2CsvScanner;
  if (runnable_scanners()[2] != nullptr) all[2] = &kAvx512CsvScanner;
#endif
  return all;
}

const CsvScanner &best_csv_scanner() {
  const CsvScanner *best = nullptr;
  for (const CsvScanner *scanner : runnable_csv_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

}  // namespace mrc
