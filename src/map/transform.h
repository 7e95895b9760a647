// transform: turns a chunk into text that is written in the chunk's place in the input.
#pragma once

#include "input/input.h"
#include "map/map.h"
#include "portion.h"
#include "record.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The text of successive chunks of one input.
struct TransformedText {
  // Header of the input, if it has one and this is its first text. Only the first header of all
  // inputs is written.
  std::string header;
  std::string text;
  i64 records = 0;  // in the text; without text, the number of records found
  i64 lines = 0;    // in the chunks, if the transformer numbers lines

  // A line number, or the name of the input, to insert at `at` in the text. The number is not known
  // yet: `line` counts the lines of these chunks before it. The name may change until then.
  struct Insert {
    static constexpr i64 kName = INT64_MIN;
    i64 at, line;
  };
  std::vector<Insert> inserts;
  // End of each record in the text. Only needed if records are limited, or if text is late.
  std::vector<i64> ends;
  // Input position of each record. Only needed if bad records after the last one are not to be
  // reported.
  std::vector<u64> positions;

  // If lines around the records are written, too: all lines of the text, in order. A line that is
  // not a record is written only if a record is near, perhaps in the chunks before or after these.
  // If records are limited, each of them follows once more, as a line that is not: those beyond the
  // limit are such lines.
  struct Line {
    i64 end;     // in the text
    i64 number;  // of lines of these chunks before it
    bool is_record;
    bool operator==(const Line &) const = default;
  };
  std::vector<Line> around;

  // The input of the chunks, for jobs that can continue after it.
  Portion of = {};
  i64 used = 0;  // records of it whose values were looked at

  void clear() {
    header.clear();
    text.clear();
    records = lines = used = 0;
    inserts.clear();
    ends.clear();
    positions.clear();
    around.clear();
    of = {};
  }
  i64 bytes() const {
    return std::ssize(text) + std::ssize(inserts) * i64{sizeof(Insert)} +
           std::ssize(around) * i64{sizeof(Line)} + (std::ssize(ends) + std::ssize(positions)) * 8;
  }
};

// Limits on the answer. The first records in input order are taken.
struct TransformTerms {
  bool text = true;         // false: only the number of records
  i64 of_each = INT64_MAX;  // records per input
  i64 of_all = INT64_MAX;   // records of all inputs

  bool asks_whether = false;  // finding no record is a negative answer

  // Writes only the last records within these limits; if `reversed`, the last one comes first.
  i64 last = INT64_MAX;
  bool reversed = false;
  // The first records of all inputs are not written, although the limits count them.
  i64 skipped = 0;
  // Unless negative: also writes so many lines before and after each record, and `separator`
  // between lines that are not adjacent.
  i64 before = -1, after = -1;
  std::string separator = {};
  bool has_around() const { return before >= 0; }
  // Writes only so many records, drawn at random (draw.h). Their text has positions. `random`: the
  // transformer itself may leave out records, too.
  i64 drawn = INT64_MAX;
  bool random = false;
  u64 seed = 0;
  bool draws() const { return drawn < INT64_MAX; }
  // True if text can be written only when all of it is known.
  bool is_late() const { return last < INT64_MAX || reversed || draws(); }

  bool limited() const { return of_each < INT64_MAX || of_all < INT64_MAX; }
  // True if it matters where the text of each record ends.
  bool counts_records() const { return limited() || is_late() || skipped > 0; }
  bool operator==(const TransformTerms &) const = default;
};

// Transforms chunks. Each worker has its own.
class ChunkTransformer {
 public:
  virtual ~ChunkTransformer() = default;
  // Appends the text of a chunk. Chunks of an input may come in any order, but those appended to
  // one text are successive. Returns the number of records in the chunk if they have fields, else
  // 0.
  virtual i64 transform(const Chunk &chunk, const Source &source, TransformedText *out) = 0;

  // For transformers that make more text from a chunk than memory may hold: the drain takes and
  // clears the text made so far, and returns false if no more is wanted. Called once, before the
  // first chunk.
  using Drain = std::function<bool(TransformedText *text)>;
  virtual void drain_to(Drain) {}
};

// Thread safe: all workers share one.
class Transformer {
 public:
  virtual ~Transformer() = default;
  virtual TransformTerms terms() const { return {}; }

  // `readers` and `bad` are for records with fields. They and the transformer must outlive the
  // result.
  virtual std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *readers,
                                                        BadRecordSink *bad) const = 0;

  // Appends the name of an input that is inserted into its text.
  virtual void append_name(const Source &, std::string * /*text*/) const {}
  // Appends the text before all input.
  virtual void begin(std::string * /*text*/) const {}
  // Appends the text that concludes an input, called in the order of inputs after all of them have
  // been transformed. `records` counts the input's records in the answer.
  virtual void conclude(const Source &, i64 /*records*/, std::string * /*text*/) const {}
};

}  // namespace mrc
