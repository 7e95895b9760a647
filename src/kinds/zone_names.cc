#include "kinds/zone_names.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {
namespace {

struct Abbreviation {
  Bytes letters;
  int minutes;  // minutes ahead of UTC
};
// Sorted. Abbreviations that are also words of logs (GET, ART, EAT) are left out.
constexpr Abbreviation kAbbreviations[] = {
    {"ACDT", 630},  {"ACST", 570}, {"ADT", -180}, {"AEDT", 660}, {"AEST", 600}, {"AKDT", -480},
    {"AKST", -540}, {"AST", -240}, {"AWST", 480}, {"BRT", -180}, {"BST", 60},   {"CDT", -300},
    {"CEST", 120},  {"CET", 60},   {"CST", -360}, {"EDT", -240}, {"EEST", 180}, {"EET", 120},
    {"EST", -300},  {"GMT", 0},    {"HKT", 480},  {"HST", -600}, {"IST", 330},  {"JST", 540},
    {"KST", 540},   {"MDT", -360}, {"MEST", 120}, {"MESZ", 120}, {"MET", 60},   {"MEZ", 60},
    {"MSK", 180},   {"MST", -420}, {"NDT", -150}, {"NST", -210}, {"NZDT", 780}, {"NZST", 720},
    {"PDT", -420},  {"PKT", 300},  {"PST", -480}, {"SAST", 120}, {"SGT", 480},  {"UTC", 0},
    {"WEST", 60},   {"WET", 0},    {"WIB", 420},  {"Z", 0},      {"z", 0},
};
static_assert(std::ranges::is_sorted(kAbbreviations, {}, &Abbreviation::letters));

constexpr std::array<Bytes, 12> kAreas = {"Africa/", "America/",  "Antarctica/", "Arctic/",
                                          "Asia/",   "Atlantic/", "Australia/",  "Etc/",
                                          "Europe/", "Indian/",   "Pacific/",    "US/"};

bool take_two(Bytes *text, i64 *number) {
  if (text->size() < 2) return false;
  const auto tens = static_cast<u8>((*text)[0] - '0'), ones = static_cast<u8>((*text)[1] - '0');
  *number = tens * 10 + ones;
  text->remove_prefix(2);
  return tens < 10 && ones < 10;
}

}  // namespace

constinit const std::array<u32, 26> kSecondLettersOfZones = [] {
  std::array<u32, 26> seconds{};
  for (const Abbreviation &one : kAbbreviations) {
    if (one.letters.size() > 1) seconds[one.letters[0] - 'A'] |= u32{1} << (one.letters[1] - 'A');
  }
  return seconds;
}();

std::optional<i64> offset_of_zone(Bytes letters) {
  const auto found = std::ranges::lower_bound(kAbbreviations, letters, {}, &Abbreviation::letters);
  if (found == std::end(kAbbreviations) || found->letters != letters) return std::nullopt;
  return i64{found->minutes} * 60;
}

size_t region_size(Bytes text) {
  const auto area = std::ranges::find_if(kAreas, [&](Bytes one) { return text.starts_with(one); });
  if (area == kAreas.end()) return 0;
  size_t size = area->size();
  const auto is_of_name = [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '/' || c == '-' || c == '+';
  };
  while (size < text.size() && is_of_name(text[size])) ++size;
  return size > area->size() ? size : 0;
}

i64 enclosed_zone_size(Bytes text, bool after_offset) {
  if (text.size() < 4 || (text[0] != '[' && text[0] != '(')) return 0;
  const char close = text[0] == '[' ? ']' : ')';
  const Bytes inner = text.substr(1);
  const auto closed = [&](size_t size) {
    return size < inner.size() && inner[size] == close ? static_cast<i64>(size) + 2 : 0;
  };
  size_t letters = 0;
  while (letters < inner.size() && inner[letters] >= 'A' && inner[letters] <= 'Z') ++letters;
  const Bytes word = inner.substr(0, letters);
  if (letters > 1 && letters <= 5 && may_be_zone(word) && offset_of_zone(word)) {
    return closed(letters);
  }
  if (letters == 0 || letters > 2) return 0;
  if (const size_t size = region_size(inner); size > 0) return closed(size);
  const size_t end = after_offset && close == ')' ? inner.find(" Time)") : Bytes::npos;
  if (end == Bytes::npos || end > 40) return 0;
  const bool is_words = std::ranges::all_of(inner.substr(0, end), [](char c) {
    return is_letter(c) || c == ' ' || c == '.' || c == '-' || static_cast<u8>(c) >= 0x80;
  });
  return is_words ? closed(end + 5) : 0;
}

bool parse_offset(Bytes text, i64 *seconds) {
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  const bool west = text[0] == '-';
  text.remove_prefix(1);
  i64 hours = 0, minutes = 0;
  if (!take_two(&text, &hours)) return false;
  const bool colon = text.starts_with(':');
  if (colon) text.remove_prefix(1);
  if ((colon || !text.empty()) && !take_two(&text, &minutes)) return false;
  if (!text.empty() || hours > 23 || minutes > 59) return false;
  const i64 size = hours * 3600 + minutes * 60;
  *seconds = west ? -size : size;
  return true;
}

}  // namespace mrc
