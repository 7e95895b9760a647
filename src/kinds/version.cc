// A key consists of numbers and signs, and each sign is less than all bytes that may follow in its
// place:
//
//   NUMBER...  the numbers without the last zeros: the count of digits, as a letter, and the digits
//   ! or #     with or without a pre-release
//   PART...    the pre-release: $ for a dot; % and a number; any other byte
//
// The letter of the number 0, which has no digits, is 'a'. The letters are lower case, so they do
// not change if case is ignored.
#include "kinds/version.h"

#include "base/text.h"

#include <algorithm>
#include <vector>

namespace mrc {
namespace {

constexpr size_t kMostDigits = 25;
constexpr size_t kLeastNumbers = 3;  // in the form of a version
constexpr char kHasPrerelease = '!', kIsRelease = '#', kDot = '$', kDigits = '%';

bool is_of_prerelease(char c) {
  return is_digit(c) || is_letter(c) || c == '.' || c == '-' || c == '_';
}

// Takes digits off the front, without leading zeros; nothing if there are none, or too many.
std::optional<Bytes> take_number(Bytes *text) {
  const size_t size = std::min(text->find_first_not_of("0123456789"), text->size());
  Bytes digits = text->substr(0, size);
  text->remove_prefix(size);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (size == 0 || digits.size() > kMostDigits) return std::nullopt;
  return digits;  // empty: 0
}

void append_key_of(Bytes digits, std::string *key) {
  key->push_back(static_cast<char>('a' + digits.size()));
  key->append(digits);
}

struct Version {
  std::vector<Bytes> numbers;  // without trailing zeros
  Bytes prerelease;
};

std::optional<Version> read_version(Bytes text) {
  Version version;
  text = without_spaces_around(text);
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  do {
    const std::optional<Bytes> number = take_number(&text);
    if (!number) return std::nullopt;
    version.numbers.push_back(*number);
  } while (text.starts_with('.') && (text.remove_prefix(1), true));
  while (!version.numbers.empty() && version.numbers.back().empty()) version.numbers.pop_back();
  const size_t build = std::min(text.find('+'), text.size());
  if (build + 1 == text.size()) return std::nullopt;
  text = text.substr(0, build);
  if (text.empty()) return version;
  version.prerelease = text.substr(1);
  const bool is_right = text[0] == '-' && !version.prerelease.empty() &&
                        std::ranges::all_of(version.prerelease, is_of_prerelease);
  return is_right ? std::optional(version) : std::nullopt;
}

// Calls number(digits) and other(byte) for the parts of a pre-release. Returns false if a number is
// too long.
template <typename Number, typename Other>
bool each_part(Bytes prerelease, Number number, Other other) {
  while (!prerelease.empty()) {
    if (!is_digit(prerelease[0])) {
      other(prerelease[0]);
      prerelease.remove_prefix(1);
      continue;
    }
    const std::optional<Bytes> digits = take_number(&prerelease);
    if (!digits) return false;
    number(*digits);
  }
  return true;
}

}  // namespace

std::optional<std::string> version_form(Bytes text) {
  const std::optional<Version> version = read_version(text);
  if (!version) return std::nullopt;
  std::string form;
  for (size_t i = 0; i < std::max(version->numbers.size(), kLeastNumbers); ++i) {
    const Bytes digits = i < version->numbers.size() ? version->numbers[i] : Bytes();
    form.append(i == 0 ? "" : ".").append(digits.empty() ? "0" : digits);
  }
  if (version->prerelease.empty()) return form;
  form.push_back('-');
  const bool fits = each_part(
      version->prerelease, [&](Bytes digits) { form.append(digits.empty() ? "0" : digits); },
      [&](char c) { form.push_back(c); });
  return fits ? std::optional(form) : std::nullopt;
}

std::optional<std::string> version_key(Bytes text) {
  const std::optional<Version> version = read_version(text);
  if (!version) return std::nullopt;
  std::string key;
  for (const Bytes digits : version->numbers) append_key_of(digits, &key);
  key.push_back(version->prerelease.empty() ? kIsRelease : kHasPrerelease);
  const bool fits = each_part(
      version->prerelease,
      [&](Bytes digits) {
        key.push_back(kDigits);
        append_key_of(digits, &key);
      },
      [&](char c) { key.push_back(c == '.' ? kDot : c); });
  return fits ? std::optional(key) : std::nullopt;
}

}  // namespace mrc
