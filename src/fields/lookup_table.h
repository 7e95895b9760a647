// Fields that are looked up in a table by a field of the record: user.country is the country of the
// user whose id the record has.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "base/status.h"
#include "record.h"
#include "sched/sched.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Rows of values, each with a unique key. Immutable, thread safe.
class LookupTable {
 public:
  // `rows` are lines of LineFormat::rows, each with a key and `columns` values. A row whose key is
  // missing or empty is left out, because it matches nothing. Two rows with the same key are an
  // error. All workers of the pool read a part.
  static Result<std::shared_ptr<const LookupTable>> make(std::string rows, size_t columns,
                                                         Seed seed, WorkerPool *pool);

  // Finds the row of each key: 0 if there is none. REQUIRES: RecordBatch::kCapacity keys at most
  void find(std::span<const Bytes> keys, u32 *rows) const;
  // Returns a value; its data() is null if it is missing. It lives as long as the table, and may be
  // over-read.
  Bytes value(u32 row, size_t column) const { return values_[row * columns_ + column]; }

  i64 rows() const { return std::ssize(keys_) - 1; }
  i64 bytes() const;
  u64 digest() const;  // hash of all keys and values

 private:
  struct Part;

  LookupTable(std::string rows, size_t columns, Seed seed);
  Status read(WorkerPool *pool);
  Status read_part(Part *part) const;
  Status take(std::vector<Part> *parts, WorkerPool *pool);
  Status fill_index(const std::vector<u64> &hashes, WorkerPool *pool);
  u32 add_part(size_t worker, size_t workers, const std::vector<u64> &hashes,
               std::vector<u32> *late);
  u32 add_late(const std::vector<u32> &late, const std::vector<u64> &hashes);
  Status standing_twice(u32 row, u64 hash) const;
  i64 record_of(u32 row) const;

  const std::string text_;  // bytes of keys and values, and padding
  const size_t columns_;
  const Seed seed_;
  Arena unescaped_;            // keys and values that had escapes
  std::vector<Bytes> keys_;    // by row; row 0 stands for none
  std::vector<Bytes> values_;  // by row and column
  std::vector<i64> left_out_;  // numbers of records without a key, from 1, ascending
  HashIndex index_;
};

}  // namespace mrc
