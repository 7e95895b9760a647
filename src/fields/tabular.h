// Where the readers of csv, tsv and json are joined to the others. REMOVE when csv.h and
// json.h are there: fields.cc and sniff.cc include those instead.
#pragma once

#if __has_include("fields/csv.h")
#include "fields/csv.h"
#else
#include "fields/fields.h"

namespace mrc {
inline Result<std::unique_ptr<RecordReader> > make_csv_reader(const Dialect &,
                                                              std::span<const FieldName>) {
  return Status::error("csv and tsv are not in this build");
}
inline std::optional<Dialect> sniff_csv(const FormatSpec &, Bytes, bool) { return std::nullopt; }
}  // namespace mrc
#endif

#if __has_include("fields/json.h")
#include "fields/json.h"
#else
#include "fields/fields.h"

namespace mrc {
inline Result<std::unique_ptr<RecordReader> > make_json_reader(const Dialect &,
                                                               std::span<const FieldName>) {
  return Status::error("json is not in this build");
}
inline std::optional<Dialect> sniff_json(const FormatSpec &, Bytes, bool) { return std::nullopt; }
}  // namespace mrc
#endif
