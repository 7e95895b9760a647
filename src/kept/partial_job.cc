#include "kept/inner/partial_job.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace mrc {
namespace {

// Returns the lines of a job, without an empty one at the end.
std::vector<std::string> lines_of(Bytes text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const Bytes line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

// Returns a line that only `job` has; "": there is none.
std::string line_only_in(const std::string &job, const std::string &other) {
  const std::vector<std::string> others = lines_of(other);
  for (const std::string &line : lines_of(job)) {
    if (std::ranges::find(others, line) == others.end()) return line;
  }
  return "";
}

// True for the lines of a job with the kinds of fields that a sample of its input has shown.
bool has_kinds(const std::string &line) {
  return line.starts_with(setting_name("kinds") + " ") ||
         line.starts_with(setting_name("shown-kinds") + " ");
}

std::string without_kinds(const std::string &job) {
  std::string text;
  for (const std::string &line : lines_of(job)) {
    if (!has_kinds(line)) text += line + "\n";
  }
  return text;
}

// True if the input had no record that could show the kinds of its fields. Bad records count: they
// may be bad because their kinds are unknown.
bool fits_any_kinds(const OpenPartial &opened) {
  const auto is_empty = [](const PartialPiece &piece) { return piece.records == 0; };
  return opened.blocks.empty() && std::ranges::all_of(opened.partial.pieces, is_empty);
}

}  // namespace

Status PartialJob::take(const PartialStates &states) {
  const Partial &partial = states.opened.partial;
  if (first_.empty()) {
    take_job(states);
    return Status::ok();
  }
  const bool fits_any = fits_any_kinds(states.opened);
  const bool is_same = partial.digest == job_.digest && states.opened.state_bytes == state_bytes_;
  const bool is_like =
      is_same || ((fits_any || fits_any_) && without_kinds(partial.job) == without_kinds(job_.job));
  if (!is_like || partial.ranges.has_value() != job_.ranges.has_value()) return other_job(states);
  if (partial.ranges) {
    if (Status status = check_ranges(states); !status.is_ok()) return status;
  }
  if (fits_any_ && !fits_any) {
    const std::optional<PartialRanges> ranges = job_.ranges;  // with the smallest limit
    take_job(states);
    job_.ranges = ranges;
  }
  return Status::ok();
}

void PartialJob::take_job(const PartialStates &states) {
  const Partial &partial = states.opened.partial;
  first_ = states.name;
  job_ = {.mrc_version = partial.mrc_version,
          .digest = partial.digest,
          .job = partial.job,
          .ranges = partial.ranges};
  state_bytes_ = states.opened.state_bytes;
  fits_any_ = fits_any_kinds(states.opened);
}

Status PartialJob::other_job(const PartialStates &states) const {
  const Partial &partial = states.opened.partial;
  std::string what = line_only_in(partial.job, job_.job);
  std::string why = what.empty() ? "" : fmt::format(": it has \"{}\"", what);
  if (what.empty()) {
    what = line_only_in(job_.job, partial.job);
    why = what.empty() ? ": of another version of mrc or of a plugin"
                       : fmt::format(": it does not have \"{}\"", what);
  }
  if (has_kinds(what)) why += "; name the kind where the field is used, as in x:num or x:time";
  return Status::error(
      fmt::format("{}: is a partial of another job than {}{}", states.name, first_, why));
}

// Takes the smallest limit: the first rows of the whole are among those that each partial has.
Status PartialJob::check_ranges(const PartialStates &states) {
  const PartialRanges &ranges = *states.opened.partial.ranges;
  if (ranges.splitters != job_.ranges->splitters) {
    return Status::error(
        fmt::format("{}: is divided into other ranges than {}; list all units at once, with {}",
                    states.name, first_, setting_name("splitters")));
  }
  i64 &limit = job_.ranges->limit;
  if (limit < 0 || (ranges.limit >= 0 && ranges.limit < limit)) limit = ranges.limit;
  return Status::ok();
}

}  // namespace mrc
