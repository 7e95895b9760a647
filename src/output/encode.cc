#include "output/encode.h"

#include "base/json_text.h"
#include "base/names.h"
#include "base/text.h"
#include "scan/vector.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

// True if RFC 4180 has quotes around the text.
bool needs_quotes(Bytes text) {
  using Vector = BaselineVector;
  const char *p = text.data(), *end = p + text.size();
  for (; end - p >= Vector::kBytes; p += Vector::kBytes) {
    const Vector v = Vector::load(p);
    if ((v.equal(',') | v.equal('"') | v.equal('\r') | v.equal('\n')).bits() != 0) return true;
  }
  return std::any_of(p, end, [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
}

// Formats numbers for people from their digits, so that numbers of any length are rounded
// correctly.

constexpr Bytes kUnits = "kMGTPEZY";
constexpr size_t kDigitsThatCount = 3;

u64 value_of_digits(Bytes digits) {
  u64 number = 0;
  for (char c : digits) number = 10 * number + static_cast<u64>(c - '0');
  return number;
}

// REQUIRES: `whole` has at least four digits, and kUnits has a unit for it
void append_with_unit(Bytes whole, std::string *out) {
  size_t unit = (whole.size() - 1) / 3;
  const size_t lead = whole.size() - 3 * unit;
  u64 tenths = value_of_digits(whole.substr(0, lead + 1)) + (whole[lead + 1] >= '5');
  if (tenths == 10000 && unit < kUnits.size()) {  // 999.95k is 1.0M
    tenths = 10;
    ++unit;
  }
  fmt::format_to(std::back_inserter(*out), "{}.{}{}", tenths / 10, tenths % 10, kUnits[unit - 1]);
}

// REQUIRES: `fraction` has more digits than `kept`
void append_rounded(Bytes whole, Bytes fraction, size_t kept, std::string *out) {
  std::string digits = std::string(whole) + std::string(fraction.substr(0, kept));
  bool carry = fraction[kept] >= '5';
  for (size_t i = digits.size(); carry && i-- > 0;) {
    carry = digits[i] == '9';
    digits[i] = carry ? '0' : static_cast<char>(digits[i] + 1);
  }
  if (carry) digits.insert(0, "1");
  out->append(digits, 0, digits.size() - kept);
  if (kept > 0) out->append(".").append(digits, digits.size() - kept);
}

}  // namespace

void append_tsv(Bytes text, std::string *out) {
  make_room_for(text, out);
  size_t plain = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '\t' && c != '\n' && c != '\r' && c != '\\') [[likely]]
      continue;
    out->append(text, plain, i - plain);
    out->push_back('\\');
    out->push_back(c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\\');
    plain = i + 1;
  }
  out->append(text, plain);
}

bool has_tsv_escape(const char *text, size_t size) {
  using Vector = BaselineVector;
  static_assert(Vector::kBytes <= kReadBeyond);
  for (const char *p = text, *end = text + size; p < end; p += Vector::kBytes) {
    const Vector v = Vector::load(p);
    const auto found = v.equal('\t') | v.equal('\n') | v.equal('\r') | v.equal('\\');
    if (found.bits() != 0) return true;
  }
  return false;
}

bool is_bare_json(ValueKind kind, Bytes value) {
  if (kind == ValueKind::truth) return value == "true" || value == "false";
  return kind == ValueKind::number && is_json_number(value);
}

void append_csv(Bytes text, std::string *out) {
  make_room_for(text, out);
  if (needs_quotes(text)) {
    append_quoted(text, out);
  } else {
    out->append(text);
  }
}

void append_only_csv(Bytes text, std::string *out) {
  text.empty() ? append_quoted(text, out) : append_csv(text, out);
}

void append_quoted(Bytes text, std::string *out) {
  out->push_back('"');
  append_in_quotes(text, out);
  out->push_back('"');
}

void append_in_quotes(Bytes text, std::string *out) {
  for (char c : text) {
    if (c == '"') out->push_back('"');
    out->push_back(c);
  }
}

void append_visible(Bytes text, std::string *out) {
  make_room_for(text, out);
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const char *plain = p;
    while (plain < end && *plain >= 0x20 && *plain < 0x7F) ++plain;
    out->append(p, plain);
    p = plain;
    if (p == end) return;
    const Decoded c = decode_utf8(p, end);
    const bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    if (c.size == 0 || control) {
      const int bytes = c.size == 0 ? 1 : c.size;
      for (int i = 0; i < bytes; ++i) {
        fmt::format_to(std::back_inserter(*out), "\\x{:02x}", static_cast<u8>(p[i]));
      }
      p += bytes;
    } else {
      out->append(p, static_cast<size_t>(c.size));
      p += c.size;
    }
  }
}

void append_markdown(Bytes text, std::string *out) {
  std::string visible;
  append_visible(text, &visible);
  for (char c : visible) {
    if (Bytes("\\|`*_<&[]~").find(c) != Bytes::npos) out->push_back('\\');
    out->push_back(c);
  }
}

i64 display_width(Bytes text) {
  i64 width = 0;
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    if (static_cast<signed char>(*p) >= 0) {
      ++width, ++p;
      continue;
    }
    const Decoded c = decode_utf8(p, end);
    width += c.size == 0 ? 1 : utf8proc_charwidth(static_cast<utf8proc_int32_t>(c.code));
    p += std::max(1, c.size);
  }
  return width;
}

void append_human(Bytes number, std::string *out) {
  const bool negative = number.starts_with('-');
  const Bytes digits = number.substr(negative);
  const size_t point = std::min(digits.find('.'), digits.size());
  const Bytes whole = digits.substr(0, point);
  const Bytes fraction = digits.substr(std::min(point + 1, digits.size()));
  const bool known = whole.size() <= 3 * kUnits.size() + 3 && is_digits(whole) &&
                     (fraction.empty() || is_digits(fraction));
  const size_t zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  const size_t kept = whole == "0"                      ? zeros + kDigitsThatCount
                      : whole.size() < kDigitsThatCount ? kDigitsThatCount - whole.size()
                                                        : 0;
  if (known && whole.size() > 3) {
    if (negative) out->push_back('-');
    append_with_unit(whole, out);
  } else if (known && fraction.size() > kept) {
    if (negative) out->push_back('-');
    append_rounded(whole, fraction, kept, out);
  } else {
    out->append(number);
  }
}

std::vector<std::string> json_names(std::span<const std::string> names) {
  std::vector<std::string> members;
  for (const std::string &name : names) {
    std::string &member = members.emplace_back();
    is_utf8(name) ? void(member = name) : append_visible(name, &member);
  }
  return distinct_names(members);
}

std::vector<std::string> json_labels(std::span<const std::string> names) {
  std::vector<std::string> labels;
  for (const std::string &member : json_names(names)) {
    std::string label = labels.empty() ? "{" : ",";
    append_json(member, &label);
    labels.push_back(label + ":");
  }
  return labels;
}

}  // namespace mrc
