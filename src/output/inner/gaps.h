// The buckets between others that no record has.
#pragma once

#include "output/fill.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// The keys of all rows, and those between them that no row has.
class Gaps {
 public:
  // A key that no row has.
  struct Gap {
    std::string key;
    std::string shown = {};  // the key of the row; empty: the same
  };

  // REQUIRES: the arguments outlive this
  Gaps(const FillSpec &spec, const RowShape &shape) : spec_(spec), shape_(shape) {}

  // Sets a limit for the bytes of all keys. Charts have a limit of their own, so that they are the
  // same with any memory.
  void limit(i64 memory);
  // Takes the key of the next row. Returns false if there are too many.
  bool add(Bytes key);
  // Finds the gaps when all keys are added, or when there are too many.
  Status find();

  // Calls take(gap) for each gap before the key of a row, and after the row before.
  template <typename Take>
  void each_before(Bytes key, Take take) const {
    const auto row = std::lower_bound(keys_.begin(), keys_.end(), key,
                                      [this](Bytes a, Bytes b) { return comes_before(a, b); });
    auto gap = row == keys_.begin() ? gaps_.begin() : position(*std::prev(row));
    for (; gap != gaps_.end() && comes_before(gap->key, key); ++gap) take(*gap);
  }
  // Calls take(gap) for each gap after that of the last row; none if this is another row.
  template <typename Take>
  void each_after(Bytes key, Take take) const {
    if (keys_.empty() || key != keys_.back()) return;
    for (auto gap = position(key); gap != gaps_.end(); ++gap) take(*gap);
  }
  // Returns why a chart has no rows for gaps; empty if it has.
  const std::string &note() const { return note_; }

 private:
  struct Parts {
    std::string before, name, after;  // the others as they are in the key
  };
  using Place = std::pair<i64, std::string>;  // of a bucket, and its name

  Status find_all();
  void find_for_chart();
  // Adds one gap for all buckets after a place.
  void abridge(i64 from, i64 buckets, bool is_counted);
  i64 buckets_between(i64 from, i64 to, i64 most) const;
  // Returns the error if the rows do not fit.
  Status refuse() const;
  Status too_large() const;
  Status too_many() const;

  bool fits() const { return std::ssize(keys_) <= most_rows() && bytes_ <= memory_; }
  i64 most_rows() const;
  void count_bytes(const std::string &key);
  void keep_gap(std::string key, std::string shown = {});
  Parts parts_of(Bytes key) const;
  std::string key_of(const std::string &before, const std::string &name,
                     const std::string &after) const;
  bool comes_before(Bytes a, Bytes b) const { return spec_.descending ? b < a : a < b; }
  auto order() const {
    return [this](Bytes a, Bytes b) { return comes_before(a, b); };
  }
  std::vector<Gap>::const_iterator position(Bytes key) const {
    return std::lower_bound(gaps_.begin(), gaps_.end(), key,
                            [this](const Gap &a, Bytes b) { return comes_before(a.key, b); });
  }

  const FillSpec &spec_;
  const RowShape &shape_;
  std::vector<std::string> keys_;  // in order
  std::vector<Gap> gaps_;          // in the same order
  std::set<std::pair<std::string, std::string>> others_;
  std::set<i64> places_;  // of a chart
  std::optional<Place> first_, last_;
  bool has_all_keys_ = true;
  i64 bytes_ = 0, memory_ = 0;  // of both
  std::string note_;
};

}  // namespace mrc
