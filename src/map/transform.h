// transform: a chunk becomes text that is written where the chunk is in the input.
#pragma once

#include "input/input.h"
#include "record.h"

#include <string>
#include <vector>

namespace mrc {

// What chunks became, those of one part of one input, in their order.
struct TransformedText {
  std::string text;
  i64 records = 0;  // in the text, or, where no text is wanted, in the answer
  i64 lines = 0;    // in the chunks, if the transformer numbers them

  // Where in the text the number of a line belongs. Nobody knows it yet: `line` is how
  // many lines of these chunks come before it.
  struct Number {
    i64 at, line;
  };
  std::vector<Number> numbers;
  // Where in the text each record ends; only needed if there is a limit on records.
  std::vector<i64> ends;

  void clear() {
    text.clear();
    records = lines = 0;
    numbers.clear();
    ends.clear();
  }
  i64 bytes() const {
    return std::ssize(text) + std::ssize(numbers) * i64{sizeof(Number)} + std::ssize(ends) * 8;
  }
};

// How much is wanted. The first records in the order of the input are taken.
struct TransformTerms {
  bool text = true;         // false: only how many records
  i64 of_each = INT64_MAX;  // records of each input
  i64 of_all = INT64_MAX;   // records altogether

  bool limited() const { return of_each < INT64_MAX || of_all < INT64_MAX; }
  bool operator==(const TransformTerms &) const = default;
};

// Thread safe: one is shared by all workers.
class Transformer {
 public:
  virtual ~Transformer() = default;
  virtual TransformTerms terms() const { return {}; }

  // Appends what the chunk becomes. Chunks of an input come in any order, but those that
  // are appended to one text follow each other.
  virtual void transform(const Chunk &chunk, const Source &source, TransformedText *out) const = 0;

  // Appends what is printed of an input as a whole, when all input has been transformed.
  // Inputs come in their order; `records` are those in the answer.
  virtual void conclude(const Source &, i64 /*records*/, std::string * /*text*/) const {}
};

}  // namespace mrc
