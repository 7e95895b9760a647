// Each part is a sort field (sort_key.h). No part is a prefix of another one, so each part tells
// where it ends:
//
//  bytes     up to the first 00; 01 escapes: 01 01 is 00, 01 02 is 01
//  numbers   0 is 80 alone. Others begin with one byte, or with 1 + n bytes if the number of
//            digits before the point takes n bytes. Two digits to a byte follow, up to the
//            first even byte. With a minus sign all bytes are complemented.
//  neither   FF, which no number begins with, and then as bytes
//
// A part that rolls up is 01 and its value as above, or, in a subtotal, 02 alone, and 03 alone for
// the parts after it.
#include "map/key_parts.h"

#include "map/sort_key.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr u8 kTerminator = 0x00, kEscape = 0x01;
constexpr u8 kZero = 0x80, kPositive = 0x81, kLongNumber = 0xF0, kNoNumberHere = 0xFF;

constexpr u8 kValue = 0x01, kTotal = 0x02, kAfterTotal = 0x03;  // of parts that roll up

constexpr SortField kBytes{.type = SortField::Type::bytes};
constexpr SortField kNumber{.type = SortField::Type::number};

u8 byte_at(Bytes bytes, size_t i) { return static_cast<u8>(bytes[i]); }

// The bytes of an encoded number, without the complement for a minus sign.
class Absolute {
 public:
  explicit Absolute(Bytes bytes) : bytes_(bytes), mask_(negative() ? 0xFF : 0x00) {}

  bool negative() const { return byte_at(bytes_, 0) < kZero; }
  u8 at(size_t i) const { return byte_at(bytes_, i) ^ mask_; }
  // Number of bytes after the first that count the digits before the point.
  size_t count_bytes() const { return at(0) > kLongNumber ? at(0) - kLongNumber : 0; }

 private:
  Bytes bytes_;
  u8 mask_;
};

size_t number_size(Bytes key) {
  const Absolute number(key);
  if (number.at(0) == kZero) return 1;
  size_t last = 1 + number.count_bytes();
  while (number.at(last) % 2 != 0) ++last;
  return last + 1;
}

size_t encoded_size(const KeyPart &part, Bytes key) {
  if (part.rolls_up) {
    const bool is_value = byte_at(key, 0) == kValue;
    return is_value ? 1 + encoded_size({.name = "", .number = part.number}, key.substr(1)) : 1;
  }
  if (part.number && byte_at(key, 0) != kNoNumberHere) return number_size(key);
  return key.find(static_cast<char>(kTerminator)) + 1;
}

void append_unescaped(Bytes bytes, std::string *value) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t escape = std::min(bytes.find(static_cast<char>(kEscape), at), bytes.size());
    value->append(bytes, at, escape - at);
    if (escape == bytes.size()) return;
    value->push_back(static_cast<char>(byte_at(bytes, escape + 1) - 1));
    at = escape + 2;
  }
}

// Returns the number of digits before the point.
i64 whole_digits(const Absolute &number) {
  if (number.count_bytes() == 0) return number.at(0) - kPositive;
  i64 digits = 0;
  for (size_t i = 1; i <= number.count_bytes(); ++i) digits = digits << 8 | number.at(i);
  return digits;
}

// Appends the shortest decimal form: 0.5, 12, -1000.
void append_decimal(Bytes encoded, std::string *value) {
  const Absolute number(encoded);
  if (encoded.size() == 1) return value->push_back('0');
  std::string digits;
  for (size_t i = 1 + number.count_bytes(); i < encoded.size(); ++i) {
    const int pair = number.at(i) / 2;
    digits.push_back(static_cast<char>('0' + pair / 10));
    digits.push_back(static_cast<char>('0' + pair % 10));
  }
  if (digits.ends_with('0')) digits.pop_back();  // padding of an odd number of digits
  const size_t whole = static_cast<size_t>(whole_digits(number));
  if (number.negative()) value->push_back('-');
  if (whole == 0) value->push_back('0');
  value->append(digits, 0, whole);
  if (digits.size() < whole) value->append(whole - digits.size(), '0');
  if (digits.size() > whole) value->append(".").append(digits, whole);
}

}  // namespace

bool is_key_number(Bytes text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  size_t digits = 0, points = 0;
  for (char c : text) {
    digits += c >= '0' && c <= '9';
    points += c == '.';
  }
  return digits > 0 && points <= 1 && digits + points == text.size();
}

void append_total_part(bool is_first, std::string *key) {
  key->push_back(static_cast<char>(is_first ? kTotal : kAfterTotal));
}

bool begins_with_total(const KeyPart &part, Bytes key) {
  return part.rolls_up && byte_at(key, 0) != kValue;
}

void append_key_part(const KeyPart &part, Bytes value, std::string *key) {
  if (part.rolls_up) key->push_back(static_cast<char>(kValue));
  if (!part.number) return append_sort_field(kBytes, value, key);
  if (is_key_number(value)) {
    if (value.starts_with('+')) value.remove_prefix(1);
    return append_sort_field(kNumber, value, key);
  }
  key->push_back(static_cast<char>(kNoNumberHere));
  append_sort_field(kBytes, value, key);
}

Bytes take_encoded_part(const KeyPart &part, Bytes *key) {
  const Bytes encoded = key->substr(0, encoded_size(part, *key));
  key->remove_prefix(encoded.size());
  return encoded;
}

void take_key_part(const KeyPart &part, Bytes *key, std::string *value) {
  Bytes encoded = take_encoded_part(part, key);
  if (part.rolls_up) {
    const u8 tag = byte_at(encoded, 0);
    if (tag == kTotal) value->append(kTotalText);
    if (tag != kValue) return;
    encoded.remove_prefix(1);
  }
  const bool is_number = part.number && byte_at(encoded, 0) != kNoNumberHere;
  if (is_number) return append_decimal(encoded, value);
  if (part.number) encoded.remove_prefix(1);
  encoded.remove_suffix(1);
  append_unescaped(encoded, value);
}

}  // namespace mrc
