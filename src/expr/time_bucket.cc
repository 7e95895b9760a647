// Buckets of time, by local time: the seconds since 1970 on wall clocks are rounded down to a
// multiple of the width, or to the start of a week, month or year. The name of a bucket is its
// begin, with the offset of the clocks at that time.
//
// Records of a log are nearly in order, so each thread remembers the last bucket and its range. A
// time within it costs only parsing and a copy of the name.
#include "base/number.h"
#include "expr/inner/buckets.h"
#include "expr/inner/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>

namespace mrc {
namespace {

using namespace std::chrono;

constexpr i64 kMinute = 60, kHour = 3600, kWeek = 7 * kDay;  // in seconds

enum class Shape { second, minute, day, week, month, year, hour_of_day, weekday };

// Buckets of one width, or of the calendar.
struct TimeUnit {
  Shape shape;
  i64 width;  // seconds; 0: of the calendar
};

// Local seconds in [begin, end).
struct LocalRange {
  i64 begin, end;
};

sys_days day_at(i64 local) { return sys_days(days(floor_divide(local, kDay))); }
i64 second_of_day(i64 local) { return local - floor_divide(local, kDay) * kDay; }
i64 seconds_of(sys_days day) { return i64{day.time_since_epoch().count()} * kDay; }

LocalRange range_of(const TimeUnit &unit, i64 local) {
  if (unit.width != 0) {
    // 1970 began on a Thursday; weeks begin on Mondays.
    const i64 shift = unit.shape == Shape::week ? 3 * kDay : 0;
    const i64 begin = floor_divide(local + shift, unit.width) * unit.width - shift;
    return {begin, begin + unit.width};
  }
  const year_month_day date = day_at(local);
  if (unit.shape == Shape::month) {
    const year_month m = date.year() / date.month();
    return {seconds_of(m / 1), seconds_of((m + months(1)) / 1)};
  }
  const year y = date.year();
  return {seconds_of(y / January / 1), seconds_of((y + years(1)) / January / 1)};
}

// Appends the ISO 8601 week, which belongs to the year of its Thursday.
void append_week(i64 monday, std::string *out) {
  const sys_days thursday = day_at(monday) + days(3);
  const year y = year_month_day(thursday).year();
  const i64 week = (thursday - sys_days(y / January / 1)).count() / 7 + 1;
  fmt::format_to(std::back_inserter(*out), "{:04}-W{:02}", static_cast<int>(y), week);
}

void append_date(i64 local, Shape shape, std::string *out) {
  const year_month_day date = day_at(local);
  auto to = std::back_inserter(*out);
  fmt::format_to(to, "{:04}", static_cast<int>(date.year()));
  if (shape == Shape::year) return;
  fmt::format_to(to, "-{:02}", static_cast<unsigned>(date.month()));
  if (shape != Shape::month) fmt::format_to(to, "-{:02}", static_cast<unsigned>(date.day()));
}

void append_weekday(i64 local, std::string *out) {
  constexpr std::array<const char *, 7> kNames = {"1-Mon", "2-Tue", "3-Wed", "4-Thu",
                                                  "5-Fri", "6-Sat", "7-Sun"};
  out->append(kNames[weekday(day_at(local)).iso_encoding() - 1]);
}

void append_clock(i64 local, Shape shape, std::string *out) {
  const i64 second = second_of_day(local);
  fmt::format_to(std::back_inserter(*out), "T{:02}:{:02}", second / kHour, second / kMinute % 60);
  const bool has_seconds = shape == Shape::second || second % 60 != 0;
  if (has_seconds) fmt::format_to(std::back_inserter(*out), ":{:02}", second % 60);
}

// True if the names of such buckets include a time of day and an offset.
bool has_clock(Shape shape) { return shape == Shape::second || shape == Shape::minute; }

// Appends the name of the bucket that begins at `local`, when clocks were `offset` seconds ahead of
// UTC.
void append_name(Shape shape, i64 local, i64 offset, bool utc, std::string *out) {
  switch (shape) {
    case Shape::week: return append_week(local, out);
    case Shape::weekday: return append_weekday(local, out);
    case Shape::hour_of_day:
      fmt::format_to(std::back_inserter(*out), "{:02}", second_of_day(local) / kHour);
      return;
    default: append_date(local, shape, out);
  }
  if (!has_clock(shape)) return;
  append_clock(local, shape, out);
  if (utc) {
    out->push_back('Z');
  } else {
    append_offset(offset, out);
  }
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

class TimeBucket : public Bucket {
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
  ValueKind kind() const override {
    const Shape shape = unit_.shape;
    if (shape == Shape::year) return ValueKind::number;
    const bool is_part =
        shape == Shape::week || shape == Shape::hour_of_day || shape == Shape::weekday;
    return is_part ? ValueKind::text : ValueKind::time;
  }

 private:
  void find(i64 time, BucketMemo *memo) const {
    const i64 utc = floor_divide(time, kSecond);
    const Zone::Around around = context_.zone->around(utc);
    const LocalRange range = range_of(unit_, utc + around.offset);
    const Begin begin = begin_of(range, around);
    std::string name;
    append_name(unit_.shape, has_clock(unit_.shape) ? begin.local : range.begin, begin.offset,
                context_.zone->is_utc(), &name);
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
  // Clocks may be put forward or back within a bucket. If they show a time of its range before the
  // change as well, the bucket began before it; otherwise it begins at the change.
  Begin begin_of(const LocalRange &range, Zone::Around around) const {
    while (range.begin - around.offset < around.begin) {
      const Zone::Around before = context_.zone->around(around.begin - 1);
      const i64 last = around.begin - 1 + before.offset;
      if (last < range.begin || last >= range.end) {
        return {around.begin + around.offset, around.offset};
      }
      around = before;
    }
    return {range.begin, around.offset};
  }

  TimeUnit unit_;
  TimeContext context_;
  u64 id_;  // unlike addresses, never reused
};

struct NamedUnit {
  std::string_view name;
  TimeUnit unit;
};
constexpr NamedUnit kNamed[] = {
    {"second", {Shape::second, 1}},      {"minute", {Shape::minute, kMinute}},
    {"hour", {Shape::minute, kHour}},    {"day", {Shape::day, kDay}},
    {"week", {Shape::week, kWeek}},      {"month", {Shape::month, 0}},
    {"year", {Shape::year, 0}},          {"hourofday", {Shape::hour_of_day, kHour}},
    {"weekday", {Shape::weekday, kDay}},
};
constexpr NamedUnit kSuffixes[] = {{"s", {Shape::second, 1}},
                                   {"m", {Shape::minute, kMinute}},
                                   {"h", {Shape::minute, kHour}},
                                   {"d", {Shape::day, kDay}}};

Result<TimeUnit> with_width(std::string_view text, const TimeUnit &unit, i64 count) {
  constexpr i64 kMostDays = 36500;
  if (count < 1 || count > kMostDays * kDay / unit.width) {
    return Status::error(
        fmt::format("bucket \"{}\": a width of time is 1s to {}d, as in 15m", text, kMostDays));
  }
  TimeUnit wide = unit;
  wide.width *= count;
  return wide;
}

}  // namespace

BucketOrNone make_time_bucket(std::string_view text, const Clock &clock, const FieldExpr &of) {
  std::optional<TimeUnit> unit;
  for (const NamedUnit &named : kNamed) {
    if (text == named.name) unit = named.unit;
  }
  i64 count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const size_t digits = static_cast<size_t>(end - text.data());
  for (const NamedUnit &suffix : kSuffixes) {
    if (digits == 0 || text[0] == '-' || text.substr(digits) != suffix.name) continue;
    if (error != std::errc()) count = 0;
    const Result<TimeUnit> wide = with_width(text, suffix.unit, count);
    if (!wide.is_ok()) return wide.status();
    unit = *wide;
  }
  if (!unit) return BucketOrNone(nullptr);
  return BucketOrNone(std::make_shared<TimeBucket>(*unit, make_time_context(clock, of)));
}

}  // namespace mrc
