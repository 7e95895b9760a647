// sort: records with fields, and their sort keys.
#pragma once

#include "base/text.h"
#include "fields/input_readers.h"
#include "map/map.h"
#include "map/sort_expr.h"
#include "rows/record_rows.h"

#include <string>

namespace mrc {

// One worker's way from chunks to records and keys. Not thread safe.
class KeyedRecords {
 public:
  // `fields` is what the readers were made for. All must outlive it.
  KeyedRecords(const FieldSort &sort, const FieldsSpec &fields, const InputReaders &readers,
               BadRecordSink *bad);

  // Calls take(record, &key) for each record of the chunk that the filter selects, until it
  // returns false. A record is as it was, with its carriage return, but without its
  // terminator; the key is empty if there is nothing to sort by. Returns how many records
  // were read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    const RecordReader *reader = readers_.of(chunk.source);
    if (reader == nullptr) return 0;
    const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
    i64 records = 0;
    while (next < end) {
      records += read(chunk, *reader, &next);
      for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
        if (!selected_[i]) continue;
        key_.clear();
        encoder_.append(batch_, i, &key_);
        if (!take(with_return(batch_.records[i], end), &key_)) return records;
      }
    }
    return records;
  }

 private:
  // The next batch, and what of it is selected. Returns how many records it took.
  i64 read(const Chunk &chunk, const RecordReader &reader, const char **next);

  const FieldsSpec &fields_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  SortExprEncoder encoder_;
  RecordBatch batch_;
  Filter::Selection selected_;
  std::string key_;  // of one record
};

// Rows of such records.
class FieldRows : public ChunkRows {
 public:
  FieldRows(const SortSpec &spec, const FieldsSpec &fields, const InputReaders &readers,
            BadRecordSink *bad, const Order &order)
      : spec_(spec), order_(order), records_(*spec.fields, fields, readers, bad) {}

  i64 add(const Chunk &chunk, RowStore *rows) override;

 private:
  const SortSpec &spec_;
  const Order &order_;
  KeyedRecords records_;
};

// Rows of whatever the spec sorts. `readers` and `bad` are for records with fields. All must
// outlive what is made.
std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad);

}  // namespace mrc
