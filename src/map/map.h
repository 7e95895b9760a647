// map: turns a chunk of records into batches of keys with their hashes and values.
#pragma once

#include "base/hash.h"
#include "expr/expr.h"
#include "expr/record_scan.h"
#include "expr/running.h"
#include "map/key_parts.h"
#include "record.h"
#include "scan/scan.h"
#include "split/line_groups.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

// Takes batches of up to 1,024 keys. Implemented by engine.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual void take(const Batch<Key16> &batch) = 0;
  virtual void take(const Batch<Key32> &batch) = 0;
  virtual void take(const Batch<KeyRef> &batch) = 0;
};

// How the case of keys is folded (base/case_fold.h). Fold::letters is cheaper, but needs keys that
// consist of ASCII letters only.
enum class Fold { none, all, letters };

// The keys and values of records with fields.
struct FieldsSpec {
  FormatSpec format;
  std::vector<FieldExpr> keys;  // empty: all records have the empty key
  std::vector<ValueColumn> values;
  std::shared_ptr<const Filter> filter;  // null: selects all records

  std::vector<FieldExpr> others;  // further fields to decode, for sort keys
  // Null: no field depends on earlier records.
  std::shared_ptr<const RunningFields> running = {};

  // Returns all fields that keys, values, the filter and `others` use.
  WantedFields wanted() const;
  // Returns the fields of the input that these need, of which running fields may need several.
  std::vector<FieldName> names() const;
  // Returns the format with the names of the needed fields, because detection depends on them.
  FormatSpec sniffed_format() const { return format_for(format, names()); }
  KeyShape key_shape() const;
};

// The values that may point into the chunk: none, numbers too long for a word, or any.
enum class Borrowing { none, wide_numbers, any };

// The shape of records, and which parts of them are keys and values.
struct MapSpec {
  enum class Records { words, lines, fields } records = Records::words;
  Words words = Words::word;
  char terminator = '\n';  // line terminator; CR LF counts as LF
  i64 record_bytes = 0;    // size of records without terminators; 0: records have terminators
  bool ignore_case = false;
  bool takes_binary = false;  // input may be binary
  // For Records::fields: records are also in groups without the last key, without the last two, ...
  bool rolls_up = false;

  // The values: none, or the position (record.h) of the record's first byte, of its line in its
  // chunk, or of its input.
  enum class Values { none, byte, line, input } values = Values::none;
  std::string only = {};   // if not empty, all other words are skipped
  FieldsSpec fields = {};  // for Records::fields
  LineGroups groups = {};  // lines that stay together; empty: each line is alone

  RecordEnd record_end() const { return {terminator, record_bytes}; }

  // Number of value words per record, and which of them may point into the chunk.
  i64 value_width() const;
  Borrowing borrowing() const;

  // Bytes after which input may be cut without cutting a record.
  std::string_view cut_bytes() const;
};

class Emitter;

// Maps chunks to keys and values. Each worker has its own.
class Mapper {
 public:
  virtual ~Mapper() = default;
  // Emits every key of the chunk and flushes. Returns the number of records.
  virtual i64 map(const Chunk &chunk, Emitter *out) = 0;
  // Called after the last chunk: emits pending records and flushes.
  virtual void finish(Emitter *) {}
};

// `readers` and `bad` are for Records::fields only, and must outlive the mapper.
std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner,
                                    const InputReaders *readers = nullptr,
                                    BadRecordSink *bad = nullptr);

}  // namespace mrc
