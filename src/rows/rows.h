// rows: keys with their states or records, for sorting on all workers.
#pragma once

#include "base/arena.h"
#include "base/pages.h"
#include "base/status.h"
#include "group/group.h"
#include "record.h"
#include "sched/sched.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// A row to sort: eight bytes that decide most comparisons, and the place of the data that decides
// the others.
struct Row {
  u64 prefix;
  u64 place;
};
using Rows = PagedArray<Row>;

// The data at a row's place:
//   groups  the address of the key size (u64), the state, and the key: its bytes or, if the size
//           has the bit kElsewhere, a pointer to them
//   lines   the address of a line that ends in `terminator`, in the low 48 bits, and its size in
//           the high bits, or kLongLine
struct RowLayout {
  static constexpr u64 kLongLine = 0xFFFF;
  static constexpr u64 kElsewhere = u64{1} << 63;

  i64 state_bytes = 0;
  bool lines = false;
  char terminator = '\n';

  const char *data(const Row &row) const {
    return reinterpret_cast<const char *>(row.place & ((u64{1} << 48) - 1));
  }
  // REQUIRES: not lines
  const State *state(const Row &row) const {
    return reinterpret_cast<const State *>(data(row)) + 8;
  }
  Bytes key(const Row &row) const;

  // Rows of records (record_rows.h) and of composed keys (order_key.h) are groups whose state has,
  // at `parts_at`, the ends of the parts of the key. Unique rows differ in the identity, which
  // comes first. Then there may be bytes that only order rows. The payload is last: the record, or
  // the key of the group.
  struct Parts {
    u32 identity_end, payload_begin;
  };
  bool parts = false;
  i64 parts_at = 0;
  Bytes identity(const Row &row) const;
  Bytes payload(const Row &row) const { return parts ? behind_order(row) : key(row); }
  // Returns the bytes before the payload. REQUIRES: parts
  Bytes order_bytes(const Row &row) const {
    const Bytes all = key(row);
    return all.substr(0, all.size() - payload(row).size());
  }

 private:
  Bytes behind_order(const Row &row) const;
};

struct Column;

// A criterion of an order: a part of the key, a column, or a value that is computed from them.
struct OrderTerm {
  i64 part = -1;    // part of the key; -1: none
  i64 column = -1;  // column of the aggregation; -1: none
  bool descending = false;
  std::shared_ptr<const Column> computed = {};  // set if neither is

  bool operator==(const OrderTerm &) const = default;
};

class StateLayout;

// An order that is defined elsewhere, such as in a plugin. Thread safe.
class CustomOrder {
 public:
  virtual ~CustomOrder() = default;
  // Appends the bytes by which a group is ordered.
  virtual void append_order(const StateLayout &states, Bytes key, const State *state,
                            std::string *out) const = 0;
  // True if these bytes are compared by compare(), and not as bytes. compare() returns a number
  // less than, equal to or greater than 0.
  virtual bool compares() const = 0;
  virtual int compare(Bytes a, Bytes b) const = 0;
};

// The order of rows: by key, by the rank of a column, or by terms. Ties are ordered by key, so that
// the output never depends on the timing of threads.
struct Order {
  i64 column = -1;               // -1: by key
  bool descending = false;       // direction of the column's rank, or of the key
  bool ties_descending = false;  // direction of the key for equal ranks
  i64 limit = -1;                // keep the first rows only; -1: all
  bool unique = false;           // keep the first of rows whose keys are equal
  bool merge_tree = false;       // sort by merging, for comparison
  // If set, replaces the first three fields: rows get composed keys (order_key.h), which ascend.
  std::vector<OrderTerm> terms = {};
  const CustomOrder *custom = nullptr;  // replaces `terms`
  // A prefix of all keys in a sample, which is left out of the prefixes of rows.
  std::string common = {};

  bool by_key() const { return column < 0 && !composes(); }
  // True if rows get composed keys.
  bool composes() const { return !terms.empty() || custom != nullptr; }
  // True if composed keys do not compare as bytes.
  bool compares() const { return custom != nullptr && custom->compares(); }
};

// Returns the prefix of a row in this order, from its key or its column's rank.
u64 order_prefix(const Order &order, Bytes key, u64 rank);

// The rows of one worker. Not thread safe. Moving a store keeps its rows valid.
class RowStore {
 public:
  // `key_bytes` says whether the store copies keys or borrows long ones.
  explicit RowStore(const RowLayout &layout, KeyBytes key_bytes = KeyBytes::borrowed)
      : layout_(layout), key_bytes_(key_bytes) {}

