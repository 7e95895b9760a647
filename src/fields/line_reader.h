// Reads records that are lines, whatever is in them, for the fields that a job wants.
#pragma once

#include "base/name_index.h"
#include "base/text.h"
#include "fields/fields.h"
#include "scan/scan.h"
#include "split/line_groups.h"

#include <algorithm>

namespace mrc {

// Iterates over the separators of a chunk. The kernels of scan list a window of them at a time,
// small enough that it is cheap to find again what a full batch leaves unread.
class SeparatorCursor {
 public:
  // The range [from, end) may be over-read by kPadding bytes.
  SeparatorCursor(const char *from, const char *end, Separators separators)
      : scan_(best_separators()), next_(from), end_(end), separators_(separators) {}

  // Returns the next separator; after the last one, returns `end` on each call.
  MRC_INLINE const char *next() {
    if (index_ == bounds_.size && !scan()) [[unlikely]]
      return end_;
    return base_ + bounds_.at[index_++];
  }

 private:
  static constexpr i64 kWindow = 2048;

  static ScanSeparators best_separators() {
    static const ScanSeparators scan = best_scanner().separators;
    return scan;
  }

  // Lists the separators of the next window that has any; returns false if none has.
  __attribute__((noinline)) bool scan() {
    index_ = 0;
    bounds_.size = 0;
    while (bounds_.size == 0 && next_ < end_) {
      base_ = next_;
      ScanCursor cursor{next_, next_ + std::min<i64>(kWindow, end_ - next_)};
      scan_(&cursor, separators_, &bounds_);
      next_ = std::min(cursor.next, end_);
    }
    return bounds_.size > 0;
  }

  ScanSeparators scan_;
  const char *next_;  // beginning of what is not scanned yet
  const char *end_;
  const char *base_ = nullptr;  // beginning of the window
  Separators separators_;
  i64 index_ = 0;
  Bounds bounds_;
};

// One field that a reader finds, once for each record.
struct WantedField {
  i64 field;         // position from 0; -1: by name
  std::string name;  // name of a field without position
  i64 column;        // column of the batch
};

// Returns an error that there is no such field, and which fields there are: `most` numbers, or
// names.
Status unknown_field(const Dialect &dialect, const FieldName &field, i64 most);

// The fields that make_reader() was asked for. Immutable.
class Projection {
 public:
  // `most` is the number of fields that a record may have, -1 if there is no limit.
  static Result<Projection> resolve(const Dialect &dialect, std::span<const FieldName> wanted,
                                    i64 most);

  // Returns each field once: those by position, then those by name.
  const std::vector<WantedField> &fields() const { return fields_; }
  // Returns the number of columns in a batch.
  i64 columns() const { return columns_; }
  // Returns the column of each position up to the last one wanted, -1 for others.
  std::vector<i64> columns_by_position() const;

  // Call begin() before a batch is filled, and finish() after that.
  void begin(RecordBatch *batch) const;
  void finish(RecordBatch *batch) const;

 private:
  struct Copy {
    i64 from;  // -1: the whole records
    i64 to;
  };
  // `known` has the columns of the fields before.
  void add(i64 field, const std::string &name, i64 column, NameIndex *known);

  std::vector<WantedField> fields_;
  std::vector<Copy> copies_;
  i64 columns_ = 0;
};

// Writes the fields of one record to the columns.
struct FieldRow {
  RecordBatch::Column *columns;
  size_t index;

  MRC_INLINE void put(i64 column, Bytes value) const {
    columns[static_cast<size_t>(column)][index] = value;
  }
};

// --record-start: a regular expression tells which lines begin a record.

// Returns groups that begin with a line whose head the expression matches. The error names the
// setting.
Result<LineGroups> groups_started_by(const std::string &regex, char terminator);

// True if the setting is valid for a format, which must not define the ends of its records.
bool may_start_records(const LineFormat &format);

// Returns the lines of a head that begin records, one after another. If the input continues, the
// last line may be incomplete, and is left out unless it is the only one.
std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups);

inline bool is_blank_line(Bytes line) { return line.find_first_not_of(" \t\r") == Bytes::npos; }

// Returns the beginning of the first record from `next` on. An input may begin with a byte order
// mark and, if the dialect says so, with a header or a preamble.
inline const char *skip_preamble(const Chunk &chunk, const char *next, const Dialect &dialect) {
  const i64 at = next - chunk.bytes.data();
  Bytes rest = chunk.bytes.substr(static_cast<size_t>(at));
  if (chunk.offset + at < dialect.preamble) {
    return next + std::min(dialect.preamble - chunk.offset - at, std::ssize(rest));
  }
  if (chunk.offset != 0 || rest.size() != chunk.bytes.size()) return next;
  rest = without_byte_order_mark(rest);
  if (!dialect.header) return rest.data();
  const size_t end = rest.find(dialect.terminator);
  return rest.data() + (end == Bytes::npos ? rest.size() : end + 1);
}

// Appends the record to the batch, or to its bad records if there is a reason.
MRC_INLINE void close_record(RecordBatch *batch, Bytes record, const char *reason) {
  if (reason != nullptr) [[unlikely]]
    return batch->bad.push_back({record, reason});
  batch->records[static_cast<size_t>(batch->size++)] = record;
}
// Bad records count, too, so that they do not pile up.
MRC_INLINE bool is_full(const RecordBatch &batch) {
  return batch.size == batch.capacity || std::ssize(batch.bad) >= batch.capacity;
}

// Takes a record with a Parser, which parses one line:
//   static constexpr bool kKeepsBlankLines   whether a blank line is a record
//   const char *parse(Bytes line, FieldRow row, Arena *arena) const
// parse() puts the fields that the line has (the others are null already). It returns null, or the
// reason why the line is not one of its records.
template <typename Parser>
MRC_INLINE void take_record(Bytes record, const Parser &parser, const Projection &projection,
                            RecordBatch *batch) {
  Bytes content = record;
  if constexpr (!Parser::kKeepsBlankLines) {
    if (is_blank_line(record)) return;
    // Inputs that were joined have byte order marks in the middle.
    content = without_byte_order_mark(content);
  }
  const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
  for (const WantedField &field : projection.fields()) row.put(field.column, Bytes());
  close_record(batch, record, parser.parse(content, row, &batch->unescaped));
}

// Reads records that are lines.
template <typename Parser>
class LineReader : public RecordReader {
 public:
  LineReader(const Dialect &dialect, Projection projection, Parser parser)
      : dialect_(dialect), projection_(std::move(projection)), parser_(std::move(parser)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char t = dialect_.terminator, *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    SeparatorCursor cursor(begin, end, {t, t, t});
    while (begin < end && !is_full(*batch)) {
      const char *at = cursor.next();
      take_record(line_of(begin, at, end, t), parser_, projection_, batch);
      begin = at == end ? end : at + 1;
    }
    *next = begin;
    projection_.finish(batch);
  }

 private:
  Dialect dialect_;
  Projection projection_;
  Parser parser_;
};

}  // namespace mrc
