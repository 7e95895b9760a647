#include "cmd/help.h"
#include "scan/scan.h"

#include <fmt/format.h>
#include <gmp.h>
#include <hwloc.h>
#include <isa-l.h>
#include <spdlog/version.h>
#include <xxhash.h>
#include <zstd.h>

#include <CLI/Version.hpp>

#ifdef MRC_MIMALLOC
#include <mimalloc.h>
#endif

namespace mrc {
namespace {

std::string allocator() {
#ifdef MRC_MIMALLOC
  int version = mi_version();  // 209 is 2.0.9
  return fmt::format("mimalloc {}.{}.{}", version / 100, version / 10 % 10, version % 10);
#else
  return "the system's";
#endif
}

std::string instruction_sets() {
  std::string names;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner != nullptr) names += std::string(names.empty() ? "" : ", ") + scanner->name;
  }
  return names;
}

}  // namespace

std::string version() {
  return fmt::format(
      "mrc {}\n"
      "compiler   {} {}\n"
      "packages   CLI11 {}, fmt {}.{}.{}, spdlog {}.{}.{}, xxHash {}.{}.{}, "
      "hwloc {}, ISA-L {}.{}.{}, zstd {}, GMP {}\n"
      "allocator  {}\n"
      "scanning   with {}; this CPU runs {}\n",
      MRC_VERSION,
#ifdef __clang__
      "clang", __clang_version__,
#else
      "gcc", __VERSION__,
#endif
      CLI11_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
      SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH, XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
      XXH_VERSION_RELEASE, HWLOC_VERSION, ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
      ISAL_PATCH_VERSION, ZSTD_versionString(), gmp_version, allocator(), best_scanner().name,
      instruction_sets());
}

}  // namespace mrc
