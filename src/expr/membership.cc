#include "expr/inner/membership.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns a number's normal form, without trailing zeros.
Number one_form(Number number, Arena *arena) {
  if (is_narrow(number) && scale_of(number) == 0) [[likely]]
    return number;
  __int128 digits;
  i64 scale;
  if (!to_decimal(number, &digits, &scale)) return number;
  for (; scale > 0 && digits % 10 == 0; --scale) digits /= 10;
  return decimal_number(digits, scale, arena);
}

}  // namespace

bool ValueSet::add(const Constant &constant) {
  switch (constant.kind) {
    case ValueKind::text: texts_.insert(constant.text); return true;
    case ValueKind::address: ranges_.push_back(constant.range); return true;
    case ValueKind::number: add_number(constant.text); return true;
    default: return false;
  }
}

void ValueSet::add_number(const std::string &digits) {
  Arena arena;
  const Number form = one_form(parse_any_number(digits, &arena), &arena);
  if (is_narrow(form)) {
    numbers_.insert(form);
  } else {
    wide_.push_back(digits);
  }
}

void ValueSet::complete() {
  std::ranges::sort(ranges_, {}, &AddressRange::first);
  std::vector<AddressRange> apart;
  for (const AddressRange &range : ranges_) {
    const bool joins = !apart.empty() && range.first <= apart.back().last;
    if (!joins) apart.push_back(range);
    apart.back().last = std::max(apart.back().last, range.last);
  }
  ranges_ = std::move(apart);
}

bool ValueSet::contains(Bytes value) const {
  if (!texts_.empty() && texts_.contains(value)) return true;
  if ((!numbers_.empty() || !wide_.empty()) && contains_number(value)) return true;
  return !ranges_.empty() && contains_address(value);
}

// Addresses and wide numbers may be within any bounds.
bool ValueSet::may_contain(const FieldBounds &bounds) const {
  if (!ranges_.empty() || !wide_.empty()) return true;
  const auto &texts = bounds.texts;
  const auto &numbers = bounds.numbers;
  return std::ranges::any_of(
             texts_, [&](const std::string &text) { return !texts || texts->may_be(text); }) ||
         std::ranges::any_of(numbers_,
                             [&](Number number) { return !numbers || numbers->may_be(number); });
}

bool ValueSet::contains_number(Bytes value) const {
  thread_local Arena scratch;
  scratch.clear();
  const Number number = parse_number(value, &scratch);
  if (!is_number(number)) return false;
  const Number form = one_form(number, &scratch);
  if (is_narrow(form)) return numbers_.contains(form);
  return std::ranges::any_of(wide_, [&](const std::string &text) {
    return compare_numbers(parse_any_number(text, &scratch), form) == 0;
  });
}

bool ValueSet::contains_address(Bytes value) const {
  const std::optional<AddressKey> key = first_address(value);
  if (!key) return false;
  const auto after = std::ranges::upper_bound(ranges_, *key, {}, &AddressRange::first);
  return after != ranges_.begin() && *key <= after[-1].last;
}

}  // namespace mrc
