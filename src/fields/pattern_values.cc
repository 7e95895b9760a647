#include "fields/inner/pattern_values.h"

#include "fields/inner/client_word.h"
#include "fields/inner/text_form.h"
#include "fields/pattern.h"
#include "kinds/level.h"
#include "kinds/timestamp_reader.h"
#include "kinds/zone_names.h"

#include <algorithm>

namespace mrc {
namespace {

bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_word_byte(char c) { return is_digit(c) || is_letter(c); }

bool is_lone_dash(const char *p, const char *end) {
  return p < end && *p == '-' && (p + 1 == end || (!is_word_byte(p[1]) && p[1] != '.'));
}

Bytes text_of(const char *p, const char *end) { return {p, static_cast<size_t>(end - p)}; }

// Matches four numbers up to 255.
const char *end_of_ipv4(const char *p, const char *end) {
  for (int parts = 0; parts < 4; ++parts) {
    if (parts > 0 && (p == end || *p++ != '.')) return nullptr;
    int value = 0, digits = 0;
    for (; p < end && is_digit(*p) && digits < 3; ++p, ++digits) value = value * 10 + (*p - '0');
    if (digits == 0 || value > 255) return nullptr;
  }
  const bool goes_on =
      p < end && (is_word_byte(*p) || (*p == '.' && p + 1 < end && is_digit(p[1])));
  return goes_on ? nullptr : p;
}

const char *end_of_ipv6(const char *p, const char *end) {
  const char *at = p;
  while (at < end && (is_hex_digit(*at) || *at == ':' || *at == '.')) ++at;
  // A colon at the end is not part of the address.
  if (at - p > 2 && at[-1] == ':' && at[-2] != ':') --at;
  if (!is_ipv6(text_of(p, at)) || std::find(p, at, ':') == at) return nullptr;
  if (at < end && *at == '%') {
    ++at;
    while (at < end && (is_word_byte(*at) || *at == '-' || *at == '_')) ++at;
  }
  return at < end && is_word_byte(*at) ? nullptr : at;
}

// Returns the end of the fraction of a second and the offset that most times have; null if
// something else follows.
const char *end_of_fraction_and_offset(const char *p, const char *end) {
  if (p < end && (*p == '.' || *p == ',')) {
    const char *digits = ++p;
    while (p < end && is_digit(*p)) ++p;
    if (p == digits) return nullptr;
  }
  if (p < end && *p == 'Z') return p + 1 < end && is_word_byte(p[1]) ? nullptr : p + 1;
  if (p < end && (*p == '+' || *p == '-')) {
    const Bytes rest = text_of(p + 1, end);
    const size_t size = has_form(rest, "00:00") ? 5 : has_form(rest, "0000") ? 4 : 0;
    if (size == 0) return nullptr;
    p += 1 + size;
  }
  return p < end && is_word_byte(*p) ? nullptr : p;
}

// True if the text after a time may be a blank and its zone: an offset or a name, but not a level.
// A name in brackets or parentheses needs no blank.
bool may_have_zone(const char *p, const char *end) {
  if (end - p < 3) return false;
  const char *open = p + (*p == ' ');
  if (*open == '[' || *open == '(') return enclosed_zone_size(text_of(open, end), true) > 0;
  if (*p != ' ') return false;
  const char *word = ++p;
  if (*word == '+' || *word == '-') return is_digit(word[1]);
  while (p < end && *p >= 'A' && *p <= 'Z') ++p;
  const Bytes letters = text_of(word, p);
  return letters.size() >= 2 && letters.size() <= 5 && !is_log_level(letters);
}

// Returns the end of a time of the usual shapes, by a quick test; null if it takes a closer look.
const char *end_of_usual_time(const char *p, const char *end) {
  const Bytes text = text_of(p, end);
  if (has_form(text, "0000-00-00")) {
    if (!has_form(text.substr(10), "T00:00:00") && !has_form(text.substr(10), " 00:00:00")) {
      return nullptr;
    }
    const char *at = end_of_fraction_and_offset(p + 19, end);
    return at != nullptr && may_have_zone(at, end) ? nullptr : at;
  }
  if (has_form(text, "00/aaa/0000:00:00:00 +0000")) return p + 26;
  return nullptr;
}

}  // namespace

const char *end_of_name(const char *p, const char *end) {
  if (p == end || !is_letter(*p)) return nullptr;
  while (p < end && (is_word_byte(*p) || *p == '_' || *p == '-' || *p == '.')) ++p;
  return p;
}

const char *end_of_class(const char *p, const char *end) {
  const char *at = p;
  int points = 0;
  for (;;) {
    if (at == end || !(is_letter(*at) || *at == '_')) return nullptr;
    while (at < end && (is_word_byte(*at) || *at == '_' || *at == '-' || *at == '$')) ++at;
    if (at == end || *at != '.') return points >= 2 ? at : nullptr;
    ++points;
    ++at;
  }
}

const char *end_of_letter(const char *p, const char *end) {
  if (p == end || !is_letter(*p)) return nullptr;
  return p + 1 < end && is_letter(p[1]) ? nullptr : p + 1;
}

const char *end_of_sign(const char *p, const char *end) {
  if (p == end || is_word_byte(*p) || is_blank(*p)) return nullptr;
  return p + 1 == end || is_blank(p[1]) ? p + 1 : nullptr;
}

const char *end_of_ip(const char *p, const char *end) {
  if (is_lone_dash(p, end)) return p + 1;
  if (const char *at = end_of_ipv4(p, end)) return at;
  return end_of_ipv6(p, end);
}

// The digits after the last colon are the port, also where they could be part of the address.
const char *end_of_peer(const char *p, const char *end) {
  if (const char *at = end_of_ipv4(p, end)) return at;
  const char *at = p;
  while (at < end && (is_hex_digit(*at) || *at == ':' || *at == '.')) ++at;
  const char *port = at;
  while (port > p && is_digit(port[-1])) --port;
  const bool has_port = port < at && at - port <= 5 && port > p && port[-1] == ':';
  return has_port && is_ipv6(text_of(p, port - 1)) ? port - 1 : nullptr;
}

const char *end_of_time(const char *p, const char *end) {
  if (const char *at = end_of_usual_time(p, end)) return at;
  if (is_lone_dash(p, end)) return p + 1;
  const i64 size = timestamp_size(text_of(p, end));
  return size == 0 ? nullptr : p + size;
}

const char *end_of_ctime(const char *p, const char *end) {
  const i64 size = dated_size(text_of(p, end));
  return size == 0 ? nullptr : p + size;
}

const char *end_of_level(const char *p, const char *end) {
  const char *at = p;
  while (at < end && is_letter(*at)) ++at;
  if (at == p) return nullptr;
  // DEBUG5 is a level, and so is D2 unless more digits follow: those of I0102 are a date.
  if (at < end && is_digit(*at) && !(at + 1 < end && is_digit(at[1]))) {
    if (at == p + 1 && *p == 'D') return at + 1;
    if (is_log_level(text_of(p, at + 1))) return at + 1;
  }
  return is_log_level(text_of(p, at)) ? at : nullptr;
}

const char *end_of_number(const char *p, const char *end) {
  const char *at = end_of_integer(p, end);
  if (at == nullptr || !is_digit(at[-1])) {
    const char *point = p + (p < end && (*p == '-' || *p == '+'));
    if (point + 1 >= end || *point != '.' || !is_digit(point[1])) return at;
    at = point;
  }
  if (at + 1 < end && *at == '.' && is_digit(at[1])) {
    ++at;
    while (at < end && is_digit(*at)) ++at;
  }
  if (at + 1 < end && (*at == 'e' || *at == 'E')) {
    const char *digits = at + 1 + (at[1] == '-' || at[1] == '+');
    if (digits < end && is_digit(*digits)) {
      at = digits;
      while (at < end && is_digit(*at)) ++at;
    }
  }
  return at;
}

const char *end_of_epoch(const char *p, const char *end) {
  const Timestamp found = find_timestamp(text_of(p, end));
  return found.shape == TimeShape::epoch ? p + found.size : nullptr;
}

const char *end_of_hex(const char *p, const char *end) {
  if (is_lone_dash(p, end)) return p + 1;
  const char *digits = p;
  if (end - p > 2 && *p == '0' && (p[1] | 0x20) == 'x') digits += 2;
  const char *at = digits;
  while (at < end && is_hex_digit(*at)) ++at;
  return at == digits ? nullptr : at;
}

bool is_all(ValueType type, Bytes text) {
  const auto end_in = [&](const char *p, const char *end) {
    switch (type) {
      case ValueType::name: return end_of_name(p, end);
      case ValueType::class_name: return end_of_class(p, end);
      case ValueType::letter: return end_of_letter(p, end);
      case ValueType::sign: return end_of_sign(p, end);
      case ValueType::integer: return end_of_integer(p, end);
      case ValueType::number: return end_of_number(p, end);
      case ValueType::hex: return end_of_hex(p, end);
      case ValueType::ip: return end_of_ip(p, end);
      case ValueType::peer: return end_of_peer(p, end);
      case ValueType::time: return end_of_time(p, end);
      case ValueType::ctime: return end_of_ctime(p, end);
      case ValueType::epoch: return end_of_epoch(p, end);
      case ValueType::level: return end_of_level(p, end);
      default: return end;
    }
  };
  return end_in(text.data(), text.data() + text.size()) == text.data() + text.size();
}

EnclosedValue find_quoted(const char *p, const char *end) {
  if (is_lone_dash(p, end)) return {{p, 1}, p + 1};
  if (p == end || *p != '"') return {};
  const char *inner = p + 1;
  for (const char *at = inner;;) {
    at = find_any(at, end, {'"', '\\', '"'});
    if (at == end) return {};
    if (*at == '\\') {
      at = std::min(at + 2, end);
    } else if (at + 1 < end && at[1] == '"' && at > inner) {
      at += 2;
    } else {
      return {text_of(inner, at), at + 1};
    }
  }
}

EnclosedValue find_bracketed(const char *p, const char *end) {
  if (is_lone_dash(p, end)) return {{p, 1}, p + 1};
  if (p == end || *p != '[') return {};
  const char *first = nullptr;
  i64 open = 1;
  for (const char *at = p + 1;; ++at) {
    at = find_any(at, end, {'[', ']', ']'});
    if (at == end) break;
    open += *at == '[' ? 1 : -1;
    if (*at == ']' && first == nullptr) first = at;
    if (open == 0) return {text_of(p + 1, at), at + 1};
  }
  if (first == nullptr) return {};
  return {text_of(p + 1, first), first + 1};
}

EnclosedValue find_client(const char *p, const char *end) {
  if (is_lone_dash(p, end)) return {{p, 1}, p + 1};
  const auto is_part = [](char c) {
    return is_word_byte(c) || c == '.' || c == ':' || c == '-' || c == '_' || c == '%' ||
           c == '[' || c == ']' || static_cast<u8>(c) >= 0x80;
  };
  const char *at = p;
  while (at < end && is_part(*at) && (*at != ']' || *p == '[')) ++at;
  // A colon at the end is not part of the client.
  if (at > p && at[-1] == ':') --at;
  const Bytes word = text_of(p, at);
  if (word.empty()) return {};
  const ClientWord client = read_client(word);
  if (client.kind != ClientKind::none) return {client.ip, at};
  const size_t colon = word.rfind(':');
  const bool has_port = colon != Bytes::npos && colon > 0 && is_digits(word.substr(colon + 1));
  if (!has_port || read_client(word.substr(0, colon)).kind == ClientKind::none) return {};
  return {word.substr(0, colon), at};
}

}  // namespace mrc
