#include "scan/scan_json.h"

#include "scan/inner/scan_json_kernels.h"

namespace mrc {

#if defined(__x86_64__)
extern const JsonScanner kAvx2JsonScanner;
extern const JsonScanner kAvx512JsonScanner;
#endif

namespace {

const JsonScanner kBaselineJsonScanner = make_json_scanner<BaselineVector>("baseline");

}  // namespace

// Follows the order of the scanners in scan.h, which detect the features of the CPU.
std::array<const JsonScanner *, 3> runnable_json_scanners() {
  std::array<const JsonScanner *, 3> all = {&kBaselineJsonScanner, nullptr, nullptr};
#if defined(__x86_64__)
  if (runnable_scanners()[1] != nullptr) all[1] = &kAvx2JsonScanner;
  if (runnable_scanners()[2] != nullptr) all[2] = &kAvx512JsonScanner;
#endif
  return all;
}

const JsonScanner &best_json_scanner() {
  const JsonScanner *best = nullptr;
  for (const JsonScanner *scanner : runnable_json_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

}  // namespace mrc
