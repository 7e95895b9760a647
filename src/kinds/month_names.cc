// Names of months and weekdays.
#include "kinds/timestamp_reader.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

u32 letters(const char *p) {
  return static_cast<u32>(static_cast<u8>(p[0]) | 0x20) << 16 |
         static_cast<u32>(static_cast<u8>(p[1]) | 0x20) << 8 |
         static_cast<u32>(static_cast<u8>(p[2]) | 0x20);
}
i64 index_of(const char *three, const char *names) {
  const u32 wanted = letters(three);
  for (i64 i = 0; names[i * 3] != '\0'; ++i) {
    if (letters(names + i * 3) == wanted) return i + 1;
  }
  return 0;
}

// The names in lower case. Names without accents are written, too.
struct NamedMonth {
  Bytes name;
  i64 number;
};
constexpr NamedMonth kMonths[] = {
    {"jan", 1},       {"january", 1},   {"januar", 1},   {"jänner", 1},    {"janv", 1},
    {"janvier", 1},   {"feb", 2},       {"february", 2}, {"februar", 2},   {"fev", 2},
    {"fevr", 2},      {"fevrier", 2},   {"fév", 2},      {"févr", 2},      {"février", 2},
    {"mar", 3},       {"march", 3},     {"mär", 3},      {"märz", 3},      {"mrz", 3},
    {"maerz", 3},     {"mars", 3},      {"apr", 4},      {"april", 4},     {"avr", 4},
    {"avril", 4},     {"may", 5},       {"mai", 5},      {"jun", 6},       {"june", 6},
    {"juni", 6},      {"juin", 6},      {"jul", 7},      {"july", 7},      {"juli", 7},
    {"juil", 7},      {"juillet", 7},   {"aug", 8},      {"august", 8},    {"aou", 8},
    {"aout", 8},      {"aoû", 8},       {"août", 8},     {"sep", 9},       {"sept", 9},
    {"september", 9}, {"septembre", 9}, {"oct", 10},     {"october", 10},  {"okt", 10},
    {"oktober", 10},  {"octobre", 10},  {"nov", 11},     {"november", 11}, {"novembre", 11},
    {"dec", 12},      {"december", 12}, {"dez", 12},     {"dezember", 12}, {"decembre", 12},
    {"déc", 12},      {"décembre", 12},
};

// "mar" is also short for March.
constexpr Bytes kWeekdays[] = {
    "mon",      "monday",   "montag",   "mo",  "lun",     "lundi",     "tue",       "tues",
    "tuesday",  "dienstag", "di",       "mar", "mardi",   "wed",       "wednesday", "mittwoch",
    "mi",       "mer",      "mercredi", "thu", "thur",    "thurs",     "thursday",  "donnerstag",
    "do",       "jeu",      "jeudi",    "fri", "friday",  "freitag",   "fr",        "ven",
    "vendredi", "sat",      "saturday", "sam", "samstag", "sonnabend", "sa",        "samedi",
    "sun",      "sunday",   "sonntag",  "so",  "dim",     "dimanche",
};

constexpr size_t kLongestMonth = 12;

// A word in lower case.
struct LowerWord {
  std::array<char, kLongestMonth> letters;
  size_t size = 0;
  Bytes bytes() const { return {letters.data(), size}; }
};

// Returns the letters with which the text begins.
LowerWord word_of(Bytes text) {
  LowerWord word;
  for (size_t &size = word.size; size < std::min(kLongestMonth, text.size()); ++size) {
    const char c = text[size];
    if (!is_letter(c) && static_cast<u8>(c) < 0x80) break;
    // UTF-8 has capitals with accents 32 places before the small letters, too.
    const bool is_accented = size > 0 && text[size - 1] == '\xC3' && static_cast<u8>(c) < 0x9F;
    word.letters[size] = static_cast<char>(is_letter(c) || is_accented ? c | 0x20 : c);
  }
  return word;
}

// Returns the size of a word and of the point after it.
i64 with_point(Bytes text, size_t size) {
  return static_cast<i64>(size) + (size < text.size() && text[size] == '.');
}

}  // namespace

i64 month_of(const char *three) { return index_of(three, "janfebmaraprmayjunjulaugsepoctnovdec"); }
bool is_weekday(const char *three) { return index_of(three, "montuewedthufrisatsun") != 0; }

i64 weekday_size(Bytes text) {
  const LowerWord word = word_of(text);
  const auto *found = std::ranges::find(kWeekdays, word.bytes());
  return found == std::end(kWeekdays) ? 0 : with_point(text, word.size);
}

MonthName find_month(Bytes text) {
  const LowerWord word = word_of(text);
  const auto *found = std::ranges::find(kMonths, word.bytes(), &NamedMonth::name);
  if (found == std::end(kMonths)) return {};
  return {found->number, with_point(text, word.size)};
}

}  // namespace mrc
