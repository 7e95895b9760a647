#include "expr/inner/running_values.h"

#include "base/arithmetic.h"

namespace mrc {
namespace {

bool is_decimal(Number number) { return is_narrow(number) || wide_number(number).is_decimal; }

}  // namespace

void Frame::add(Number number, Number time, Arena *arena) {
  Record &record = records_.emplace_back();
  record.number.set(number);
  record.time.set(time);
  if (!is_number(number)) return;
  ++count_;
  sum_.set(count_ == 1 ? number : mrc::add(sum_.get(), number, arena));
  is_exact_ = is_exact_ && is_decimal(sum_.get());
}

void Frame::drop_first(Arena *arena) {
  const Number number = records_[first_].number.get();
  if (is_number(number)) {
    --count_;
    if (is_exact_) sum_.set(subtract(sum_.get(), number, arena));
  }
  ++first_;
  if (first_ * 2 < records_.size() + 1) return;
  records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void Frame::keep_last(i64 records, Arena *arena) {
  while (std::ssize(records_) - static_cast<i64>(first_) > records) drop_first(arena);
}

void Frame::drop_until(Number time, Arena *arena) {
  while (!is_empty() && order_of_numbers(records_[first_].time.get(), time) <= 0) {
    drop_first(arena);
  }
}

// A sum of doubles is added up again, since what is taken off it would leave an error.
Number Frame::sum(Arena *arena) {
  if (is_exact_) return sum_.get();
  is_exact_ = true;
  Number sum = make_number(0, 0);
  for (size_t i = first_; i < records_.size(); ++i) {
    const Number number = records_[i].number.get();
    if (is_number(number)) sum = mrc::add(sum, number, arena);
    is_exact_ = is_exact_ && is_decimal(sum);
  }
  sum_.set(sum);
  return sum_.get();
}

i64 Frame::grown_bytes() {
  const i64 bytes = static_cast<i64>(records_.capacity() * sizeof(Record));
  return bytes - std::exchange(told_, bytes);
}

}  // namespace mrc
