#include "fields/sampled_kind.h"

#include "base/number.h"
#include "base/text.h"
#include "fields/json.h"
#include "kinds/address.h"
#include "kinds/level.h"
#include "kinds/time_text.h"
#include "kinds/units.h"

#include <algorithm>
#include <array>
#include <span>

namespace mrc {
namespace {

// True if the last word of a name or path is one of these: "time" of start_time and of startTime.
bool ends_in_word(Bytes name, std::span<const Bytes> words) {
  std::string lower(name);
  for (char &c : lower) c = is_letter(c) ? static_cast<char>(c | 0x20) : c;
  return std::ranges::any_of(words, [&](Bytes word) {
    if (!lower.ends_with(word)) return false;
    if (lower.size() == word.size()) return true;
    const size_t begin = lower.size() - word.size();
    const bool is_capital = (name[begin] & 0x20) == 0 && is_letter(name[begin]);
    return !is_letter(name[begin - 1]) || (is_capital && (name[begin - 1] & 0x20) != 0);
  });
}

constexpr Bytes kTimeWords[] = {"ts", "time", "timestamp", "date", "datetime", "epoch", "at"};
constexpr Bytes kLevelWords[] = {"level",    "lvl", "loglevel", "levelname",
                                 "severity", "sev", "priority"};

// True for 007, but not for 0 and 0.5.
bool has_needless_zero(Bytes number) {
  if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
  return number.size() > 1 && number[0] == '0' && is_digit(number[1]);
}

// True for seconds since 1970, with or without a fraction, and for milli-, micro- and nanoseconds.
bool is_epoch(Bytes value) {
  const size_t point = std::min(value.find('.'), value.size());
  const Bytes digits = value.substr(0, point);
  if (!is_digits(digits)) return false;
  if (point < value.size()) return digits.size() == 10 && is_digits(value.substr(point + 1));
  return digits.size() == 10 || digits.size() == 13 || digits.size() == 16 || digits.size() == 19;
}

i64 number_from_digits(Bytes digits) {
  i64 number = 0;
  for (char c : digits) number = number * 10 + (c - '0');
  return number;
}

// True for dates such as 20261103.
bool is_joined_date(Bytes value) {
  if (value.size() != 8 || !is_digits(value)) return false;
  return days_since_1970(number_from_digits(value.substr(0, 4)),
                         number_from_digits(value.substr(4, 2)),
                         number_from_digits(value.substr(6, 2)))
      .has_value();
}

// True for dates such as 13/11/26, which may begin with the year as well.
bool is_short_date(Bytes value) {
  return value.size() - std::min(value.rfind('/'), value.size()) == 3;
}

bool is_number_text(Bytes value) {
  Arena wide;
  return is_number(parse_number(value, &wide));
}

}  // namespace

bool is_plain_number(Bytes value) { return is_number_text(value) && !has_needless_zero(value); }

SampledKind::SampledKind(Bytes name, bool json, DateOrder dates)
    : name_(name),
      json_(json),
      names_time_(ends_in_word(name, kTimeWords)),
      names_level_(ends_in_word(name, kLevelWords)),
      dates_(dates) {}

void SampledKind::add(Bytes value) {
  ++values_;
  ++counts_[static_cast<size_t>(kind_of(value))];
}

ValueKind SampledKind::kind_of(Bytes value) {
  const bool is_written = json_ && !is_json_string(value);
  if (is_written && (value[0] == '{' || value[0] == '[')) return ValueKind::structure;
  if ((is_written || !json_) && (value == "true" || value == "false")) return ValueKind::truth;
  if (!is_number_text(value)) return kind_of_text(value);
  const ValueKind kind = kind_of_digits(value);
  return json_ && !is_written && kind == ValueKind::number ? ValueKind::text : kind;
}

ValueKind SampledKind::kind_of_digits(Bytes value) {
  has_zeros_ |= has_needless_zero(value);
  const bool is_instant = names_time_ && is_epoch(value);
  const bool is_date = names_time_ && !is_instant && is_joined_date(value);
  if (is_instant || is_date) note_zone(is_instant);
  return is_instant || is_date ? ValueKind::time : ValueKind::number;
}

ValueKind SampledKind::kind_of_text(Bytes value) {
  if (read_duration(value)) return ValueKind::duration;
  if (address_key(value)) return ValueKind::address;
  if (is_time(value)) return ValueKind::time;
  if (add_slashed(value)) return ValueKind::text;
  return is_level(value) ? ValueKind::level : ValueKind::text;
}

// The year of times without one does not matter.
bool SampledKind::is_time(Bytes value) {
  const TimeContext context{.zone = *find_zone(""), .year_of_now = 2000, .month_of_now = 12};
  TimeNeeds needs;
  if (!read_time(value, context, &needs)) return false;
  note_zone(!needs.zone);
  return true;
}

// True if the text, read in this order, is a date such as 03/11/2026, with or without a clock.
bool SampledKind::is_slashed(Bytes value, DateOrder order) {
  const std::optional<Timestamp> time = read_timestamp(value, order);
  const bool is_date = time && (time->shape == TimeShape::slashed_day_first ||
                                time->shape == TimeShape::month_day_year);
  if (is_date) note_zone(time->zone != Timestamp::Zone::unsaid);
  return is_date;
}

bool SampledKind::add_slashed(Bytes value) {
  if (is_short_date(value) && !is_settled(dates_)) return false;
  const bool by_day = is_slashed(value, DateOrder::day_first);
  const bool by_month = is_slashed(value, DateOrder::month_first);
  day_first_ += by_day;
  month_first_ += by_month;
  has_day_first_ |= by_day && !by_month;
  has_month_first_ |= by_month && !by_day;
  return by_day || by_month;
}

// Letters, and words of prose such as "query", are levels only if the field's name says so.
bool SampledKind::is_level(Bytes value) const {
  if (names_level_) return is_log_level(value) || level_rank(value).has_value();
  return value.size() > 2 && is_log_level(value) && !is_doubtful_level(value);
}

FieldKind SampledKind::kind() const {
  if (values_ == 0) return {};
  const DateOrder dates = date_order();
  const i64 slashed = dates == DateOrder::day_first     ? day_first_
                      : dates == DateOrder::month_first ? month_first_
                                                        : 0;
  for (size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<ValueKind>(i);
    const i64 fitting = count(kind) + (kind == ValueKind::time ? slashed : 0);
    if (fitting * 10 < values_ * 9) continue;
    if (kind != ValueKind::number) return {.kind = kind, .dates = dates};
    if (has_zeros_) break;
    return {.kind = kind, .unit_ns = unit_in_name(name_), .dates = dates};
  }
  return {.kind = ValueKind::text, .dates = dates};
}

DateOrder SampledKind::date_order() const {
  if (day_first_ + month_first_ == 0) return DateOrder::unknown;
  if (is_settled(dates_)) return dates_;
  if (has_day_first_ == has_month_first_) return DateOrder::unsettled;
  return has_day_first_ ? DateOrder::day_first : DateOrder::month_first;
}

}  // namespace mrc
