// combine: the first of values with counts or ranks, and what is shown of each.
#pragma once

#include "combine/inner/value_stream.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Orders by count, largest first, and equal counts by value, smallest first.
inline bool is_more(const CountedValue &a, const CountedValue &b) {
  return a.count != b.count ? a.count > b.count : is_smaller(a, b);
}

// Keeps the first n values by an order. Takes memory for these only.
class FirstValues {
 public:
  using Before = bool (*)(const CountedValue &, const CountedValue &);

  FirstValues(size_t n, Before before) : n_(n), ordered_{before} {}

  // Offers a value. If it is kept, `show(std::string *out)` appends its text.
  template <typename Show>
  void offer(const CountedValue &value, Show show) {
    if (first_.size() == n_) {
      if (!ordered_.before(value, first_.front().value)) return;
      std::pop_heap(first_.begin(), first_.end(), ordered_);
      first_.pop_back();
    }
    show(&first_.emplace_back(value).shown);
    std::push_heap(first_.begin(), first_.end(), ordered_);
  }
  void offer(const CountedValue &value) {
    offer(value, [](std::string *) {});
  }

  // Calls take(value, shown) in order. REQUIRES: no value is offered afterwards
  template <typename Take>
  void each(Take take) {
    std::sort_heap(first_.begin(), first_.end(), ordered_);
    for (const Kept &kept : first_) take(kept.value, kept.shown);
  }

 private:
  // A value that owns its bytes, so that its stream can move on.
  struct Kept {
    explicit Kept(const CountedValue &from)
        : value(from), text(std::make_unique<std::string>(from.text)) {
      value.text = *text;
      if (!is_number(value.number) || is_narrow(value.number)) return;
      wide = std::make_unique<WideNumber>(wide_number(value.number));
      value.number = as_number(*wide);
    }
    CountedValue value;
    std::unique_ptr<std::string> text;
    std::unique_ptr<WideNumber> wide;
    std::string shown;
  };

  struct KeptBefore {
    Before before;
    bool operator()(const Kept &a, const Kept &b) const { return before(a.value, b.value); }
  };

  size_t n_;
  KeptBefore ordered_;
  std::vector<Kept> first_;  // a heap with the last value on top
};

}  // namespace mrc
