#include "scan/scan.h"

#include "scan/inner/scan_kernels.h"

namespace mrc {

#if defined(__x86_64__)
extern const Scanner kAvx2Scanner;
extern const Scanner kAvx512Scanner;
extern const Scanner kAvx512Vbmi2Scanner;
#endif

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

}  // namespace

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

}  // namespace mrc
