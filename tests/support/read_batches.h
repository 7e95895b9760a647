// What a reader finds in a chunk, as strings.
#pragma once

#include "fields/fields.h"
#include "unit/map/padded_text.h"

#include <cstdlib>
#include <cstring>

namespace mrc {

// What a field that is missing looks like.
inline constexpr const char *kMissing = "(none)";

struct ReadRecords {
  std::vector<std::vector<std::string>> rows;  // of the fields that were wanted
  std::vector<std::string> records;
  std::vector<std::string> bad;  // "reason: record"

  bool operator==(const ReadRecords &) const = default;
};

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

// Ends the program if a view leaves its chunk, or cannot be over-read.
inline void check_views(const RecordBatch &batch, Bytes chunk) {
  i64 sum = 0;
  auto check = [&](Bytes view) {
    if (view.data() == nullptr) return;
    for (u64 i = 0; i < view.size() + kPadding; ++i) sum += view.data()[i];
    const char *end = chunk.data() + chunk.size();
    const bool inside = view.data() >= chunk.data() && view.data() <= end;
    if (inside && view.data() + view.size() > end) std::abort();
  };
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    check(batch.records[i]);
    for (const RecordBatch::Column &column : batch.fields) check(column[i]);
  }
  [[maybe_unused]] volatile i64 kept = sum;
}

// Appends all records of a chunk that begins at `offset` of its input, batch after batch.
// Bytes `rest` follow the chunk, and fill the memory for unescaped values. Ends the program if
// there is no progress.
inline void read_chunk_before(char rest, const RecordReader &reader, Bytes text, i64 offset,
                              ReadRecords *out) {
  const PaddedText padded(text, rest);
  const Chunk chunk{padded.text(), 0, offset};
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  const auto batch = std::make_unique<RecordBatch>();
  constexpr i64 kLeft = 4096;
  std::memset(batch->unescaped.alloc(kLeft), rest, kLeft);
  while (next < end) {
    const char *before = next;
    batch->clear();
    reader.read(chunk, &next, batch.get());
    if (next <= before || next > end) std::abort();
    check_views(*batch, chunk.bytes);
    append_batch(*batch, out);
  }
}

// All records of a chunk. Ends the program if bytes that are not part of the chunk mean anything.
inline ReadRecords read_chunk(const RecordReader &reader, Bytes text, i64 offset) {
  ReadRecords records;
  read_chunk_before('"', reader, text, offset, &records);
  for (char rest : {'0', 'a', '\n'}) {
    ReadRecords same;
    read_chunk_before(rest, reader, text, offset, &same);
    if (!(same == records)) std::abort();
  }
  return records;
}

}  // namespace mrc
