#include "engine/inner/page_checks.h"

#include "base/hash.h"
#include "kept/range_index.h"

#include <algorithm>

namespace mrc {

void PageChecks::take(const Chunk &chunk) {
  const auto source = static_cast<size_t>(chunk.source);
  if (source >= left_.remaining.size() || left_.remaining[source].empty()) return;
  const std::vector<Portion> &pages = left_.remaining[source];
  const i64 end = chunk.offset + std::ssize(chunk.bytes);
  auto page = std::ranges::upper_bound(pages, chunk.offset, {}, &Portion::end);
  for (; page != pages.end() && page->begin < end; ++page) {
    const i64 from = std::max(page->begin, chunk.offset), to = std::min(page->end, end);
    take(chunk.bytes.substr(static_cast<size_t>(from - chunk.offset),
                            static_cast<size_t>(to - from)),
         from, &*page);
  }
}

void PageChecks::take(Bytes bytes, i64 offset, const Portion *page) {
  Seen &seen = seen_[page];
  seen.bytes += std::ssize(bytes);
  seen.content = ContentHash::join(seen.content, RangeIndex::content_hash().of(offset, bytes));
}

void PageChecks::add(const PageChecks &other) {
  for (const auto &[page, more] : other.seen_) {
    Seen &seen = seen_[page];
    seen.bytes += more.bytes;
    seen.content = ContentHash::join(seen.content, more.content);
  }
}

i64 PageChecks::changed_source() const {
  i64 first = -1;
  for (const auto &[page, seen] : seen_) {
    const bool is_whole = seen.bytes == page->end - page->begin;
    if (!is_whole || seen.content == page->content) continue;
    if (first < 0 || page->source < first) first = page->source;
  }
  return first;
}

}  // namespace mrc
