// rows: keys with their states or records, which all workers put in order.
#pragma once

#include "base/arena.h"
#include "base/paged_array.h"
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

// What is to be ordered, eight bytes that decide most comparisons and the place of the
// rest, which decides the others.
struct Row {
  u64 prefix;
  u64 place;
};
using Rows = PagedArray<Row>;

// What lies at a row's place.
//  groups: the address of u64 key size, the state, and the key: its bytes if it is
//          short, else a pointer to them.
//  lines:  the address of a line that ends in `terminator`, in the low 48 bits, and its
//          size above, or kLongLine.
struct RowLayout {
  static constexpr u64 kLongLine = 0xFFFF;
  static constexpr u64 kInline = 32;  // bytes of a short key

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

  // Rows of records (record_rows.h) and of composed keys (order_key.h) are groups whose
  // state tells, at `parts_at`, where parts of the key end: what unique rows differ in,
  // and, after what only orders, the record or the key of the group.
  struct Parts {
    u32 identity_end, payload_begin;
  };
  bool parts = false;
  i64 parts_at = 0;
  Bytes identity(const Row &row) const;
  Bytes payload(const Row &row) const { return parts ? behind_order(row) : key(row); }
  // What is in front of the payload. REQUIRES: parts
  Bytes order_bytes(const Row &row) const {
    const Bytes all = key(row);
    return all.substr(0, all.size() - payload(row).size());
  }

 private:
  Bytes behind_order(const Row &row) const;
};

struct Column;

// One thing that rows are ordered by: a part of their key, a column, or what is computed of them.
struct OrderTerm {
  i64 part = -1;    // of the key; -1: none
  i64 column = -1;  // of the aggregation
  bool descending = false;
  std::shared_ptr<const Column> computed = {};  // if neither

  bool operator==(const OrderTerm &) const = default;
};

class StateLayout;

// An order that is defined elsewhere, such as in a plugin. Thread safe.
class CustomOrder {
 public:
  virtual ~CustomOrder() = default;
  // Appends what a group is ordered by.
  virtual void append_order(const StateLayout &states, Bytes key, const State *state,
                            std::string *out) const = 0;
  // How two of these are compared: as bytes, or by compare(), which returns less than, equal
  // to or greater than 0.
  virtual bool compares() const = 0;
  virtual int compare(Bytes a, Bytes b) const = 0;
};

// The order of rows: by key, by the rank of a column, or by terms. Equals are ordered
// by key, so that the output never depends on the timing of threads.
struct Order {
  i64 column = -1;               // -1: by key
  bool descending = false;       // of the column's rank, or of the key
  bool ties_descending = false;  // of the key among equal ranks
  i64 limit = -1;                // keep the first rows only; -1: all
  bool unique = false;           // keep the first of rows whose keys are equal
  bool merge_tree = false;       // sort by merging, for comparison
  // Any other order, in place of the three fields at the top: rows get keys that are
  // composed of these (order_key.h), and are in the ascending order of them.
  std::vector<OrderTerm> terms = {};
  const CustomOrder *custom = nullptr;  // the same, in place of terms
  // What keys begin with as far as a sample shows, left out of their prefixes.
  std::string common = {};

  bool by_key() const { return column < 0 && !composes(); }
  // Whether rows get composed keys.
  bool composes() const { return !terms.empty() || custom != nullptr; }
  // Whether composed keys do not order as bytes.
  bool compares() const { return custom != nullptr && custom->compares(); }
};

// What a row's prefix is in this order, from its key or its column's rank.
u64 order_prefix(const Order &order, Bytes key, u64 rank);

// Rows of one worker. Not thread safe. Moving keeps rows valid.
class RowStore {
 public:
  // `key_bytes`: whether long keys are copied, or kept by others.
  explicit RowStore(const RowLayout &layout, KeyBytes key_bytes = KeyBytes::borrowed)
      : layout_(layout), key_bytes_(key_bytes) {}

  void add(u64 prefix, Bytes key, const State *state);
  // REQUIRES: the terminator follows; the bytes live as long as the rows.
  void add_line(u64 prefix, Bytes line) {
    const u64 size = line.size() < RowLayout::kLongLine ? line.size() : RowLayout::kLongLine;
    rows_.push_back({prefix, reinterpret_cast<u64>(line.data()) | size << 48});
  }

  // Forgets all but the first `n` rows; their data moves.
  void keep_first(i64 n, const Order &order);

  Rows &rows() { return rows_; }
  Arena &arena() { return arena_; }
  // What rows and their data take now; clear() keeps memory for the next ones.
  i64 used_bytes() const { return arena_.used() + rows_.size() * static_cast<i64>(sizeof(Row)); }
  void clear();
  // By how much they take more than at the last call; less than 0 if they take less.
  i64 take_growth() { return used_bytes() - std::exchange(told_bytes_, used_bytes()); }

 private:
  RowLayout layout_;
  KeyBytes key_bytes_;
  i64 told_bytes_ = 0;
  Arena arena_;
  Rows rows_;
};

// Compares whole rows; strict and, but for equal keys, total.
class Before {
 public:
  Before(const Order &order, const RowLayout &layout)
      : layout_(layout),
        descending_(order.column < 0 ? order.descending : order.ties_descending),
        custom_(order.compares() ? order.custom : nullptr) {}

  // Whether it is certain to be an order. What a plugin says may contradict itself: then
  // algorithms that trust it may leave their memory, and those that merge do not.
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

// Sorts rows in place, on this thread. Their prefixes are used up.
void sort_range(std::span<Row> rows, const Order &order, const RowLayout &layout);

// Leaves the first of rows with the same key. REQUIRES: in order
void drop_repeated(const RowLayout &layout, Rows *rows);

// The rows of all stores in order, or the first of them (parallel sorting by
// regular sampling; Metis 3.3). Reorders and may drop rows of the stores; the data of
// the result stays in them.
Result<Rows> sort_rows(const std::vector<RowStore *> &stores, const Order &order,
                       const RowLayout &layout, WorkerPool *pool);

// Rows in ranges that follow each other, none of which is sorted.
struct RowRanges {
  Rows rows;
  std::vector<i64> starts;  // of the ranges, and the end of the last one
};
// Whether there are enough rows for ranges, and all of them are wanted.
bool is_worth_dividing(const std::vector<RowStore *> &stores, const Order &order);
// Steps 1 to 3 of sort_rows(): what is left is sort_range(), of each. REQUIRES: it is worth it
Result<RowRanges> divide_rows(const std::vector<RowStore *> &stores, const Order &order,
                              const RowLayout &layout, WorkerPool *pool);

// The same, but for --top and repeated rows, by a tree of merges, which lab/ has. At most one
// store for each worker.
Result<Rows> sort_by_merging(const std::vector<RowStore *> &stores, const Order &order,
                             const RowLayout &layout, WorkerPool *pool);

}  // namespace mrc
