#include "cmd/allocator.h"
#include "cmd/help.h"
#include "scan/scan.h"

#include <absl/base/config.h>
#include <fmt/format.h>
#include <gmp.h>
#include <hwloc.h>
#include <maxminddb.h>
#include <spdlog/version.h>
#include <utf8proc.h>
#include <xxhash.h>
#include <zstd.h>

#include <CLI/Version.hpp>

#ifdef MRC_PORTABLE
#include <zlib.h>
#else
#include <isa-l.h>
#include <simdjson.h>
#endif

namespace mrc {
namespace {

// " (commit 0123456789ab)", or "" if the commit is not known.
constexpr const char *kCommit =
#include "commit.inc"
    ;

std::string instruction_sets() {
  std::string names;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner != nullptr) names += std::string(names.empty() ? "" : ", ") + scanner->name;
  }
  return names;
}

// Returns the libraries of all builds, and those that a build with or without MRC_PORTABLE uses.
std::string packages() {
  std::string text = fmt::format(
      "Abseil {}, CLI11 {}, fmt {}.{}.{}, GMP {}, hwloc {}, libmaxminddb {}, RE2 {}, "
      "spdlog {}.{}.{}, utf8proc {}, xxHash {}.{}.{}, zstd {}",
      ABSL_LTS_RELEASE_VERSION, CLI11_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
      FMT_VERSION % 100, gmp_version, HWLOC_VERSION, MMDB_lib_version(), MRC_RE2_VERSION,
      SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH, utf8proc_version(), XXH_VERSION_MAJOR,
      XXH_VERSION_MINOR, XXH_VERSION_RELEASE, ZSTD_versionString());
#ifdef MRC_PORTABLE
  return text + fmt::format(", zlib {}; all linked in", zlibVersion());
#else
  return text + fmt::format(", ISA-L {}.{}.{}, simdjson {}.{}.{}", ISAL_MAJOR_VERSION,
                            ISAL_MINOR_VERSION, ISAL_PATCH_VERSION,
                            static_cast<int>(simdjson::SIMDJSON_VERSION_MAJOR),
                            static_cast<int>(simdjson::SIMDJSON_VERSION_MINOR),
                            static_cast<int>(simdjson::SIMDJSON_VERSION_REVISION));
#endif
}

}  // namespace

std::string version() {
  return fmt::format(
      "mrc {}{}\n"
      "compiler   {} {}\n"
      "packages   {}\n"
      "allocator  {}\n"
      "scanning   with {}; this CPU runs {}\n",
      MRC_VERSION, kCommit,
#ifdef __clang__
      "clang", __clang_version__,
#else
      "gcc", __VERSION__,
#endif
      packages(), allocator_name(), best_scanner().name, instruction_sets());
}

}  // namespace mrc
