// transform: a chunk becomes text that is written where the chunk is in the input.
#pragma once

#include "input/input.h"
#include "map/map.h"
#include "record.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// What chunks became, those of one part of one input, in their order.
struct TransformedText {
  // Of the input, if the chunks are its first ones and it has one: only the first of all inputs
  // is written.
  std::string header;
  std::string text;
  i64 records = 0;  // in the text, or, where no text is wanted, in the answer
  i64 lines = 0;    // in the chunks, if the transformer numbers them

  // Where in the text the number of a line belongs. It is not known yet: `line` is how
  // many lines of these chunks come before it.
  struct Number {
    i64 at, line;
  };
  std::vector<Number> numbers;
  // Where in the text each record ends; only needed if there is a limit on records, or if text
  // is late.
  std::vector<i64> ends;
  // ... and where in the input it is, if the bad ones before the last are to be told.
  std::vector<u64> positions;

  // What of the input the chunks were, for jobs that can go on after them.
  struct Part {
    i64 end = 0;  // of the last chunk
    i64 bytes = 0, records = 0, bad_records = 0, bad_values = 0;
    i64 used = 0;  // records whose values were looked at
  } part = {};

  void clear() {
    header.clear();
    text.clear();
    records = lines = 0;
    numbers.clear();
    ends.clear();
    positions.clear();
    part = {};
  }
  i64 bytes() const {
    return std::ssize(text) + std::ssize(numbers) * i64{sizeof(Number)} +
           (std::ssize(ends) + std::ssize(positions)) * 8;
  }
};

// How much is wanted. The first records in the order of the input are taken.
struct TransformTerms {
  bool text = true;         // false: only how many records
  i64 of_each = INT64_MAX;  // records of each input
  i64 of_all = INT64_MAX;   // records altogether

  bool asks_whether = false;  // without a record the answer is a negative one

  // Of these, only the last ones are written, the last of them first if so wanted.
  i64 last = INT64_MAX;
  bool reversed = false;
  // Whether text is written when all of it is known.
  bool is_late() const { return last < INT64_MAX || reversed; }

  bool limited() const { return of_each < INT64_MAX || of_all < INT64_MAX; }
  bool operator==(const TransformTerms &) const = default;
};

// One for each worker.
class ChunkTransformer {
 public:
  virtual ~ChunkTransformer() = default;
  // Appends what the chunk becomes. Chunks of an input come in any order, but those that
  // are appended to one text follow each other. Returns how many records there are in the
  // chunk, if they have fields, and otherwise 0.
  virtual i64 transform(const Chunk &chunk, const Source &source, TransformedText *out) = 0;

  // For what makes more text of a chunk than memory may hold: drain(out) takes and clears what
  // there is so far. False: no more is wanted. Called once, before the first chunk.
  using Drain = std::function<bool(TransformedText *text)>;
  virtual void drain_to(Drain) {}
};

// Thread safe: one is shared by all workers.
class Transformer {
 public:
  virtual ~Transformer() = default;
  virtual TransformTerms terms() const { return {}; }

  // `readers` and `bad` are for records with fields, and must outlive what is made, as must
  // the transformer.
  virtual std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *readers,
                                                        BadRecordSink *bad) const = 0;

  // Appends what precedes all input.
  virtual void begin(std::string * /*text*/) const {}
  // Appends what is printed of an input as a whole, when all input has been transformed.
  // Inputs come in their order; `records` are those in the answer.
  virtual void conclude(const Source &, i64 /*records*/, std::string * /*text*/) const {}
};

}  // namespace mrc
