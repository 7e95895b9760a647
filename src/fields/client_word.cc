// Vectors classify the bytes of a word, because logs of names and of IPv6 addresses should cost
// little more than logs of IPv4 addresses.
#include "fields/inner/client_word.h"

#include "base/text.h"
#include "fields/inner/text_form.h"
#include "fields/line_reader.h"

#include <arpa/inet.h>

#include <array>

namespace mrc {
namespace {

using Vector = BaselineVector;

// Clears the mask's bits for bytes past the end of the word. The vector begins at byte `i` of the
// word.
MRC_INLINE u64 within(Bytes word, size_t i, u64 mask) {
  const u64 vector = (u64{1} << Vector::kBytes) - 1;
  return mask & vector & valid_bytes(word.data() + i, word.data() + word.size());
}

// True for addresses such as ::ffff:192.0.2.1.
bool is_mapped_ipv4(Bytes text) {
  std::array<char, INET6_ADDRSTRLEN> copy{};
  in6_addr address;
  text.copy(copy.data(), copy.size() - 1);
  return inet_pton(AF_INET6, copy.data(), &address) == 1;
}

bool is_weekday(Bytes text) {
  constexpr Bytes kDays = "MonTueWedThuFriSatSun";
  const size_t at = text.size() == 3 ? kDays.find(text) : Bytes::npos;
  return at != Bytes::npos && at % 3 == 0;
}

// True for dates, and times of ISO 8601, which have only bytes of names.
bool has_form_of_time(Bytes text) {
  return has_form(text, "0000-00-00") || has_form(text, "00000000T");
}

// True for bytes that make a word a name: letters in any script, and the * of hidden parts.
bool is_name_letter(char c) { return is_letter(c) || c == '*' || static_cast<u8>(c) >= 0x80; }

// A name has a dot before its last byte; a label has none.
ClientKind kind_of_name(Bytes word) {
  constexpr size_t kLongest = 255;
  if (word == "-" || word == "_") return ClientKind::label;
  if (word.empty() || word.size() > kLongest || !has_name_bytes(word)) return ClientKind::none;
  const bool has_letter = std::any_of(word.begin(), word.end(), is_name_letter);
  const bool is_date = is_month(word) || is_weekday(word) || has_form_of_time(word);
  if (!has_letter || is_date || word[0] == '.' || word.starts_with(kByteOrderMark)) {
    return ClientKind::none;
  }
  return word.find('.') < word.size() - 1 ? ClientKind::name : ClientKind::label;
}

// Reads addresses such as [2001:db8::7]:443.
ClientWord client_in_brackets(Bytes word) {
  const size_t close = std::min(word.find(']'), word.size() - 1);
  const Bytes address = word.substr(1, close - 1), port = word.substr(close + 1);
  const bool has_end = port.empty() || (port[0] == ':' && is_digits(port.substr(1)));
  if (word[close] != ']' || !has_end || !is_ipv6(address)) return {};
  return {ClientKind::address, address};
}

ClientWord with_colon(Bytes word, size_t colon) {
  if (is_ipv6(word)) return {ClientKind::address, word};
  const Bytes address = word.substr(0, colon);
  if (is_ipv4(address) && is_digits(word.substr(colon + 1))) return {ClientKind::address, address};
  // nginx writes unix: for clients of a Unix domain socket.
  if (address == "unix") return {ClientKind::label, word};
  const size_t zone = word.find('%');  // fe80::1%eth0
  if (zone != Bytes::npos && is_ipv6(word.substr(0, zone))) return {ClientKind::address, word};
  return {};
}

}  // namespace

// An IPv6 address has eight groups of up to four digits, or fewer groups and a gap (two colons).
// Times and hardware addresses, such as 16:13:46 and 00:1b:44:11:3a:b7, have too few groups and no
// gap.
bool is_ipv6(Bytes text) {
  if (text.size() >= INET6_ADDRSTRLEN) return false;
  u64 colons = 0, dots = 0;
  for (size_t i = 0; i < text.size(); i += Vector::kBytes) {
    const Vector bytes = Vector::load(text.data() + i);
    const auto is_colon = bytes.equal(':'), is_dot = bytes.equal('.');
    const auto is_known =
        bytes.in_range('0', '9') | (bytes | 0x20).in_range('a', 'f') | is_colon | is_dot;
    if (within(text, i, ~is_known.bits()) != 0) return false;
    colons |= within(text, i, is_colon.bits()) << i;
    dots |= within(text, i, is_dot.bits()) << i;
  }
  if (dots != 0) return is_mapped_ipv4(text);
  const u64 all = (u64{1} << text.size()) - 1, ends = 1 | (all ^ all >> 1);
  const u64 gaps = colons & colons >> 1, lone = colons & ~(gaps | gaps << 1);
  const u64 digits = all & ~colons;
  const u64 five = digits & digits >> 1 & digits >> 2 & digits >> 3 & digits >> 4;
  const int groups = __builtin_popcountll(digits & ~(digits << 1));
  return five == 0 && (lone & ends) == 0 && (gaps & (gaps - 1)) == 0 &&
         (gaps != 0 ? groups < 8 : groups == 8);
}

bool is_ipv4(Bytes text) {
  constexpr size_t kLongest = 15;  // 255.255.255.255
  const auto is_known = [](char c) { return is_digit(c) || c == '.'; };
  return text.size() <= kLongest && std::all_of(text.begin(), text.end(), is_known) &&
         std::count(text.begin(), text.end(), '.') >= 3;
}

bool has_name_bytes(Bytes text) {
  for (size_t i = 0; i < text.size(); i += Vector::kBytes) {
    const Vector bytes = Vector::load(text.data() + i);
    const auto is_known = (bytes | 0x20).in_range('a', 'z') | bytes.in_range('0', '9') |
                          bytes.in_range('-', '.') | bytes.equal('_') | bytes.equal('*') |
                          bytes.in_range(0x80, 0xFF);
    if (within(text, i, ~is_known.bits()) != 0) return false;
  }
  return true;
}

ClientWord read_client(Bytes word) {
  if (is_ipv4(word)) return {ClientKind::address, word};
  if (word.starts_with('[')) return client_in_brackets(word);
  const size_t colon = word.find(':');
  if (colon != Bytes::npos) return with_colon(word, colon);
  return {kind_of_name(word), word};
}

}  // namespace mrc
