// Reads a text with a reader and shows what it found.
#pragma once

#include "fields/fields.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {

// What a field that is missing looks like.
inline constexpr const char *kMissing = "(none)";

struct ReadRecords {
  std::vector<std::vector<std::string>> rows;  // of the fields that were wanted
  std::vector<std::string> records;
  std::vector<std::string> bad;  // "reason: record"

  bool operator==(const ReadRecords &) const = default;
};

inline FieldName field(const std::string &text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return {text, number ? std::stoll(text) : -1};
}

inline std::vector<FieldName> fields(const std::vector<std::string> &names) {
  std::vector<FieldName> all;
  for (const std::string &name : names) all.push_back(field(name));
  return all;
}

// Appends a batch, whose columns are as many as the reader's fields.
inline void append_batch(const RecordBatch &batch, ReadRecords *out) {
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    out->records.emplace_back(batch.records[i]);
    std::vector<std::string> &row = out->rows.emplace_back();
    for (const RecordBatch::Column &column : batch.fields) {
      row.push_back(column[i].data() == nullptr ? kMissing : std::string(column[i]));
    }
  }
  for (const BadRecord &bad : batch.bad) {
    out->bad.push_back(std::string(bad.reason) + ": " + std::string(bad.record));
  }
}

// All records of the chunk that begins at `offset`, batch after batch.
inline void read_chunk(const RecordReader &reader, Bytes text, i64 offset, ReadRecords *out) {
  const PaddedText padded(text, '"');
  const Chunk chunk{padded.text(), 0, offset};
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  const auto batch = std::make_unique<RecordBatch>();
  while (next < end) {
    const char *before = next;
    batch->clear();
    reader.read(chunk, &next, batch.get());
    ASSERT_GT(next, before);
    ASSERT_LE(next, end);
    append_batch(*batch, out);
  }
}

inline ReadRecords read_records(const Dialect &dialect, const std::vector<std::string> &wanted,
                                Bytes text) {
  ReadRecords out;
  const auto reader = make_reader(dialect, fields(wanted));
  EXPECT_TRUE(reader.is_ok()) << reader.status().message();
  if (reader.is_ok()) read_chunk(**reader, text, 0, &out);
  return out;
}

// With the dialect that sniff() gives for the spec.
inline ReadRecords read_records(const FormatSpec &spec, const std::vector<std::string> &wanted,
                                Bytes text) {
  const Result<Dialect> dialect = sniff(spec, text, true);
  EXPECT_TRUE(dialect.is_ok()) << dialect.status().message();
  return dialect.is_ok() ? read_records(*dialect, wanted, text) : ReadRecords();
}

// Why there is no reader, or no dialect.
inline std::string why_not(const FormatSpec &spec, const std::vector<std::string> &wanted,
                           Bytes text = "") {
  const Result<Dialect> dialect = sniff(spec, text, true);
  if (!dialect.is_ok()) return dialect.status().message();
  const auto reader = make_reader(*dialect, fields(wanted));
  return reader.is_ok() ? "" : reader.status().message();
}

}  // namespace mrc
