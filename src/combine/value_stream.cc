#include "combine/inner/value_stream.h"

#include <algorithm>

namespace mrc {

bool is_smaller(const CountedValue &a, const CountedValue &b) {
  if (is_number(a.number) != is_number(b.number)) return is_number(a.number);
  if (is_number(a.number)) {
    const int order = compare_numbers(a.number, b.number);
    if (order != 0) return order < 0;
  }
  return a.text < b.text;
}

SortedValueStream::SortedValueStream(std::vector<CountedValue> values)
    : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end(), is_smaller);
}

bool SortedValueStream::next(CountedValue *value) {
  if (next_ == values_.size()) return false;
  *value = values_[next_++];
  for (; next_ < values_.size() && !is_smaller(*value, values_[next_]); ++next_) {
    value->count += values_[next_].count;
  }
  return true;
}

MergedValueStream::MergedValueStream(std::vector<std::unique_ptr<ValueStream>> inputs) {
  for (auto &input : inputs) push(std::move(input));
}

// A borrowed value is valid until its stream advances. Therefore the streams that gave the last
// returned value advance only at the next call.
bool MergedValueStream::next(CountedValue *value) {
  for (auto &stream : taken_) push(std::move(stream));
  taken_.clear();
  if (heap_.empty()) return false;
  *value = heap_.front().value;
  value->count = 0;
  while (!heap_.empty() && !is_smaller(*value, heap_.front().value)) {
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    value->count += heap_.back().value.count;
    taken_.push_back(std::move(heap_.back().stream));
    heap_.pop_back();
  }
  return true;
}

void MergedValueStream::push(std::unique_ptr<ValueStream> stream) {
  Input input{std::move(stream), {}};
  if (!input.stream->next(&input.value)) return;
  heap_.push_back(std::move(input));
  std::push_heap(heap_.begin(), heap_.end(), Later());
}

}  // namespace mrc
