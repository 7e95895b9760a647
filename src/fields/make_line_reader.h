// How formats make their readers, if a Parser says what is in one record (line_reader.h).
#pragma once

#include "fields/line_reader.h"
#include "fields/record_start.h"
#include "fields/started_reader.h"

namespace mrc {

// make_reader() for records of at most so many fields; -1: any number. `make_parser` takes the
// fields that are wanted. If the dialect says where records start, that decides, and not `Reader`.
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