  void add(u64 prefix, Bytes key, const State *state);
  // REQUIRES: the terminator follows the line; the bytes outlive the rows
  void add_line(u64 prefix, Bytes line) {
    const u64 size = line.size() < RowLayout::kLongLine ? line.size() : RowLayout::kLongLine;
    rows_.push_back({prefix, reinterpret_cast<u64>(line.data()) | size << 48});
  }

  // Adds a row of another store of this layout.
  void add_copy(const Row &row);
  // Keeps only the first `n` rows, and moves their data.
  void keep_first(i64 n, const Order &order);
  // Calls keep_first() now and then, if the order has a limit. Called when rows have been added.
  void thin_out(const Order &order) {
    if (order.limit < 0 || rows_.size() <= kSpare || rows_.size() / 4 <= order.limit) return;
    keep_first(order.limit, order);
  }

  // Returns the bytes of a row's key, which may be changed. REQUIRES: the store copies keys
  char *key_bytes_of(const Row &row) { return const_cast<char *>(layout_.key(row).data()); }

  Rows &rows() { return rows_; }
  Arena &arena() { return arena_; }
  // Returns the memory that rows and their data use now. clear() keeps memory for more rows.
  i64 used_bytes() const { return arena_.used() + rows_.size() * static_cast<i64>(sizeof(Row)); }
  void clear();
  // Returns the growth of used_bytes() since the last call, which may be negative.
  i64 take_growth() { return used_bytes() - std::exchange(told_bytes_, used_bytes()); }

 private:
  static constexpr i64 kSpare = 8192;   // rows beyond the limit before they are thinned out
  static constexpr size_t kShort = 32;  // bytes of a key that is not worth a pointer

  RowLayout layout_;
  KeyBytes key_bytes_;
  i64 told_bytes_ = 0;
  Arena arena_;
  Rows rows_;
};

// Compares whole rows. It is a strict order and, except for equal keys, total.
class Before {
 public:
  Before(const Order &order, const RowLayout &layout)
      : layout_(layout),
        descending_(order.column < 0 ? order.descending : order.ties_descending),
        custom_(order.compares() ? order.custom : nullptr) {}

  // True if this is certain to be an order. A plugin's order may contradict itself. With such an
  // order, std::sort may access memory out of bounds, but merging does not.
  bool is_total() const { return custom_ == nullptr; }

  bool operator()(const Row &a, const Row &b) const {
    if (custom_ != nullptr) return compared(a, b);
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = layout_.key(a).compare(layout_.key(b));
    return descending_ ? order > 0 : order < 0;
  }

 private:
  bool compared(const Row &a, const Row &b) const {
    const int order = custom_->compare(layout_.order_bytes(a), layout_.order_bytes(b));
    return order != 0 ? order < 0 : layout_.payload(a) < layout_.payload(b);
  }

  RowLayout layout_;
  bool descending_;
  const CustomOrder *custom_;
};

// Sorts rows in place, on this thread. Overwrites their prefixes.
void sort_range(std::span<Row> rows, const Order &order, const RowLayout &layout);

// Keeps the first row of each identity. REQUIRES: rows are in order
void drop_repeated(const RowLayout &layout, Rows *rows);

// Returns the rows of all stores, or the first ones, in order (parallel sorting by regular
// sampling; Metis 3.3). Reorders and may drop rows of the stores, which keep the data of the
// result.
Result<Rows> sort_rows(const std::vector<RowStore *> &stores, const Order &order,
                       const RowLayout &layout, WorkerPool *pool);

// Rows in consecutive ranges, each unsorted.
struct RowRanges {
  Rows rows;
  std::vector<i64> starts;  // starts of the ranges, and the end of the last one
};
// True if there are enough rows for ranges, and all of them are wanted.
bool is_worth_dividing(const std::vector<RowStore *> &stores, const Order &order);
// Runs steps 1 to 3 of sort_rows(); call sort_range() on each range. REQUIRES: is_worth_dividing()
Result<RowRanges> divide_rows(const std::vector<RowStore *> &stores, const Order &order,
                              const RowLayout &layout, WorkerPool *pool);

// Does what sort_rows() does, by a tree of merges, but ignores `limit` and `unique`. Implemented in
// lab/. There is at most one store for each worker.
Result<Rows> sort_by_merging(const std::vector<RowStore *> &stores, const Order &order,
                             const RowLayout &layout, WorkerPool *pool);

}  // namespace mrc
