#include "kinds/inner/zone.h"

#include "base/make_error.h"
#include "kinds/zone_names.h"

#include <absl/time/time.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kAlways = std::numeric_limits<i64>::min();
constexpr i64 kNever = std::numeric_limits<i64>::max();
// Times are in the years 1678 to 2261.
constexpr i64 kLastSecond = std::numeric_limits<i64>::max() / 1'000'000'000;

Zone fixed_zone(i64 offset) { return Zone({{kAlways, offset}}); }

// True for paths within the directory of zones.
bool is_zone_name(std::string_view name) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
  return !name.empty() && name[0] != '/' && name.find_first_not_of(kAllowed) == name.npos;
}

// Reads a zone by its name, or from a file by an absolute path.
Result<Zone> load_zone(const std::string &name) {
  absl::TimeZone zone;
  if (!absl::LoadTimeZone(name, &zone)) {
    return make_error("{}: no such time zone; names are those of tzdata, such as Europe/Berlin",
                      name);
  }
  absl::Time begin = absl::FromUnixSeconds(-kLastSecond);
  std::vector<ZoneSpan> spans = {{kAlways, zone.At(begin).offset}};
  absl::TimeZone::CivilTransition change;
  while (zone.NextTransition(begin, &change) && begin < absl::FromUnixSeconds(kLastSecond)) {
    const i64 second = change.from - absl::CivilSecond() - spans.back().offset;
    begin = absl::FromUnixSeconds(second);
    spans.push_back({second, zone.At(begin).offset});
  }
  return Zone(spans);
}

Result<Zone> read_zone(std::string_view name) {
  i64 offset = 0;
  if (parse_offset(name, &offset)) return fixed_zone(offset);
  if (name == "local") {
    const char *set = std::getenv("TZ");
    if (set == nullptr || *set == '\0') return load_zone("/etc/localtime");
    const std::string_view text = set;
    return read_zone(text.starts_with(':') ? text.substr(1) : text);
  }
  if (name.empty() || name == "UTC" || name == "Z") return fixed_zone(0);
  if (!is_zone_name(name)) {
    return make_error(
        "\"{}\" is not a time zone: write a name such as Europe/Berlin, +02:00 or local", name);
  }
  return load_zone(std::string(name));
}

}  // namespace

Zone::Zone(const std::vector<ZoneSpan> &spans) {
  for (const ZoneSpan &span : spans) {
    if (spans_.empty() || span.offset != spans_.back().offset) spans_.push_back(span);
  }
  local_begins_.push_back(kAlways);
  for (size_t i = 1; i < spans_.size(); ++i) {
    // If clocks are put forward, the skipped time belongs to the span before. If they are put back,
    // the repeated time does, too.
    const i64 largest = std::max(spans_[i - 1].offset, spans_[i].offset);
    local_begins_.push_back(spans_[i].begin + largest);
  }
}

Zone::Around Zone::around(i64 utc) const {
  if (spans_.size() == 1) return {kAlways, kNever, spans_[0].offset};
  auto after = std::upper_bound(spans_.begin() + 1, spans_.end(), utc,
                                [](i64 time, const ZoneSpan &span) { return time < span.begin; });
  const ZoneSpan &span = *(after - 1);
  return {span.begin, after == spans_.end() ? kNever : after->begin, span.offset};
}

i64 Zone::utc_of(i64 local) const {
  auto after = std::upper_bound(local_begins_.begin() + 1, local_begins_.end(), local);
  return local - spans_[static_cast<size_t>(after - local_begins_.begin()) - 1].offset;
}

Result<const Zone *> find_zone(std::string_view name) {
  static std::mutex mutex;
  static auto &zones = *new std::map<std::string, std::unique_ptr<const Zone>, std::less<>>;
  const std::lock_guard lock(mutex);
  auto found = zones.find(name);
  if (found == zones.end()) {
    Result<Zone> zone = read_zone(name);
    if (!zone.is_ok()) return zone.status();
    found = zones.emplace(name, std::make_unique<const Zone>(std::move(*zone))).first;
  }
  return found->second.get();
}

const Zone *last_zone(Bytes name) {
  thread_local std::string last_name;
  thread_local const Zone *last = nullptr;
  if (last == nullptr || name != last_name) {
    const Result<const Zone *> zone = find_zone(name);
    if (!zone.is_ok()) return nullptr;
    last_name = name;
    last = *zone;
  }
  return last;
}

void append_offset(i64 seconds, std::string *out) {
  const i64 size = std::abs(seconds);
  fmt::format_to(std::back_inserter(*out), "{}{:02}:{:02}", seconds < 0 ? '-' : '+', size / 3600,
                 size / 60 % 60);
  if (size % 60 != 0) fmt::format_to(std::back_inserter(*out), ":{:02}", size % 60);
}

}  // namespace mrc
