// Fields that are looked up in a table by a field of the record: user.country is the country of the
// user whose id the record has.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "base/pages.h"
#include "base/status.h"
#include "record.h"
#include "sched/sched.h"

#include <memory>
#include <span>
#include <vector>

namespace mrc {

// Rows of values, each with a unique key. Immutable, thread safe.
class LookupTable {
 public:
  // The first `size` bytes are lines of LineFormat::rows, each with a key and `columns` values;
  // kPadding bytes follow them. A row whose key is missing or empty is left out, because it matches
  // nothing. Two rows with the same key are an error. All workers of the pool read a part.
  static Result<std::shared_ptr<const LookupTable>> make(Pages rows, i64 size, size_t columns,
                                                         Seed seed, WorkerPool *pool);

  // Finds the row of each key: 0 if there is none. REQUIRES: RecordBatch::kCapacity keys at most
  void find(std::span<const Bytes> keys, u32 *rows) const;
  // Returns a value; its data() is null if it is missing. It lives as long as the table, and may be
  // over-read.
  Bytes value(u32 row, size_t column) const {
    return values_[static_cast<i64>(row * columns_ + column)];
  }

  i64 rows() const { return rows_; }
  i64 bytes() const;
  u64 digest() const;  // hash of all keys and values

 private:
  struct Part;
  using Hashes = PagedArray<u64>;  // by row

  LookupTable(Pages rows, i64 size, size_t columns, Seed seed);
  Bytes text() const { return {reinterpret_cast<const char *>(text_.data()), size_}; }
  std::vector<Part> parts(i64 count) const;
  Status read(WorkerPool *pool);
  Status read_part(Part *part, Hashes *hashes);
  Status fill_index(const Hashes &hashes, WorkerPool *pool);
  u32 add_part(i64 worker, i64 workers, const Hashes &hashes, std::vector<u32> *late);
  u32 add_late(const std::vector<u32> &late, const Hashes &hashes);
  Status standing_twice(u32 row, u64 hash) const;

  const Pages text_;  // bytes of keys and values, and padding
  const size_t size_;
  const size_t columns_;
  const Seed seed_;
  Arena unescaped_;           // keys and values that had escapes
  PagedArray<Bytes> keys_;    // by row, which is the number of the line; row 0 stands for none
  PagedArray<Bytes> values_;  // by row and column
  i64 rows_ = 0;              // rows that have keys
  HashIndex index_;
};

}  // namespace mrc
