// Forms of timestamps, and years after their clocks.
#include "base/text.h"
#include "kinds/timestamp.h"
#include "kinds/timestamp_reader.h"

namespace mrc {
namespace {

// Returns the place after a date that begins with a year of four digits. REQUIRES: a clock follows
size_t end_of_date(Bytes text) {
  constexpr Bytes kDigits = "0123456789";
  constexpr size_t kMonth = 5;
  const size_t mark = text.find_first_not_of(kDigits, kMonth);
  return text.find_first_not_of(kDigits, mark + 1);
}

}  // namespace

TimeForm form_of(Bytes text, const Timestamp &time) {
  constexpr size_t kYear = 4;
  TimeForm form{time.shape};
  const bool is_slashed = form.shape == TimeShape::slashed_day_first ||
                          (form.shape == TimeShape::short_year && text[2] == '/');
  if (is_slashed) form.shape = TimeShape::month_day_year;
  if (form.shape == TimeShape::month_day_year) {
    const size_t mark = text.find_first_not_of("0123456789");
    if (text[mark] == '-') form.mark = '-';
  }
  if (form.shape != TimeShape::year_first) return form;
  form.mark = text[kYear];
  form.joint = text[end_of_date(text)];
  return form;
}

YearAfterClock year_after_clock(Bytes text, const Timestamp &time) {
  constexpr i64 kFirst = 1970, kLast = 2099;
  const bool may_follow =
      (time.shape == TimeShape::month_name || time.shape == TimeShape::day_month_name) &&
      !time.has_year;
  if (!may_follow) return {};
  TimestampReader reader(text);
  reader.skip(time.size);
  i64 year = 0;
  if (!reader.take_blanks() || !reader.digits(4, &year)) return {};
  const bool is_year = year >= kFirst && year <= kLast && reader.ends_word(0);
  return is_year ? YearAfterClock{year, reader.size()} : YearAfterClock();
}

i64 dated_size(Bytes text) {
  const Timestamp time = find_timestamp(text);
  return time.has_year ? time.size : year_after_clock(text, time).size;
}

}  // namespace mrc
