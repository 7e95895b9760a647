// Makes the readers of formats whose records are lines, or several lines.
#pragma once

#include "fields/line_reader.h"
#include "split/line_groups.h"

namespace mrc {

// Reads records that begin at each line that a regular expression matches, with a Parser as that of
// take_record(). A record of several lines is parsed as if it were one, with its line ends. Text
// before the first match in an input is a record, too. Blank lines at the end of a record are not
// part of it.
template <typename Parser>
class StartedReader : public RecordReader {
 public:
  StartedReader(const Dialect &dialect, Projection projection, Parser parser, LineGroups groups)
      : dialect_(dialect),
        projection_(std::move(projection)),
        parser_(std::move(parser)),
        groups_(std::move(groups)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    while (begin < end && !is_full(*batch)) {
      const char *cut = groups_.first(begin, end, end, true).cut;
      const char *stop = cut == nullptr ? end : cut + 1;
      take_record(without_blank_end(begin, stop), parser_, projection_, batch);
      begin = stop;
    }
    *next = begin;
    projection_.finish(batch);
  }

  bool joins_lines() const override { return true; }
  bool begins(Bytes head) const override { return groups_.begins(head); }

 private:
  Bytes without_blank_end(const char *begin, const char *stop) const {
    const char t = dialect_.terminator;
    Bytes record = line_of(begin, stop[-1] == t ? stop - 1 : stop, stop, t);
    while (!record.empty() && (record.back() == t || is_blank(record.back()))) {
      const size_t last = record.rfind(t);
      if (last == Bytes::npos || !is_blank_line(record.substr(last + 1))) break;
      record = ended_line(begin, begin + last, t);
    }
    return record;
  }

  Dialect dialect_;
  Projection projection_;
  Parser parser_;
  LineGroups groups_;
};

// Makes a reader for records of at most `most` fields that begin where groups do; -1: any number.
// `make_parser` gets the wanted fields.
template <typename MakeParser>
Result<std::unique_ptr<RecordReader>> make_started_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted,
                                                          i64 most, MakeParser make_parser,
                                                          LineGroups groups) {
  Result<Projection> projection = Projection::resolve(dialect, wanted, most);
  if (!projection.is_ok()) return projection.status();
  auto parser = make_parser(projection->fields());
  return std::make_unique<StartedReader<decltype(parser)>>(dialect, std::move(*projection),
                                                           std::move(parser), std::move(groups));
}

// Makes a reader for records that are lines. If the dialect says where records start, a
// StartedReader replaces `Reader`.
template <template <typename Parser> class Reader = LineReader, typename MakeParser>
Result<std::unique_ptr<RecordReader>> make_line_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted, i64 most,
                                                       MakeParser make_parser) {
  if (!dialect.record_start.empty()) {
    Result<LineGroups> groups = groups_started_by(dialect.record_start, dialect.terminator);
    if (!groups.is_ok()) return groups.status();
    return make_started_reader(dialect, wanted, most, make_parser, std::move(*groups));
  }
  Result<Projection> projection = Projection::resolve(dialect, wanted, most);
  if (!projection.is_ok()) return projection.status();
  auto parser = make_parser(projection->fields());
  using Parser = decltype(parser);
  return std::make_unique<Reader<Parser>>(dialect, std::move(*projection), std::move(parser));
}

// Records of several lines: a line that does not match the format continues the record before it.

// True if a line looks like a continuation of the record before it, as lines of stack traces do.
inline bool goes_on(Bytes line) {
  if (line.empty() || is_blank(line[0])) return true;
  for (Bytes front : {"at ", "Caused by", "Traceback", "...", "java.", "org.", "com.", "Exception",
                      "}", ")", "]"}) {
    if (line.starts_with(front)) return true;
  }
  return false;
}

// True if a line has a time and a date of its own at its front, as a line of syslog or of an access
// log does. Such a line continues no record.
bool has_own_time(Bytes line);
// True for seconds since 1970 at the front, after which a word ends. In a log whose records begin
// like this, such a line continues no record.
bool begins_with_epoch(Bytes line);

