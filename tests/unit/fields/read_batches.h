// All that a reader makes of a text, batch by batch.
#pragma once

#include "fields/fields.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

using MaybeText = std::optional<std::string>;

struct ReadRow {
  std::string record;
  std::vector<MaybeText> fields;
  bool operator==(const ReadRow &) const = default;
};

struct ReadBatches {
  std::vector<ReadRow> rows;
  std::vector<std::pair<std::string, std::string>> bad;  // record and reason
};

// The promise of kPadding, for a sanitizer to check.
inline void touch_padding(Bytes bytes) {
  volatile u8 sum = 0;
  for (i64 i = 0; i < kPadding; ++i) {
    sum = sum ^ static_cast<u8>(bytes.data()[std::ssize(bytes) + i]);
  }
}

inline MaybeText text_of(Bytes field) {
  if (field.data() == nullptr) return std::nullopt;
  touch_padding(field);
  return std::string(field);
}

inline ReadBatches read_chunk(const RecordReader &reader, const Chunk &chunk) {
  ReadBatches all;
  RecordBatch batch;
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  while (next < end) {
    const char *before = next;
    batch.clear();
    reader.read(chunk, &next, &batch);
    if (next <= before || next > end) {
      ADD_FAILURE() << "the reader went from " << before - end << " to " << next - end;
      break;
    }
    for (size_t row = 0; row < static_cast<size_t>(batch.size); ++row) {
      ReadRow *read = &all.rows.emplace_back(ReadRow{std::string(batch.records[row]), {}});
      for (const RecordBatch::Column &column : batch.fields) {
        read->fields.push_back(text_of(column[row]));
      }
    }
    for (const BadRecord &bad : batch.bad) {
      all.bad.emplace_back(std::string(bad.record), bad.reason);
    }
  }
  return all;
}

inline ReadBatches read_text(const RecordReader &reader, Bytes text, i64 offset = 0) {
  const PaddedText padded(text, '"');
  return read_chunk(reader, {padded.text(), 0, offset});
}

// Fields as users type them, numbers by their digits.
inline std::vector<FieldName> fields_named(const std::vector<std::string> &names) {
  std::vector<FieldName> fields;
  for (const std::string &name : names) {
    const bool number = !name.empty() && name.find_first_not_of("0123456789") == Bytes::npos;
    fields.push_back({name, number ? std::stoll(name) : -1});
  }
  return fields;
}

}  // namespace mrc
