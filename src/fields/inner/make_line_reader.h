// Makes the reader of a format from a Parser for one record (line_reader.h).
#pragma once

#include "fields/inner/started_reader.h"
#include "fields/line_reader.h"
#include "fields/record_start.h"

namespace mrc {

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
