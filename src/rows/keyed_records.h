// sort: reads records with fields, and encodes their sort keys.
#pragma once

#include "base/text.h"
#include "map/map.h"
#include "map/sort_key.h"
#include "rows/record_rows.h"

#include <string>

namespace mrc {

// Reads the records and keys of chunks. For one worker; not thread safe.
class KeyedRecords {
 public:
  // REQUIRES: all arguments outlive this
  KeyedRecords(const FieldSort &sort, const FieldsSpec &fields, const InputReaders &readers,
               BadRecordSink *bad)
      : encoder_(sort, fields.wanted()), scan_(fields.wanted(), readers, bad), bad_(*bad) {}

  // Calls take(record, &key) for each record of the chunk that the filter selects, until take()
  // returns false. The record is unchanged, with its carriage return, but without its terminator.
  // The key is empty if there is nothing to sort by. Returns the number of records read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const SelectedRecords &batch = *scan_.batch();
    return scan_.each(chunk, [&] {
      bad_.count_used(batch.selected);
      for (i64 k = 0; k < batch.selected; ++k) {
        const size_t i = batch.selection[static_cast<size_t>(k)];
        key_.clear();
        encoder_.append(batch, i, &key_);
        if (!take(with_return(batch.records[i], end), &key_)) return false;
      }
      return true;
    });
  }

 private:
  SortExprEncoder encoder_;
  RecordScan scan_;
  BadRecordSink &bad_;
  std::string key_;  // key of one record
};

// Makes rows of records with fields.
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

// Makes rows of the records that the spec sorts. `readers` and `bad` are for records with fields.
// REQUIRES: all arguments outlive the result
std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad);

}  // namespace mrc
