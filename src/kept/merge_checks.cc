// kept: the checks of partials before they are merged: they have one job, no input twice, and lack
// no unit.
#include "base/hash.h"
#include "base/setting_name.h"
#include "kept/inner/job_lines.h"
#include "kept/merge_partials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace mrc {
namespace {

// Returns a line that only `job` has; "": there is none.
std::string line_only_in(const std::string &job, const std::string &other) {
  const std::vector<std::string> others = lines_of(other);
  for (const std::string &line : lines_of(job)) {
    if (std::ranges::find(others, line) == others.end()) return line;
  }
  return "";
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

namespace {

// Adjacent units of one source.
struct Stretch {
  PartialUnit unit;
  size_t piece;
};

// Returns all units, and the unions of adjacent units.
std::vector<Stretch> stretches_of(const Partial &whole) {
  std::vector<Stretch> all;
  for (size_t piece = 0; piece < whole.pieces.size(); ++piece) {
    for (const PartialUnit &unit : whole.pieces[piece].units) {
      if (unit.end > unit.begin) all.push_back({unit, piece});
    }
  }
  std::ranges::sort(all, {}, [](const Stretch &each) {
    return std::tuple(each.unit.source, each.unit.begin, each.piece);
  });
  const size_t units = all.size();
  for (size_t i = 0; i < units;) {
    Stretch joined = all[i];
    size_t next = i + 1;
    for (; next < units && all[next].unit.source == joined.unit.source &&
           all[next].unit.begin == joined.unit.end;
         ++next) {
      joined.unit.end = all[next].unit.end;
      joined.unit.content = ContentHash::join(joined.unit.content, all[next].unit.content);
    }
    if (next - i > 1) all.push_back(joined);
    i = next;
  }
  return all;
}

std::vector<size_t> tables_of_sources(const Partial &whole) {
  std::vector<size_t> tables;
  for (size_t table = 0; table < whole.tables.size(); ++table) {
    tables.insert(tables.end(), static_cast<size_t>(whole.tables[table].sources), table);
  }
  return tables;
}

}  // namespace

std::optional<RepeatedInput> find_repeated_input(const Partial &whole) {
  const std::vector<size_t> tables = tables_of_sources(whole);
  // The key has no end, because the end of a compressed input counts either stored or decompressed
  // bytes.
  std::map<std::tuple<std::string, i64, u64>, Stretch> seen;
  for (const Stretch &each : stretches_of(whole)) {
    const auto source = static_cast<size_t>(each.unit.source);
    const std::tuple key(whole.sources[source], each.unit.begin, each.unit.content);
    const auto [before, is_new] = seen.emplace(key, each);
    if (is_new || tables[static_cast<size_t>(before->second.unit.source)] == tables[source]) {
      continue;
    }
    const auto [first, second] = std::minmax(before->second.piece, each.piece);
    return RepeatedInput{second, first, whole.sources[source]};
  }
  return {};
}

namespace {

// Lists the numbers as "3-7, 9"; shortens the list if there are many gaps.
std::string numbers_missing(const std::set<i64> &there, i64 units) {
  constexpr size_t kShown = 20;
  std::vector<std::string> gaps;
  i64 next = 0, shown = 0;
  const auto end_gap = [&](i64 end) {
    const i64 last = end - 1, begin = next;
    next = end + 1;
    if (last < begin || gaps.size() == kShown) return;
    gaps.push_back(last == begin ? fmt::format("{}", begin) : fmt::format("{}-{}", begin, last));
    shown += end - begin;
  };
  for (const i64 number : there) end_gap(number);
  end_gap(units);
  const i64 more = units - std::ssize(there) - shown;
  return fmt::format("{}{}", fmt::join(gaps, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string consequence(bool is_one, Absence absence) {
  const char *is = is_one ? "is" : "are", *it = is_one ? "it" : "them";
  if (absence == Absence::unknown) {
    return fmt::format("{} no states in these partitions, or {} missing", is_one ? "has" : "have",
                       is);
  }
  if (absence == Absence::wanted) return fmt::format("{} missing and left out", is);
  return fmt::format("{} missing; map {}, or leave {} out with {}", is, it, it,
                     setting_name("partial-ok"));
}

}  // namespace

std::string describe_missing(const std::set<i64> &there, i64 units, Absence absence) {
  const i64 missing = units - std::ssize(there);
  if (missing <= 0) return "";
  return fmt::format("{} {} of its list of {} {}", missing == 1 ? "unit" : "units",
                     numbers_missing(there, units), units, consequence(missing == 1, absence));
}

}  // namespace mrc
