#include "base/names.h"

#include "base/int.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace mrc {
namespace {

// Returns the number of edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
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

// Returns the candidates that begin with the word.
std::vector<std::string> longer(const std::string &word,
                                const std::vector<std::string> &candidates) {
  constexpr size_t kLeast = 3;
  std::vector<std::string> all;
  if (word.size() < kLeast) return all;
  for (const std::string &candidate : candidates) {
    if (candidate.starts_with(word)) all.push_back(candidate);
  }
  return all;
}

}  // namespace

std::vector<std::string> nearest(const std::string &word,
                                 const std::vector<std::string> &candidates) {
  std::vector<std::string> best;
  // If more than a third of the letters differ, it is another word.
  i64 least = std::max<i64>(1, static_cast<i64>(word.size()) / 3);
  for (const std::string &candidate : candidates) {
    const i64 distance = edit_distance(word, candidate);
    if (distance > least) continue;
    if (distance < least) best.clear();
    least = distance;
    if (std::ranges::find(best, candidate) == best.end()) best.push_back(candidate);
  }
  return best;
}

std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates) {
  constexpr size_t kMost = 3;
  std::vector<std::string> meant = nearest(word, candidates);
  if (meant.empty()) meant = longer(word, candidates);
  if (meant.empty()) return "";
  meant.resize(std::min(meant.size(), kMost));
  return fmt::format(" (did you mean \"{}\"?)", fmt::join(meant, "\" or \""));
}

std::vector<std::string> distinct_names(std::span<const std::string> names) {
  const std::unordered_set<std::string> all(names.begin(), names.end());
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, i64> last;  // last suffix given to a repeated name
  std::vector<std::string> distinct;
  for (const std::string &name : names) {
    std::string own = name;
    if (taken.contains(own)) {
      i64 &number = last.try_emplace(name, 1).first->second;
      do {
        own = fmt::format("{}_{}", name, ++number);
      } while (taken.contains(own) || all.contains(own));
    }
    taken.insert(own);
    distinct.push_back(std::move(own));
  }
  return distinct;
}

}  // namespace mrc
