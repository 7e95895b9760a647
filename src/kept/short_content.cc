#include "kept/inner/short_content.h"

#include <algorithm>

namespace mrc {

void ShortContents::add(i64 index, const KeptSource &source) {
  by_end_[source.end][source.content()].push_back({index, !source.gone});
}

i64 ShortContents::take_equal(Bytes start) {
  const auto at = by_end_.find(std::ssize(start));
  if (at == by_end_.end()) return -1;
  const auto found = at->second.find(hash_.of(0, start));
  if (found == at->second.end() || found->second.empty()) return -1;
  std::vector<Entry> &all = found->second;
  const auto best =
      std::find_if(all.begin(), all.end(), [](const Entry &e) { return e.was_there; });
  const auto taken = best == all.end() ? all.begin() : best;
  const i64 index = taken->index;
  all.erase(taken);
  return index;
}

i64 ShortContents::take_beginning(Bytes start) {
  std::vector<Entry> *longest = nullptr;
  i64 at = 0;
  u64 hash = 0;
  for (auto &[end, contents] : by_end_) {
    if (end > std::ssize(start)) break;
    const Bytes piece = start.substr(static_cast<size_t>(at), static_cast<size_t>(end - at));
    hash = ContentHash::join(hash, hash_.of(at, piece));
    at = end;
    const auto found = contents.find(hash);
    if (found == contents.end()) continue;
    std::vector<Entry> &all = found->second;
    if (std::any_of(all.begin(), all.end(), [](const Entry &e) { return e.was_there; })) {
      longest = &all;
    }
  }
  if (longest == nullptr) return -1;
  const auto taken =
      std::find_if(longest->begin(), longest->end(), [](const Entry &e) { return e.was_there; });
  const i64 index = taken->index;
  longest->erase(taken);
  return index;
}

}  // namespace mrc
