#include "base/spelling.h"

#include "base/int.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mrc {
namespace {

// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
i64 edit_distance(const std::string &a, const std::string &b) {
  std::vector<i64> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = static_cast<i64>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      i64 replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string &word, const std::vector<std::string> &candidates) {
  std::string best;
  // More than a third of the letters wrong is another word.
  i64 least = std::max<i64>(1, static_cast<i64>(word.size()) / 3) + 1;
  for (const std::string &candidate : candidates) {
    i64 distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates) {
  std::string near = nearest(word, candidates);
  return near.empty() ? "" : " (did you mean \"" + near + "\"?)";
}

}  // namespace mrc
