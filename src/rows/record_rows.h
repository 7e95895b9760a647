// Makes rows of records, with their sort keys.
#pragma once

#include "base/text.h"
#include "map/map.h"
#include "map/sort_key.h"
#include "rows/group_numbers.h"
#include "rows/rows.h"
#include "scan/line_scan.h"

#include <optional>
#include <string>

namespace mrc {

// Makes rows of whole records, with sort keys.

// The records that a job sorts, and their order.
struct SortSpec {
  SortKeySpec key = {};  // no fields: the whole record
  bool reverse = false;  // the whole order, tie-breaker included
  bool stable = false;   // equal keys by position in the input; false: by whole record
  bool unique = false;   // keep the first record in the input of each key
  char terminator = '\n';
  i64 record_bytes = 0;                  // size of fixed-size records without terminator; 0: lines
  std::optional<ByteRange> range = {};   // the key in fixed-size records
  std::optional<FieldSort> fields = {};  // replaces `key` if records have a format
  // Fields of groups, which are ordered by first sight, and their records by the key.
  std::vector<FieldExpr> groups = {};

  // True if records are their own sort keys, so that rows point to them.
  bool is_plain() const;
  // True if records are compared by a key first.
  bool has_key() const;
  Order order() const;
  RowLayout layout() const;
};

// Makes rows of chunks. For one worker; not thread safe.
class ChunkRows {
 public:
  virtual ~ChunkRows() = default;
  // Adds a row for each wanted record of the chunk, and copies the record. Returns the number of
  // records in the chunk.
  virtual i64 add(const Chunk &chunk, RowStore *rows) = 0;

  // Called at the ends of units.
  virtual void begin_unit(const Unit &) {}
  virtual Status end_unit() { return Status::ok(); }
  // Completes the keys of rows, which may depend on units that others read. Called before rows are
  // put in order.
  virtual void settle(RowStore *) {}
};

// Adds a record with its sort key. REQUIRES: the spec has a key
inline void add_keyed_row(const SortSpec &spec, const Order &order, u64 position, Bytes record,
                          std::string *key, RowStore *rows) {
  RowLayout::Parts parts{static_cast<u32>(key->size()), static_cast<u32>(key->size())};
  if (spec.stable || spec.unique) {
    append_position(spec.reverse ? ~position : position, key);
    parts.payload_begin += 8;
  }
  key->append(record);
  rows->add(order_prefix(order, *key, 0), *key, reinterpret_cast<State *>(&parts));
}

// Adds a record that is its own sort key.
inline void add_whole_row(const Order &order, Bytes record, RowStore *rows) {
  const RowLayout::Parts whole{static_cast<u32>(record.size()), 0};
  rows->add(order_prefix(order, record, 0), record, reinterpret_cast<const State *>(&whole));
}

// Makes rows of lines and of fixed-size records.
class RecordRows : public ChunkRows {
 public:
  RecordRows(const SortSpec &spec, const Scanner &scanner, const Order &order);

  i64 add(const Chunk &chunk, RowStore *rows) override;

 private:
  void add_record(Bytes record, u64 position, RowStore *rows);
  i64 add_lines(const Chunk &chunk, RowStore *rows);
  i64 add_fixed(const Chunk &chunk, RowStore *rows);

  const SortSpec &spec_;
  LineScan lines_;
  const Order &order_;
  SortKeyEncoder encoder_;
  bool plain_;
  std::string key_;  // key of one record
};

// Reads records with fields, and encodes their sort keys.

// Reads the records and keys of chunks. For one worker; not thread safe.
class KeyedRecords {
 public:
  // `group` begins the keys; null: groups do not matter. REQUIRES: all arguments outlive this
  KeyedRecords(const FieldSort &sort, const FieldsSpec &fields, const InputReaders &readers,
               BadRecordSink *bad, GroupOfRecord *group = nullptr)
      : group_(group),
        encoder_(sort, fields.wanted()),
        scan_(fields.wanted(), readers, bad),
        bad_(*bad),
        has_returns_(fields.format.record_bytes == 0) {}

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
        if (group_ != nullptr) group_->append(batch, i, &key_);
        encoder_.append(batch, i, &key_);
        const Bytes record = batch.records[i];
        if (!take(has_returns_ ? with_return(record, end) : record, &key_)) return false;
      }
      return true;
    });
  }

 private:
  GroupOfRecord *const group_;
  SortExprEncoder encoder_;
  RecordScan scan_;
  BadRecordSink &bad_;
  const bool has_returns_;  // a carriage return may follow a record
  std::string key_;         // key of one record
};

// Makes rows of records with fields.
class FieldRows : public ChunkRows {
 public:
  // `groups` is null if the spec has none, and for samples.
  FieldRows(const SortSpec &spec, const FieldsSpec &fields, const InputReaders &readers,
            BadRecordSink *bad, const Order &order, GroupNumbers::Worker *groups)
      : spec_(spec),
        order_(order),
        groups_(groups),
        group_(spec.groups, fields.wanted(), groups),
        records_(*spec.fields, fields, readers, bad, spec.groups.empty() ? nullptr : &group_) {}

  ~FieldRows() override {
    if (groups_ != nullptr) groups_->end();
  }

  i64 add(const Chunk &chunk, RowStore *rows) override;
  void begin_unit(const Unit &unit) override;
  Status end_unit() override { return groups_ == nullptr ? Status::ok() : groups_->end_unit(); }
  void settle(RowStore *rows) override;

 private:
  const SortSpec &spec_;
  const Order &order_;
  GroupNumbers::Worker *const groups_;
  GroupOfRecord group_;
  KeyedRecords records_;
};

// Makes rows of the records that the spec sorts. `readers` and `bad` are for records with fields,
// and `groups` for those in groups, unless they are a sample. REQUIRES: all arguments outlive the
// result
std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad,
                                           GroupNumbers::Worker *groups = nullptr);

}  // namespace mrc
