// Buckets of time, by local time: the seconds since 1970 on wall clocks are rounded down to a
// multiple of the width, or to the start of a week, month, quarter or year. The name of a bucket is
// its begin, with the offset of the clocks at that time.
//
// Records of a log are nearly in order, so each thread remembers the last bucket and its range. A
// time within it costs only parsing and a copy of the name.
#include "base/make_error.h"
#include "base/number.h"
#include "base/text.h"
#include "expr/bucket_steps.h"
#include "expr/inner/buckets.h"
#include "expr/inner/clock.h"
#include "kinds/time_text.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <span>

namespace mrc {
namespace {

using namespace std::chrono;

constexpr i64 kMinute = 60, kHour = 3600;  // in seconds
constexpr i64 kQuarter = 3;                // in months

constexpr const char *kToSecond = "{:%Y-%m-%dT%H:%M:%S}", *kToMinute = "{:%Y-%m-%dT%H:%M}",
                     *kToDay = "{:%Y-%m-%d}";

// Buckets of one width, or of months.
struct TimeUnit {
  std::string_view name;
  const char *format;  // for fmt: the local time at which a bucket begins
  i64 width;           // seconds; 0: `months`
  ValueKind kind = ValueKind::time;
  i64 months = 0;
  i64 first = 0;  // the beginning of any bucket
  i64 names = 0;  // number of buckets, if each name has many

  // True if the names include a time of day and an offset.
  bool has_clock() const { return format == kToSecond || format == kToMinute; }
};
constexpr TimeUnit kUnits[] = {
    {"second", kToSecond, 1},
    {"minute", kToMinute, kMinute},
    {"hour", kToMinute, kHour},
    {"day", kToDay, kDay},
    // Weeks of ISO 8601 begin on Mondays, and 1970 began on a Thursday.
    {"week", "{:%G-W%V}", 7 * kDay, ValueKind::text, 0, -3 * kDay},
    {"month", "{:%Y-%m}", 0, ValueKind::time, 1},
    {"quarter", "{:%Y-Q}", 0, ValueKind::text, 3},
    {"year", "{:%Y}", 0, ValueKind::number, 12},
    {"hourofday", "{:%H}", kHour, ValueKind::text, 0, 0, 24},
    {"weekday", "{:%u-%a}", kDay, ValueKind::text, 0, 0, 7},
};
// The units that a number may precede, called by their first letters: 15m.
constexpr std::span kCounted = std::span(kUnits).first<4>();

// Local seconds in [begin, end).
struct LocalRange {
  i64 begin, end;
};

i64 local_begin(year_month month) {
  return i64{sys_days(month / 1).time_since_epoch().count()} * kDay;
}

LocalRange range_of(const TimeUnit &unit, i64 local) {
  if (unit.width != 0) {
    const i64 begin = floor_divide(local - unit.first, unit.width) * unit.width + unit.first;
    return {begin, begin + unit.width};
  }
  const year_month_day date = sys_days(days(floor_divide(local, kDay)));
  const auto months_before = (static_cast<unsigned>(date.month()) - 1) % unit.months;
  const year_month first = date.year() / date.month() - months(months_before);
  return {local_begin(first), local_begin(first + months(unit.months))};
}

// Returns the name of the bucket that begins at `local`, when clocks were `offset` seconds ahead of
// UTC.
std::string name_of(const TimeUnit &unit, i64 local, i64 offset, bool utc) {
  const bool has_seconds = unit.has_clock() && local % kMinute != 0;
  std::string name =
      fmt::format(fmt::runtime(has_seconds ? kToSecond : unit.format), fmt::gmtime(local));
  if (unit.months == kQuarter) name += fmt::format("{}", fmt::gmtime(local).tm_mon / kQuarter + 1);
  if (!unit.has_clock()) return name;
  utc ? name.push_back('Z') : append_offset(offset, &name);
  return name;
}

// A thread's last bucket of a kind.
struct BucketMemo {
  u64 id = 0;
  i64 begin = 0, last = 0;  // nanoseconds since 1970, inclusive
  i64 size = 0;
  std::array<char, 40> name;
};
constexpr u64 kMemos = 8;
thread_local std::array<BucketMemo, kMemos> memos;

// Converts to nanoseconds, clamped to the range of i64.
i64 to_nanoseconds(i64 seconds) {
  constexpr i64 kMost = 9'223'372'036;
  return std::clamp(seconds, -kMost, kMost) * kSecond;
}

// The place of a bucket is the time at which it begins, or its number if each name has many.
class TimeBucket : public Bucket, public BucketSteps {
 public:
  TimeBucket(TimeUnit unit, const TimeContext &context) : unit_(unit), context_(context) {
    static std::atomic<u64> buckets{0};
    id_ = ++buckets;
  }

  bool append(Bytes value, std::string *out) const override {
    const std::optional<i64> time = read_time(value, context_);
    if (!time) return false;
    BucketMemo &memo = memos[id_ % kMemos];
    if (memo.id != id_ || *time < memo.begin || *time > memo.last) [[unlikely]]
      find(*time, &memo);
    out->append(memo.name.data(), static_cast<size_t>(memo.size));
    return true;
  }
  ValueKind kind() const override { return unit_.kind; }
  std::vector<std::string> names() const override {
    constexpr i64 kMonday = 4 * kDay;
    std::vector<std::string> names;
    for (i64 i = 0; i < unit_.names; ++i) {
      names.push_back(name_of(unit_, kMonday + i * unit_.width, 0, true));
    }
    return names;
  }
  // Names that are no times have one form.
  std::string name_like(const std::string &text) const override {
    std::string name = name_for(text);
    if (name.empty()) name = name_for("2026-11-03");
    const auto is_alike = [](char a, char b) { return a == b || (is_digit(a) && is_digit(b)); };
    const bool has_form = unit_.kind != ValueKind::time && std::ranges::equal(name, text, is_alike);
    return has_form ? text : name;
  }

