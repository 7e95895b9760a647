// A splitter is a prefix of a sort key. Sort keys compare as bytes, and no identity is a prefix of
// another one, so all rows of one identity are on the same side of a splitter.
//
// If keys hold positions, a splitter ends before the position: merged with other inputs, a record
// gets another position, but must stay in its range.
#include "rows/key_ranges.h"

#include <algorithm>
#include <functional>

namespace mrc {
namespace {

constexpr size_t kMostBytes = 256;  // size of a splitter

}  // namespace

bool KeyRanges::precedes(const Row &row, const std::string &splitter) const {
  const int order = layout_.key(row).compare(splitter);
  return descending_ ? order > 0 : order < 0;
}

i64 KeyRanges::range_of(const Row &row) const {
  const auto next = std::partition_point(splitters_.begin(), splitters_.end(),
                                         [&](const auto &each) { return !precedes(row, each); });
  return next - splitters_.begin();
}

std::string splitter_at(const Row &row, const RowLayout &layout) {
  Bytes key = layout.key(row);
  if (layout.parts && layout.identity(row).size() + layout.payload(row).size() < key.size()) {
    key = layout.identity(row);
  }
  return std::string(key.substr(0, kMostBytes));
}

std::vector<std::string> choose_splitters(std::vector<std::string> sample, i64 ranges,
                                          const Order &order) {
  order.descending ? std::ranges::sort(sample, std::greater()) : std::ranges::sort(sample);
  std::vector<std::string> chosen;
  for (i64 i = 1; i < ranges && !sample.empty(); ++i) {
    const i64 at = std::ssize(sample) * i / ranges;
    const std::string &next = sample[static_cast<size_t>(at)];
    if (chosen.empty() || chosen.back() != next) chosen.push_back(next);
  }
  return chosen;
}

}  // namespace mrc
