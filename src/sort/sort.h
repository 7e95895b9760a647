// sort: rows are put in order, by all workers.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "record.h"
#include "sched/sched.h"

#include <vector>

namespace mrc {

// A finished group, ready to be ordered: eight bytes that decide most
// comparisons, and the row itself, which decides the rest.
struct Row {
  u64 prefix;
  const std::byte *data;
};

// Rows of one worker. A row is u64 key size, the state, and the key: its bytes if
// it is short, else a pointer to them. Not thread safe. Moving keeps rows valid.
class RowStore {
 public:
  // A key of at most this size lies in the row.
  static constexpr u64 kInline = 32;

  explicit RowStore(i64 state_bytes) : state_bytes_(state_bytes) {}

  // Copies the state and a short key; the bytes of a long one are borrowed.
  void add(u64 prefix, Bytes key, const State *state);

  std::vector<Row> &rows() { return rows_; }
  i64 memory_bytes() const {
    return arena_.size() + static_cast<i64>(rows_.capacity() * sizeof(Row));
  }

 private:
  i64 state_bytes_;
  Arena arena_;
  std::vector<Row> rows_;
};

const State *row_state(const Row &row);
Bytes row_key(const Row &row, i64 state_bytes);

// The order of rows: by key or by the rank of a reducer. Equal ranks are ordered
// by key, so that the output never depends on who did what when.
struct Order {
  i64 reducer = -1;              // -1: by key
  bool descending = false;       // of the reducer's rank, or of the key
  bool ties_descending = false;  // of the key among equal ranks
  i64 limit = -1;                // keep the first rows only; -1: all
};

// What a row's prefix is in this order, from its key or its reducer's rank.
u64 order_prefix(const Order &order, Bytes key, u64 rank);

// The rows of all stores in order, or the first of them (parallel sorting by
// regular sampling; Metis 3.3). Reorders and may drop rows of the stores; the data of
// the result stays in them.
Result<std::vector<Row>> sort_rows(const std::vector<RowStore *> &stores, const Order &order,
                                   i64 state_bytes, WorkerPool *pool);

}  // namespace mrc
