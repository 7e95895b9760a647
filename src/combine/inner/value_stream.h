// combine: values and how often they occur, in order.
#pragma once

#include "base/number.h"
#include "combine/combine.h"

#include <memory>
#include <vector>

namespace mrc {

// A value of a key. It borrows the memory that it points to.
struct CountedValue {
  Bytes text = {};             // null if the value is just a number
  Number number = kBadNumber;  // the value as a number, if it is one
  u64 count = 0;
};

// Numbers come first, by their values; other texts follow, by their bytes: 9, 10, "a".
bool is_smaller(const CountedValue &a, const CountedValue &b);

// Values in ascending order, each once.
class ValueStream {
 public:
  virtual ~ValueStream() = default;
  // Gives the next value, which is borrowed until the next call; false after the last one.
  virtual bool next(CountedValue *value) = 0;
};

// Streams the values of an array, which may repeat.
class SortedValueStream : public ValueStream {
 public:
  explicit SortedValueStream(std::vector<CountedValue> values);
  bool next(CountedValue *value) override;

 private:
  std::vector<CountedValue> values_;
  size_t next_ = 0;
};

// Merges the values of several streams.
class MergedValueStream : public ValueStream {
 public:
  explicit MergedValueStream(std::vector<std::unique_ptr<ValueStream>> inputs);
  bool next(CountedValue *value) override;

 private:
  struct Input {
    std::unique_ptr<ValueStream> stream;
    CountedValue value;
  };
  struct Later {  // puts the smallest on top of a heap
    bool operator()(const Input &a, const Input &b) const { return is_smaller(b.value, a.value); }
  };
  void push(std::unique_ptr<ValueStream> stream);

  std::vector<Input> heap_;
  std::vector<std::unique_ptr<ValueStream>> taken_;  // streams of the last returned value
};

}  // namespace mrc
