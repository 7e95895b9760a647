// The first bytes of a text suggest the shapes of times that it may have.
#include "kinds/timestamp_reader.h"

#include <algorithm>

namespace mrc {
namespace {

Guesses guesses_of_letters(Bytes text) {
  if (text.size() <= 3) return {TimeShape::month_name};
  if (month_of(text.data()) == 0) {
    const bool is_day = is_weekday(text.data()) || weekday_size(text) > 0;
    return {is_day ? TimeShape::weekday : TimeShape::month_name};
  }
  // "mar" is a month and, in French, a weekday.
  if (weekday_size(text) == 0) return {TimeShape::month_name};
  return {TimeShape::month_name, TimeShape::weekday};
}

// Returns the guesses for dates whose order is not told by their signs. A year of two digits before
// or after dashes is the first number.
Guesses guesses_of_three_numbers(char mark, DateOrder order) {
  const TimeShape other = mark == '-' ? TimeShape::short_year : TimeShape::none;
  if (order == DateOrder::day_first) return {TimeShape::slashed_day_first, other};
  if (order == DateOrder::month_first) return {TimeShape::month_day_year, other};
  return {TimeShape::short_year, TimeShape::month_day_year, TimeShape::slashed_day_first};
}

// Returns the guesses for text that begins with one or two digits.
Guesses guesses_of_few_digits(Bytes text, size_t count, DateOrder order) {
  const char mark = text[count], next = count + 1 < text.size() ? text[count + 1] : '\0';
  if (mark == ':') return {TimeShape::clock};
  const bool is_ordinal = mark == '.' && next == ' ';
  if (mark == ' ' || is_ordinal || is_letter(next)) return {TimeShape::day_month_name};
  const size_t second = std::min(text.find_first_not_of("0123456789", count + 1), text.size());
  const bool goes_on = second < text.size() && text[second] == mark;
  if (mark == '.' && goes_on) return {TimeShape::day_month_year, TimeShape::uptime};
  if (goes_on && (mark == '/' || mark == '-')) return guesses_of_three_numbers(mark, order);
  return {TimeShape::month_day, TimeShape::uptime};
}

}  // namespace

Guesses guesses(Bytes text, DateOrder order) {
  if (text.size() < 2) return {};
  if (is_letter(text[0])) return guesses_of_letters(text);
  if (text[0] == '@') return {TimeShape::tai64n};
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  if (count == 0 || count > 19) return {};
  if (count == text.size()) return {TimeShape::epoch};
  if (count <= 2) return guesses_of_few_digits(text, count, order);
  if (count == 4 && text[4] == ' ') {
    return {TimeShape::joined_month_day, TimeShape::year_month_name};
  }
  if (count == 4 && text[4] != '.' && text.size() > 5 && is_letter(text[5])) {
    return {TimeShape::year_month_name};
  }
  if (count == 4) return {TimeShape::year_first, TimeShape::joined_month_day, TimeShape::uptime};
  if (count == 6) return {TimeShape::short_compact, TimeShape::uptime};
  if (count == 8) return {TimeShape::compact, TimeShape::uptime};
  return {count < 8 ? TimeShape::none : TimeShape::epoch, TimeShape::uptime};
}

}  // namespace mrc
