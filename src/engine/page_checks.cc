#include "engine/inner/page_checks.h"

#include "base/hash.h"
#include "base/varint.h"
#include "kept/range_index.h"

#include <algorithm>

namespace mrc {

i64 LeftOut::records() const {
  i64 records = 0;
  for (const Pages &each : of_sources) records += each.counts.records;
  return records;
}

const std::vector<Portion> &LeftOut::remaining(i64 source) const {
  static const std::vector<Portion> kAll;
  const auto i = static_cast<size_t>(source);
  return i < of_sources.size() ? of_sources[i].remaining : kAll;
}

void PageChecks::take(const Chunk &chunk) {
  const std::vector<Portion> &pages = left_.remaining(chunk.source);
  if (pages.empty()) return;
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
  add(page, {std::ssize(bytes), RangeIndex::content_hash().of(offset, bytes)});
}

void PageChecks::add(const Portion *page, const Seen &more) {
  Seen &seen = seen_[page];
  seen.bytes += more.bytes;
  seen.content = ContentHash::join(seen.content, more.content);
}

void PageChecks::add(const PageChecks &other) {
  for (const auto &[page, more] : other.seen_) add(page, more);
}

// Each page is its source, its number among those that remain, and what is seen of it.
void PageChecks::move_to(std::string *message) {
  append_varint(seen_.size(), message);
  for (const auto &[page, seen] : seen_) {
    const std::vector<Portion> &pages = left_.remaining(page->source);
    append_varint(static_cast<u64>(page->source), message);
    append_varint(static_cast<u64>(page - pages.data()), message);
    append_varint(static_cast<u64>(seen.bytes), message);
    append_varint(seen.content, message);
  }
  seen_.clear();
}

void PageChecks::take(Bytes *message) {
  for (u64 left = take_varint(message); left > 0; --left) {
    const std::vector<Portion> &pages = left_.of_sources.at(take_varint(message)).remaining;
    const Portion *page = &pages.at(take_varint(message));
    Seen seen;
    seen.bytes = static_cast<i64>(take_varint(message));
    seen.content = take_varint(message);
    add(page, seen);
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