  std::optional<i64> place_of(Bytes name) const override {
    if (unit_.names > 0) {
      const std::vector<std::string> all = names();
      const auto found = std::ranges::find(all, name);
      return found == all.end() ? std::nullopt : std::optional<i64>(found - all.begin());
    }
    if (unit_.kind == ValueKind::time) return read_time(name, context_);
    const std::optional<i64> local = begin_of_name(name);
    if (!local) return std::nullopt;
    return to_nanoseconds(context_.zone->utc_of(*local));
  }
  std::string name_at(i64 place) const override {
    if (unit_.names > 0) return names()[static_cast<size_t>(place)];
    BucketMemo memo;
    find(place, &memo);
    return {memo.name.data(), static_cast<size_t>(memo.size)};
  }
  // A memo may end before its bucket does.
  i64 after(i64 place) const override {
    if (unit_.names > 0) return place + 1;
    BucketMemo memo, next;
    find(place, &memo);
    const Bytes name(memo.name.data(), static_cast<size_t>(memo.size));
    i64 last = memo.last;
    do {
      find(last + 1, &next);
      last = next.last;
    } while (name == Bytes(next.name.data(), static_cast<size_t>(next.size)));
    return next.begin;
  }

 private:
  // Returns the local time at which a week, quarter or year begins: 2026-W45, 2026-Q4, 2026.
  static std::optional<i64> begin_of_name(Bytes name) {
    int year = 0, week = 0;
    const char *const end = name.data() + name.size();
    const auto [after_year, bad] = std::from_chars(name.data(), end, year);
    if (bad != std::errc() || year < 1678 || year > 2261) return std::nullopt;
    const year_month january = std::chrono::year(year) / January;
    if (after_year == end) return local_begin(january);
    const Bytes rest(after_year, static_cast<size_t>(end - after_year));
    if (rest.size() == 3 && rest.starts_with("-Q") && rest[2] >= '1' && rest[2] <= '4') {
      return local_begin(january + months(kQuarter * (rest[2] - '1')));
    }
    if (end - after_year != 4 || !rest.starts_with("-W")) return std::nullopt;
    if (std::from_chars(after_year + 2, end, week).ptr != end || week < 1) return std::nullopt;
    // The first week has the fourth of January.
    const sys_days fourth = std::chrono::year(year) / 1 / 4;
    const i64 monday = (fourth - (weekday(fourth) - Monday)).time_since_epoch().count();
    return (monday + 7 * (week - 1)) * kDay;
  }

  void find(i64 time, BucketMemo *memo) const {
    const i64 utc = floor_divide(time, kSecond);
    const Zone::Around around = context_.zone->around(utc);
    const LocalRange range = range_of(unit_, utc + around.offset);
    const Begin begin = begin_of(range, around);
    const std::string name = name_of(unit_, unit_.has_clock() ? begin.local : range.begin,
                                     begin.offset, context_.zone->is_utc());
    // The memo ends where the offset changes.
    memo->begin = to_nanoseconds(std::max(range.begin - around.offset, around.begin));
    memo->last = to_nanoseconds(std::min(range.end - around.offset, around.end)) - 1;
    memo->size = static_cast<i64>(name.copy(memo->name.data(), memo->name.size()));
    memo->id = id_;
  }

  // The local time and offset at the beginning of a bucket.
  struct Begin {
    i64 local, offset;
  };
  // If clocks were changed since they showed the beginning of the range, a bucket of more than an
  // hour goes on, unless clocks have skipped its beginning. A shorter one begins at the change, so
  // that no hour is longer than 60 minutes.
  Begin begin_of(const LocalRange &range, Zone::Around around) const {
    i64 begin = range.begin - around.offset;
    const bool is_changed = begin < around.begin;
    if (is_changed && range.end - range.begin > kHour) {
      begin = context_.zone->utc_of(range.begin);
      around = context_.zone->around(begin);
    }
    if (begin + around.offset != range.begin || begin < around.begin) begin = around.begin;
    return {begin + around.offset, around.offset};
  }

  TimeUnit unit_;
  TimeContext context_;
  u64 id_;  // unlike addresses, never reused
};

BucketOrNone bucket_of_unit(const TimeUnit &unit, const Clock &clock, const FieldExpr &of) {
  return BucketOrNone(std::make_shared<TimeBucket>(unit, make_time_context(clock, of)));
}

}  // namespace

BucketOrNone make_time_bucket(std::string_view text, const Clock &clock, const FieldExpr &of) {
  const auto *named = std::ranges::find(kUnits, text, &TimeUnit::name);
  if (named != std::end(kUnits)) return bucket_of_unit(*named, clock, of);
  i64 count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const size_t digits = static_cast<size_t>(end - text.data());
  const auto counted = std::ranges::find(
      kCounted, text.substr(digits), [](const TimeUnit &unit) { return unit.name.substr(0, 1); });
  if (digits == 0 || text[0] == '-' || counted == kCounted.end()) return BucketOrNone(nullptr);
  constexpr i64 kMostDays = 36500;
  TimeUnit unit = *counted;
  if (error != std::errc() || count < 1 || count > kMostDays * kDay / unit.width) {
    return make_error("bucket \"{}\": a width of time is 1s to {}d, as in 15m", text, kMostDays);
  }
  unit.width *= count;
  return bucket_of_unit(unit, clock, of);
}

}  // namespace mrc
