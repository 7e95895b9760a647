#include "expr/inner/kind_values.h"

#include "expr/inner/value_nodes.h"
#include "kinds/level.h"
#include "kinds/timestamp.h"
#include "kinds/units.h"
#include "kinds/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace mrc {
namespace {

Number number_of_text(const std::optional<std::string> &digits, Arena *arena) {
  return digits ? parse_any_number(*digits, arena) : kBadNumber;
}

Number read_truth(Bytes text) {
  const auto is = [text](Bytes word) {
    return std::ranges::equal(text, word, {}, [](char c) { return static_cast<char>(c | 0x20); });
  };
  if (text == "1" || is("true")) return make_number(1, 0);
  return text == "0" || is("false") ? make_number(0, 0) : kBadNumber;
}

// Reads a text with a unit, or a plain number if the field has a unit.
Number read_duration_value(Bytes text, i64 unit_ns, Arena *arena) {
  const Number number = unit_ns == 0 ? kBadNumber : parse_number(text, arena);
  if (!is_number(number)) return number_of_text(read_duration(text), arena);
  return multiply(number, seconds_of(unit_ns, arena), arena);
}

Bytes key_of(ValueKind kind, Bytes text, Arena *arena) {
  if (kind == ValueKind::version) {
    const std::optional<std::string> key = version_key(text);
    return key ? keep_text(*key, arena) : Bytes();
  }
  const std::optional<AddressKey> key = first_address(text);
  return key ? keep_text(bytes_of(*key), arena) : Bytes();
}

}  // namespace

Number KindReader::read(Bytes text, Arena *arena) const {
  if (is_absent(text)) return kNoNumber;
  switch (kind) {
    case ValueKind::time: {
      const std::optional<i64> time = read_time(text, context);
      return time ? seconds_of(*time, arena) : kBadNumber;
    }
    case ValueKind::duration: return read_duration_value(text, unit_ns, arena);
    case ValueKind::level: {
      const std::optional<i64> rank = level_rank(usual_level(levels, text));
      return rank ? make_number(*rank, 0) : kBadNumber;
    }
    case ValueKind::truth: return read_truth(text);
    default: return parse_number(text, arena);
  }
}

NumbersPtr make_kind_numbers(TextsPtr texts, const KindReader &reader, std::string reason) {
  const auto read = [reader](const Here &here, Bytes text) {
    return reader.read(text, here.arena());
  };
  if (reason.empty()) return make_values(read, std::move(texts));
  return make_values(Noted(std::move(reason), read), std::move(texts));
}

NumbersPtr make_bucket_numbers(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                               const KindReader &reader) {
  const auto read = [bucket = std::move(bucket), reader](const Here &here, Bytes text) {
    if (is_absent(text)) return kNoNumber;
    const Bytes name = here.text_by([&](std::string *out) { return bucket->append(text, out); });
    return name.data() == nullptr ? kBadNumber : reader.read(name, here.arena());
  };
  return make_values(read, std::move(texts));
}

NumbersPtr make_times(NumbersPtr seconds, const Expression &call) {
  const auto rule = [reason = fmt::format("{} is not in the years 1678 to 2261", call.typed)](
                        const Here &here, Number number) {
    static const i64 begin = *days_since_1970(1678, 1, 1) * kDay;
    static const i64 end = (*days_since_1970(2261, 12, 31) + 1) * kDay;
    const bool is_time = compare_numbers(number, make_number(begin, 0)) >= 0 &&
                         compare_numbers(number, make_number(end, 0)) < 0;
    if (is_time) [[likely]]
      return number;
    std::string text;
    append_number(number, &text);
    here.note(keep_text(text, here.arena()), reason);
    return kNoNumber;
  };
  return make_values(rule, std::move(seconds));
}

TextsPtr make_time_texts(NumbersPtr seconds, const TimeContext &context) {
  const auto write = [context](const Here &here, Number number) {
    const Number nanoseconds = multiply(number, make_number(kSecond, 0), here.arena());
    __int128 time = 0;
    const Number whole = rounded(nanoseconds, 0, Rounding::nearest, here.arena());
    const bool is_time = is_number(nanoseconds) && is_whole(whole, &time) &&
                         time >= std::numeric_limits<i64>::min() &&
                         time <= std::numeric_limits<i64>::max();
    if (!is_time) return Bytes();
    return here.text_by([&](std::string *text) {
      append_time(static_cast<i64>(time), context, text);
      return true;
    });
  };
  return make_values(write, std::move(seconds));
}

TextsPtr make_order_keys(ValueKind kind, TextsPtr texts, std::string reason, bool is_left) {
  const auto key = [kind](const Here &here, Bytes text) {
    return is_absent(text) ? Bytes() : key_of(kind, text, here.arena());
  };
  if (!reason.empty()) return make_values(Noted(std::move(reason), key), std::move(texts));
  // Values that do not fit get a key with a first byte that no other key has.
  const auto key_of_any = [key, other = is_left ? '\xFE' : '\xFF'](const Here &here, Bytes text) {
    const Bytes own = key(here, text);
    const bool fits = is_there(own) || is_absent(text);
    return fits ? own : keep_text(other + std::string(text), here.arena());
  };
  return make_values(key_of_any, std::move(texts));
}

std::string reason_not_of_kind(ValueKind kind, const Expression &value, const Expression &user) {
  const std::string name = value.field.field.number < 0 ? value.typed : "field " + value.typed;
  const std::string whole =
      value.typed == user.typed ? name : fmt::format("{} in {}", name, user.typed);
  if (kind == ValueKind::truth) return fmt::format("{} is not true or false", whole);
  const char *article = kind == ValueKind::address ? "an" : "a";
  return fmt::format("{} is not {} {}", whole, article, kind_name(kind));
}

std::string seconds_text(i64 nanoseconds) {
  Arena arena;
  std::string text;
  append_number(seconds_of(nanoseconds, &arena), &text);
  return text;
}

}  // namespace mrc
