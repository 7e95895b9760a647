// A stripe is the input of one group of workers. It is contiguous, so that the kernel reads ahead
// at one place for each group. Splits of the last twentieth of each stripe are small: other groups
// steal there once they have finished their own.
#include "split/split.h"

#include <string.h>

#include <algorithm>
#include <numeric>

namespace mrc {
namespace {

constexpr i64 kMostSplits = i64{1} << 20;

// Divides `total` bytes or splits into stripes in proportion to the weights; returns the ends.
std::vector<i64> stripe_ends(i64 total, const std::vector<i64> &weights) {
  const i64 all = std::accumulate(weights.begin(), weights.end(), i64{0});
  std::vector<i64> ends;
  i64 sum = 0;
  for (i64 weight : weights) {
    sum += weight;
    // total * sum / all, without overflow.
    ends.push_back(total / all * sum + total % all * sum / all);
  }
  return ends;
}

i64 stripe_of(i64 at, const std::vector<i64> &ends) {
  return std::upper_bound(ends.begin(), ends.end(), at) - ends.begin();
}

// Returns the parts of a file to read.
std::vector<Source::Part> parts_of(const Source &source) {
  if (!source.parts.empty()) return source.parts;
  if (source.fresh() >= source.end) return {};
  return {{source.fresh(), source.end}};
}

}  // namespace

std::vector<Split> plan_splits(const std::vector<Source> &sources, i64 split_bytes,
                               const std::vector<i64> &weights) {
  i64 total = 0;
  for (const Source &source : sources) {
    for (const Source::Part &part : parts_of(source)) total += part.end - part.begin;
  }
  split_bytes = std::max(split_bytes, total / kMostSplits + 1);
  const i64 small = std::max<i64>(split_bytes / 8, 1);
  const std::vector<i64> ends = stripe_ends(total, weights);

  std::vector<Split> splits;
  i64 planned = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    i64 number = 0;
    for (const Source::Part &part : parts_of(sources[i])) {
      for (i64 at = part.begin; at < part.end; ++number) {
        const size_t stripe = static_cast<size_t>(stripe_of(planned, ends));
        const i64 begin = stripe == 0 ? 0 : ends[stripe - 1];
        const i64 small_from = ends[stripe] - (ends[stripe] - begin) / 20;
        const i64 size = std::min(planned < small_from ? split_bytes : small, part.end - at);
        splits.push_back({static_cast<i64>(i), at, at + size, number});
        at += size;
        planned += size;
      }
    }
  }
  return splits;
}

std::vector<i64> deal_stripes(const std::vector<Split> &splits, const std::vector<i64> &weights) {
  i64 total = 0, at = 0;
  for (const Split &split : splits) total += split.end - split.begin;
  const std::vector<i64> ends = stripe_ends(total, weights);
  std::vector<i64> groups;
  for (const Split &split : splits) {
    groups.push_back(stripe_of(at, ends));
    at += split.end - split.begin;
  }
  return groups;
}

std::vector<i64> deal_by_node(const std::vector<Split> &splits,
                              const std::map<i64, std::vector<i64>> &near,
                              const std::vector<i64> &weights, std::vector<i64> otherwise) {
  for (const auto &[node, beside] : near) {
    std::vector<i64> its_weights;
    for (i64 group : beside) its_weights.push_back(weights[static_cast<size_t>(group)]);
    if (std::ranges::count(its_weights, 0) == std::ssize(its_weights)) continue;
    const std::vector<i64> ends =
        stripe_ends(std::ranges::count(splits, node, &Split::node), its_weights);
    i64 seen = 0;
    for (size_t i = 0; i < splits.size(); ++i) {
      if (splits[i].node == node)
        otherwise[i] = beside[static_cast<size_t>(stripe_of(seen++, ends))];
    }
  }
  return otherwise;
}

std::vector<i64> gather(const std::vector<i64> &groups, i64 size, std::vector<Split> *splits) {
  std::vector<Split> gathered;
  std::vector<i64> ends;
  gathered.reserve(splits->size());
  for (i64 group = 0; group < size; ++group) {
    for (size_t i = 0; i < splits->size(); ++i) {
      if (groups[i] == group) gathered.push_back((*splits)[i]);
    }
    ends.push_back(std::ssize(gathered));
  }
  *splits = std::move(gathered);
  return ends;
}

CutBytes::CutBytes(std::string_view bytes) {
  if (bytes.size() == 1) only_ = static_cast<unsigned char>(bytes[0]);
  for (char byte : bytes) cut_[static_cast<unsigned char>(byte)] = true;
}

CutBytes CutBytes::every(i64 size) {
  CutBytes cuts("");
  cuts.every_ = size;
  return cuts;
}

const char *CutBytes::first(const char *begin, const char *end, i64 offset) const {
  if (begin == end) return nullptr;  // both may be null
  if (every_ > 0) {
    const char *cut = begin + (every_ - 1 - offset % every_);
    return cut < end ? cut : nullptr;
  }
  if (only_ >= 0) {
    return static_cast<const char *>(memchr(begin, only_, static_cast<size_t>(end - begin)));
  }
  for (; begin < end; ++begin) {
    if (cut_[static_cast<unsigned char>(*begin)]) return begin;
  }
  return nullptr;
}

const char *CutBytes::last(const char *begin, const char *end, i64 offset) const {
  if (begin == end) return nullptr;
  if (every_ > 0) {
    const char *cut = end - 1 - (offset + (end - begin)) % every_;
    return cut >= begin ? cut : nullptr;
  }
  if (only_ >= 0) {
    return static_cast<const char *>(memrchr(begin, only_, static_cast<size_t>(end - begin)));
  }
  while (begin < end) {
    if (cut_[static_cast<unsigned char>(*--end)]) return end;
  }
  return nullptr;
}

}  // namespace mrc
