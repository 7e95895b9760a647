#include "engine/inner/plan.h"
#include "engine/inner/plan_steps.h"
#include "input/input.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

namespace mrc {
namespace {

// It takes longer to find out what is faster than to read so little.
constexpr i64 kLeastInput = i64{16} << 20;

bool is_address_space_limited() {
  rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Returns why files are read, whatever takes longer; empty: they may be mapped.
std::string reason_to_read(const Program &program) {
  if (program.follows) return "what is appended to files is read";
  if (program.isolation.is_wanted || is_address_space_limited()) {
    return "mappings would count against a limit on address space";
  }
  return "";
}

// Decides by a piece of the largest file.
Decision fastest_reading(const std::vector<Source> &sources, IoMode *io) {
  i64 bytes = 0;
  const Source *largest = nullptr;
  for (const Source &source : sources) {
    if (!may_be_mapped(source)) continue;
    bytes += source.end - source.begin;
    if (largest == nullptr || source.end - source.begin > largest->end - largest->begin) {
      largest = &source;
    }
  }
  if (bytes < kLeastInput) return {"io", "read", "files are small, or there are none"};
  const Result<ReadingTimes> times = time_reading(*largest);
  if (!times.is_ok()) return {"io", "read", "files on such file systems are not mapped"};
  const bool is_mapped = times->mapped <= times->read;
  *io = is_mapped ? IoMode::map_large : IoMode::read;
  return {"io", is_mapped ? "mmap" : "read",
          fmt::format("the first MiB of the largest file took {} us to read and {} us to map",
                      times->read.count(), times->mapped.count())};
}

}  // namespace

void plan_reading(const Program &program, Plan *plan) {
  plan->io = program.io.value_or(IoMode::read);
  const std::string reason = reason_to_read(program);
  if (program.io) {
    plan->decisions.push_back({"io", plan->io == IoMode::read ? "read" : "mmap", "as asked"});
  } else if (!reason.empty()) {
    plan->decisions.push_back({"io", "read", reason});
  } else {
    plan->decisions.push_back(fastest_reading(plan->sources, &plan->io));
  }
}

}  // namespace mrc
