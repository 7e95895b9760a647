// Reads a text as a user would have it read.
#pragma once

#include "fields/inspect.h"
#include "support/read_batches.h"

#include <gtest/gtest.h>

namespace mrc {

inline FieldName field(const std::string &text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return {text, number ? std::stoll(text) : -1};
}

inline std::vector<FieldName> fields(const std::vector<std::string> &names) {
  std::vector<FieldName> all;
  for (const std::string &name : names) all.push_back(field(name));
  return all;
}

inline ReadRecords read_records(const Dialect &dialect, const std::vector<std::string> &wanted,
                                Bytes text) {
  const auto reader = make_reader(dialect, fields(wanted));
  EXPECT_TRUE(reader.is_ok()) << reader.status().message();
  return reader.is_ok() ? read_chunk(**reader, text, 0) : ReadRecords();
}

// With the dialect that sniff() gives for the spec.
inline ReadRecords read_records(const FormatSpec &spec, const std::vector<std::string> &wanted,
                                Bytes text) {
  const Result<Dialect> dialect = sniff(spec, text, true);
  EXPECT_TRUE(dialect.is_ok()) << dialect.status().message();
  return dialect.is_ok() ? read_records(*dialect, wanted, text) : ReadRecords();
}

// Expects that the pattern of a dialect reads the same records with the same values.
inline void expect_same_by_pattern(const Dialect &dialect, Bytes text) {
  const FormatSpec spec{.pattern = pattern_text(dialect)};
  if (spec.pattern.empty()) return;
  const ReadRecords records = read_records(dialect, dialect.names, text);
  const ReadRecords again = read_records(spec, dialect.names, text);
  EXPECT_EQ(again.records, records.records) << spec.pattern;
  EXPECT_EQ(again.rows, records.rows) << spec.pattern;
  EXPECT_EQ(again.bad, records.bad) << spec.pattern;
}

// Why there is no reader, or no dialect.
inline std::string why_not(const FormatSpec &spec, const std::vector<std::string> &wanted,
                           Bytes text = "") {
  // (An input that is empty and ends there has all fields.)
  const Result<Dialect> dialect = sniff(spec, text, !text.empty());
  if (!dialect.is_ok()) return dialect.status().message();
  const auto reader = make_reader(*dialect, fields(wanted));
  return reader.is_ok() ? "" : reader.status().message();
}

}  // namespace mrc
