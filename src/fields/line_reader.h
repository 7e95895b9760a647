// Reads records that are lines, whatever is in them.
#pragma once

#include "base/text.h"
#include "fields/inner/projection.h"
#include "fields/inner/separator_cursor.h"

namespace mrc {

inline bool is_blank_line(Bytes line) { return line.find_first_not_of(" \t\r") == Bytes::npos; }

// Returns the beginning of the first record from `next` on. An input may begin with a byte order
// mark and, if the dialect says so, with a header.
inline const char *skip_preamble(const Chunk &chunk, const char *next, const Dialect &dialect) {
  Bytes rest = chunk.bytes.substr(static_cast<size_t>(next - chunk.bytes.data()));
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
