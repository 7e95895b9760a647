// Sorts rows on one thread by the eight bytes that are stored in them.
//
// Full comparisons would follow two addresses each. Instead, rows are sorted by their prefix, as an
// integer. Runs of equal prefixes get the next eight bytes of their keys as prefixes, and are
// sorted again (multikey quicksort with eight bytes for a character: Bingmann, Engineering Parallel
// String Sorting, 2.2). A key is read once for every eight bytes that it shares with another key,
// and once for the common bytes of all keys of a run.
#include "rows/rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kFew = 24;              // rows that full comparisons sort faster
constexpr i64 kWorthSpreading = 512;  // with fewer rows, a comparison sort is faster

u64 word_at(Bytes key, size_t depth) {
  u64 word = 0;
  if (key.size() > depth)
    std::memcpy(&word, key.data() + depth, std::min<size_t>(key.size() - depth, 8));
  return __builtin_bswap64(word);
}

class RangeSorter {
 public:
  RangeSorter(const Order &order, const RowLayout &layout)
      : order_(order),
        layout_(layout),
        descending_(order.column < 0 ? order.descending : order.ties_descending) {}

  // REQUIRES: prefixes are from order_prefix()
  void sort(Row *begin, Row *end) {
    by_prefix(begin, end, [&](Row *from, Row *to) {
      // Rows that do not have the common bytes all have the lowest or the highest prefix.
      const bool known = order_.column < 0 && from->prefix != 0 && from->prefix != ~u64{0};
      by_key(from, to, known ? order_.common.size() + 8 : 0);
    });
  }

 private:
  // Distributes rows by the leading bits in which their prefixes differ, until buckets are small. A
  // pass over rows in the cache costs less than the mispredicted branches of a comparison sort.
  void spread(Row *begin, Row *end) {
    constexpr int kBits = 8;
    const auto [least, most] = std::minmax_element(begin, end, less);
    const u64 low = least->prefix;
    const int shift = std::max(0, static_cast<int>(std::bit_width(most->prefix - low)) - kBits);
    std::array<u32, (1 << kBits) + 1> ends{};
    for (const Row *row = begin; row < end; ++row) ++ends[((row->prefix - low) >> shift) + 1];
    for (size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    std::array<u32, (1 << kBits) + 1> starts = ends;
    scratch_.assign(begin, end);
    for (const Row &row : scratch_) begin[ends[(row.prefix - low) >> shift]++] = row;
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      sort_prefixes(begin + starts[i], begin + starts[i + 1]);
    }
  }

  void sort_prefixes(Row *begin, Row *end) {
    if (end - begin < kWorthSpreading) return std::sort(begin, end, less);
    const bool all_alike =
        std::all_of(begin, end, [&](const Row &row) { return row.prefix == begin->prefix; });
    if (!all_alike) spread(begin, end);
  }

  static bool less(const Row &a, const Row &b) { return a.prefix < b.prefix; }

  template <typename OnTie>
  void by_prefix(Row *begin, Row *end, OnTie on_tie) {
    sort_prefixes(begin, end);
    for (Row *from = begin; from < end;) {
      Row *to = from + 1;
      while (to < end && to->prefix == from->prefix) ++to;
      if (to - from > 1) on_tie(from, to);
      from = to;
    }
  }

  // REQUIRES: the keys agree in their first `depth` bytes, with zeros past their ends
  void by_key(Row *begin, Row *end, size_t depth) {
    while (end - begin > 1) {
      if (end - begin <= kFew) return few(begin, end, depth);
      if (!ended_apart(&begin, &end, depth)) return;
      load_words(begin, end, depth);
      depth += 8;
      const bool all_alike =
          std::all_of(begin, end, [&](const Row &row) { return row.prefix == begin->prefix; });
      if (!all_alike) {
        return by_prefix(begin, end, [&](Row *from, Row *to) { by_key(from, to, depth); });
      }
      depth = end_of_common(begin, end, depth);
    }
  }

  void few(Row *begin, Row *end, size_t depth) {
    std::sort(begin, end, [&](const Row &a, const Row &b) {
      const int order = compare_from(depth, layout_.key(a), layout_.key(b));
      return descending_ ? order > 0 : order < 0;
    });
  }

  // REQUIRES: the keys agree in their first `depth` bytes, with zeros past their ends
  static int compare_from(size_t depth, Bytes a, Bytes b) {
    if (std::min(a.size(), b.size()) < depth) return a.compare(b);
    return a.substr(depth).compare(b.substr(depth));
  }

  // Returns the end of the bytes that all keys have in common. This reads a long common prefix
  // once, instead of in a pass over all rows for each word.
  size_t end_of_common(const Row *begin, const Row *end, size_t depth) const {
    Bytes common = layout_.key(*begin);
    for (const Row *row = begin + 1; row < end && common.size() > depth; ++row) {
      common = common.substr(0, common_size(common, layout_.key(*row), depth));
    }
    return std::max(depth, common.size());
  }

  // Returns the size of the common prefix. REQUIRES: the first `at` bytes are equal
  static size_t common_size(Bytes a, Bytes b, size_t at) {
    const size_t size = std::min(a.size(), b.size());
    for (; at + 8 <= size; at += 8) {
      const u64 difference = word_at(a, at) ^ word_at(b, at);
      if (difference != 0) return at + static_cast<size_t>(std::countl_zero(difference)) / 8;
    }
    while (at < size && a[at] == b[at]) ++at;
    return std::min(at, size);
  }

  // Sorts the keys that end at `depth`, shorter ones first, and removes them from the range. They
  // precede the other keys, or follow them if descending. Returns false if no others are left.
  bool ended_apart(Row **begin, Row **end, size_t depth) {
    auto ended = [&](const Row &row) { return (layout_.key(row).size() <= depth) != descending_; };
    Row *middle = std::partition(*begin, *end, ended);
    auto shorter = [&](const Row &a, const Row &b) {
      const size_t x = layout_.key(a).size(), y = layout_.key(b).size();
      return descending_ ? x > y : x < y;
    };
    if (descending_) {
      std::sort(middle, *end, shorter);
      *end = middle;
    } else {
      std::sort(*begin, middle, shorter);
      *begin = middle;
    }
    return *begin < *end;
  }

  void load_words(Row *begin, Row *end, size_t depth) {
    constexpr i64 kFetchAhead = 8;
    for (Row *row = begin; row < end; ++row) {
      if (end - row > kFetchAhead) __builtin_prefetch(layout_.data(row[kFetchAhead]) + depth);
      const u64 word = word_at(layout_.key(*row), depth);
      row->prefix = descending_ ? ~word : word;
    }
  }

  const Order &order_;
  const RowLayout &layout_;
  bool descending_;
  std::vector<Row> scratch_;
};

}  // namespace

u64 order_prefix(const Order &order, Bytes key, u64 rank) {
  if (order.compares()) return 0;
  u64 prefix = rank;
  if (order.column < 0) {
    const size_t shared = order.common.size();
    const int beside = shared == 0 ? 0 : key.substr(0, shared).compare(order.common);
    prefix = beside == 0 ? word_at(key, shared) : beside < 0 ? 0 : ~u64{0};
  }
  return order.descending ? ~prefix : prefix;
}

void sort_range(std::span<Row> rows, const Order &order, const RowLayout &layout) {
  // With an order that contradicts itself, std::sort would access memory out of bounds.
  if (order.compares()) return std::stable_sort(rows.begin(), rows.end(), Before(order, layout));
  RangeSorter(order, layout).sort(rows.data(), rows.data() + rows.size());
}

}  // namespace mrc
