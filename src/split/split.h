// split: divides inputs into splits, which workers claim (split_queue.h).
#pragma once

#include "input/input.h"
#include "record.h"

#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace mrc {

// The bytes after which input may be cut: each of them ends a record, or lies between two records,
// in every context. Thread safe.
class CutBytes {
 public:
  explicit CutBytes(std::string_view bytes);
  // Makes the last byte of every `size` bytes of an input a cut: records of fixed size.
  static CutBytes every(i64 size);

  // Return the first (last) cut byte in [begin, end), or nullptr; `offset` is that of `begin` in
  // its input.
  const char *first(const char *begin, const char *end, i64 offset = 0) const;
  const char *last(const char *begin, const char *end, i64 offset = 0) const;

 private:
  i64 every_ = 0;  // 0: cuts at bytes
  int only_ = -1;  // the only cut byte, or -1
  std::array<bool, 256> cut_{};
};

// Cuts [begin, end) of each file into splits of about `split_bytes`, smaller towards the end of
// each stripe so that workers finish together (on split size and scheduling: the in-depth study,
// 5.5). Streams have no splits, and no split crosses a border of a source's parts. Makes at most
// about a million splits, or one for each part. `weights` are those of deal_stripes(); without them
// all input is one stripe.
std::vector<Split> plan_splits(const std::vector<Source> &sources, i64 split_bytes,
                               const std::vector<i64> &weights = {1});

// Each group of workers has a share of the splits, which it claims first (Phoenix III-A).
struct Shares {
  std::vector<i64> ends;                 // group g has the splits [ends[g - 1], ends[g])
  std::vector<std::vector<i64>> others;  // by group: other groups to steal from, in this order
  std::vector<i64> nodes = {};           // by group: the node of its memory; empty: unknown
};

// Assigns each split to a group: contiguous stripes of the input, in proportion to weights.
// REQUIRES: weights that are not all zero; a group with weight zero gets nothing
std::vector<i64> deal_stripes(const std::vector<Split> &splits, const std::vector<i64> &weights);

// Assigns each split to a group by its memory node: `near` lists the groups near each node. These
// share its splits in stripes, in proportion to weights. If no group is near, or the node is
// unknown, `otherwise` decides.
std::vector<i64> deal_by_node(const std::vector<Split> &splits,
                              const std::map<i64, std::vector<i64>> &near,
                              const std::vector<i64> &weights, std::vector<i64> otherwise);

// Sorts the splits by group, stably; returns the end of each group.
std::vector<i64> gather(const std::vector<i64> &groups, i64 size, std::vector<Split> *splits);

}  // namespace mrc
