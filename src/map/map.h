// map: a chunk of records becomes batches of keys, by their hashes.
#pragma once

#include "base/hash.h"
#include "expr/record_scan.h"
#include "expr/values.h"
#include "map/key_parts.h"
#include "record.h"
#include "scan/scan.h"
#include "split/line_groups.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

// Takes batches, one call for up to 1,024 keys. Implemented by engine.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual void take(const Batch<Key16> &batch) = 0;
  virtual void take(const Batch<Key32> &batch) = 0;
  virtual void take(const Batch<KeyRef> &batch) = 0;
};

// How ASCII letters of keys are folded to lower case. letters: all bytes of all
// keys are known to be ASCII letters, which is cheaper.
enum class Fold { none, ascii, letters };

// What of records with fields is key and value.
struct FieldsSpec {
  FormatSpec format;
  std::vector<FieldExpr> keys;  // none: all records have the empty key
  std::vector<ValueColumn> values;
  std::shared_ptr<const Filter> filter;  // null: all records are wanted

  std::vector<FieldExpr> others;  // that are looked at, for sort keys

  // All that keys, values and the filter look at.
  WantedFields wanted() const;
  // The format, with the names among these fields: what is sniffed depends on them.
  FormatSpec sniffed_format() const { return format_for(format, wanted().names()); }
  KeyShape key_shape() const;
};

// Which words of values may point into the chunk: none, those of numbers that are too long for a
// word, or any.
enum class Borrowing { none, wide_numbers, any };

// What to map: the record shape and what of it is the key.
struct MapSpec {
  enum class Records { words, lines, fields } records = Records::words;
  Words words = Words::word;
  char terminator = '\n';  // of lines; CR LF counts as LF
  i64 record_bytes = 0;    // records have this size, for mappers of others; 0: they have not
  bool ignore_case = false;
  bool takes_binary = false;  // input may be no text

  // What the values are: nothing, or where the record is, as a position (record.h) of
  // its first byte, of its line in its chunk, or of its input.
  enum class Values { none, byte, line, input } values = Values::none;
  std::string only = {};   // words other than this one are left out, unless it is empty
  FieldsSpec fields = {};  // of Records::fields
  LineGroups groups = {};  // of Records::lines that stay together; empty: each is alone

  // Words of values for each record, and which of them may point into the chunk.
  i64 value_width() const;
  Borrowing borrowing() const;

  // Bytes after which input may be cut without cutting a record.
  std::string_view cut_bytes() const;
};

class Emitter;

// One for each worker.
class Mapper {
 public:
  virtual ~Mapper() = default;
  // Emits every key of the chunk and flushes. Returns the number of records.
  virtual i64 map(const Chunk &chunk, Emitter *out) = 0;
  // When there are no more chunks: emits what is left to say, and flushes.
  virtual void finish(Emitter *) {}
};

// `readers` and `bad` are for Records::fields, and must outlive the mapper.
std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner,
                                    const InputReaders *readers = nullptr,
                                    BadRecordSink *bad = nullptr);

}  // namespace mrc