// Reads records with a Parser, which parses the line that begins a record:
//   bool begins(Bytes head) const            whether it does, as its first bytes tell
//   const char *parse(Bytes line, FieldRow row, Arena *arena) const      as for take_record()
//   bool is_foreign(Bytes line) const        whether a line that begins no record does not continue
//                                            one either
//   bool is_rest(const WantedField &) const  whether the field may extend to the end of the
//                                            record, which it does if it ends with the line
//   Bytes extended(Bytes value, Bytes text, Arena *arena) const
//                                            only if values are no parts of the record: the value
//                                            of such a field, with the text after it
// Blank lines at the end of a record are not part of it. Lines before the first record are bad, and
// so are foreign lines, and those after one up to the next record.
template <typename Parser>
class JoinedLineReader : public RecordReader {
 public:
  JoinedLineReader(const Dialect &dialect, Projection projection, Parser parser)
      : dialect_(dialect), projection_(std::move(projection)), parser_(std::move(parser)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char t = dialect_.terminator, *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    SeparatorCursor cursor(begin, end, {t, t, t});
    Last last = Last::none;
    while (begin < end) {
      const char *at = cursor.next();
      const Bytes line = line_of(begin, at, end, t);
      if (!is_full(*batch)) {
        take(line, &last, batch);
      } else if (last == Last::none || begins(head_of(line)) || is_foreign(last, line, *batch)) {
        break;
      } else {
        extend(last, line, batch);
      }
      begin = at == end ? end : at + 1;
    }
    *next = begin;
    projection_.finish(batch);
  }

  bool joins_lines() const override { return true; }
  bool begins(Bytes head) const override { return parser_.begins(without_byte_order_mark(head)); }

 private:
  // Kind of the record that the last line belongs to.
  enum class Last { none, record, bad };

  static Bytes head_of(Bytes line) { return line.substr(0, kHeadOfRecord); }

  // Nearly all lines begin a record, and parse() also finds out if they do.
  MRC_INLINE void take(Bytes line, Last *last, RecordBatch *batch) const {
    if (is_blank_line(line)) return;
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    for (const WantedField &field : projection_.fields()) row.put(field.column, Bytes());
    const char *reason = parser_.parse(without_byte_order_mark(line), row, &batch->unescaped);
    const bool is_short = std::ssize(line) <= kHeadOfRecord;
    const bool starts = is_short ? reason == nullptr : begins(head_of(line));
    if (!starts && *last != Last::none && !is_foreign(*last, line, *batch)) {
      return extend(*last, line, batch);
    }
    close_record(batch, line, reason);
    *last = reason == nullptr ? Last::record : starts ? Last::bad : Last::none;
  }
  // True if the line continues no record.
  bool is_foreign(Last last, Bytes line, const RecordBatch &batch) const {
    if (parser_.is_foreign(line)) return true;
    if (!begins_with_epoch(line)) return false;
    return begins_with_epoch(last == Last::bad
                                 ? batch.bad.back().record
                                 : batch.records[static_cast<size_t>(batch.size - 1)]);
  }
  // True if only blanks follow the value in the record.
  static bool ends_with(Bytes record, Bytes value) {
    if (value.data() == nullptr) return false;
    const auto end = static_cast<size_t>(value.data() + value.size() - record.data());
    return end <= record.size() && is_blank_line(record.substr(end));
  }
  static void extend_to(Bytes line, Bytes *text) {
    const char *stop = line.data() + line.size();
    *text = Bytes(text->data(), static_cast<size_t>(stop - text->data()));
  }
  void extend(Last last, Bytes line, RecordBatch *batch) const {
    if (is_blank_line(line)) return;
    if (last == Last::bad) return extend_to(line, &batch->bad.back().record);
    const auto i = static_cast<size_t>(batch->size - 1);
    const Bytes before = batch->records[i];
    extend_to(line, &batch->records[i]);
    if constexpr (requires { parser_.extended(line, line, &batch->unescaped); }) {
      return extend_copies(batch->records[i].substr(before.size()), batch);
    }
    for (const WantedField &field : projection_.fields()) {
      Bytes &value = batch->fields[static_cast<size_t>(field.column)][i];
      if (!parser_.is_rest(field) || !ends_with(before, value)) continue;
      if (value.empty()) value = line.substr(line.find_first_not_of(" \t"), 0);
      extend_to(line, &value);
    }
  }

  void extend_copies(Bytes text, RecordBatch *batch) const {
    for (const WantedField &field : projection_.fields()) {
      Bytes &value =
          batch->fields[static_cast<size_t>(field.column)][static_cast<size_t>(batch->size - 1)];
      const bool grows = parser_.is_rest(field) && value.data() != nullptr;
      if (grows) value = parser_.extended(value, text, &batch->unescaped);
    }
  }

  Dialect dialect_;
  Projection projection_;
  Parser parser_;
};

}  // namespace mrc
