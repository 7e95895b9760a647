#include "expr/field_bounds.h"

#include "base/arena.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

template <typename Value, typename IsLess>
MRC_INLINE void widen(const Value &value, Extent<Value> *extent, IsLess is_less) {
  if (!extent->any) [[unlikely]] {
    extent->any = true;
    extent->least = extent->most = value;
  } else if (is_less(value, extent->least)) {
    extent->least = value;
  } else if (is_less(extent->most, value)) {
    extent->most = value;
  }
}

MRC_INLINE bool is_less_number(Number a, Number b) {
  if (((a ^ b) & 31) == 0) [[likely]]
    return digits_of(a) < digits_of(b);
  return compare_numbers(a, b) < 0;
}

}  // namespace

bool TimeExtent::means_same_in(const TimeContext &other) const {
  if (context.dates != other.dates) return false;
  if (needs.zone && context.zone != other.zone) return false;
  return !needs.year ||
         (context.year_of_now == other.year_of_now && context.month_of_now == other.month_of_now);
}

bool TextExtent::all_below(Bytes text) const {
  return Bytes(most) < (is_cut ? text.substr(0, most.size()) : text);
}

bool TextExtent::all_at_most(Bytes text) const {
  return is_cut ? all_below(text) : Bytes(most) <= text;
}

BoundsBuilder::BoundsBuilder(bool as_numbers, const TimeContext *context, bool as_texts) {
  if (as_numbers) empty_.numbers.emplace();
  if (context != nullptr) empty_.times.emplace().context = *context;
  if (as_texts) empty_.texts.emplace();
  bounds_ = empty_;
}

FieldBounds BoundsBuilder::take() { return std::exchange(bounds_, empty_); }

void BoundsBuilder::add_number(Bytes value) {
  thread_local Arena scratch;
  const Number number = column_.parse(value, &scratch);
  if (is_narrow(number)) [[likely]]
    return widen<Number>(number, &*bounds_.numbers, is_less_number);
  if (number == kBadNumber) {
    bounds_.numbers->misfits = true;
  } else if (is_number(number)) {
    bounds_.numbers.reset();
    scratch.clear();
  }
}

void BoundsBuilder::add_time(Bytes value) {
  TimeExtent *times = &*bounds_.times;
  const std::optional<i64> time = read_time(value, times->context, &times->needs);
  if (!time) {
    times->misfits = true;
    return;
  }
  widen<i64>(*time, times, std::less<>());
}

// Texts are compared by their prefixes. Equal prefixes of longer texts do not matter for `least`.
void BoundsBuilder::add_text(Bytes value) {
  TextExtent *texts = &*bounds_.texts;
  const Bytes prefix = value.substr(0, TextExtent::kPrefix);
  const bool is_cut = value.size() > prefix.size();
  if (!texts->any) {
    texts->any = true;
    texts->least = texts->most = prefix;
    texts->is_cut = is_cut;
    return;
  }
  if (prefix < texts->least) texts->least = prefix;
  const int order = prefix.compare(texts->most);
  if (order > 0) {
    texts->most = prefix;
    texts->is_cut = is_cut;
  } else if (order == 0) {
    texts->is_cut |= is_cut;
  }
}

}  // namespace mrc
