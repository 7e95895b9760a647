// Records that begin at each line that a regular expression matches. A record may have several
// lines, and is parsed as if it were one.
#pragma once

#include "fields/line_reader.h"
#include "split/line_groups.h"

namespace mrc {

// Reads records with a Parser as that of take_record(); the text that it parses may contain line
// ends. Text before the first match in an input is a record, too. Blank lines at the end of a
// record are not part of it.
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

// Makes the reader of a format from a Parser for one record (line_reader.h).

// Makes a reader for records of at most `most` fields; -1: any number. `make_parser` gets the
// wanted fields. If the dialect says where records start, a StartedReader replaces `Reader`.
template <template <typename Parser> class Reader = LineReader, typename MakeParser>
Result<std::unique_ptr<RecordReader>> make_line_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted, i64 most,
                                                       MakeParser make_parser) {
  Result<Projection> projection = Projection::resolve(dialect, wanted, most);
  if (!projection.is_ok()) return projection.status();
  auto parser = make_parser(projection->fields());
  using Parser = decltype(parser);
  if (dialect.record_start.empty()) {
    return std::make_unique<Reader<Parser>>(dialect, std::move(*projection), std::move(parser));
  }
  Result<LineGroups> groups = groups_started_by(dialect.record_start, dialect.terminator);
  if (!groups.is_ok()) return groups.status();
  return std::make_unique<StartedReader<Parser>>(dialect, std::move(*projection), std::move(parser),
                                                 std::move(*groups));
}

}  // namespace mrc
