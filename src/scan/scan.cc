#include "scan/scan.h"

#include "scan/inner/scan_csv_kernels.h"
#include "scan/inner/scan_json_kernels.h"
#include "scan/inner/scan_kernels.h"
#include "scan/scan_csv.h"
#include "scan/scan_json.h"

namespace mrc {
namespace {

const Scanner kBaselineScanner = make_scanner<BaselineVector>(
#if defined(__SSE2__)
    "sse2"
#elif defined(__ARM_NEON)
    "neon"
#else
    "scalar"
#endif
);

const CsvScanner kBaselineCsvScanner = make_csv_scanner<BaselineVector>("baseline");

const JsonScanner kBaselineJsonScanner = make_json_scanner<BaselineVector>("baseline");

}  // namespace

#if defined(__x86_64__)
extern const Scanner kAvx2Scanner;
extern const Scanner kAvx512Scanner;
extern const Scanner kAvx512Vbmi2Scanner;
#endif

std::array<const Scanner *, 4> runnable_scanners() {
  std::array<const Scanner *, 4> all = {&kBaselineScanner};
#if defined(__x86_64__)
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("popcnt");
  if (avx2) all[1] = &kAvx2Scanner;
  if (avx2 && __builtin_cpu_supports("avx512bw")) all[2] = &kAvx512Scanner;
  if (all[2] != nullptr && __builtin_cpu_supports("avx512vbmi2")) all[3] = &kAvx512Vbmi2Scanner;
#endif
  return all;
}

const Scanner &best_scanner() {
  const Scanner *best = nullptr;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

#if defined(__x86_64__)
extern const CsvScanner kAvx2CsvScanner;
extern const CsvScanner kAvx512CsvScanner;
#endif

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

#if defined(__x86_64__)
extern const JsonScanner kAvx2JsonScanner;
extern const JsonScanner kAvx512JsonScanner;
#endif

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
