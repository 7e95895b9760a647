// Input is in order if every chunk is, and every border between two chunks. Workers check
// chunks as they come, and keep the first and the last key of each; when all are known
// the borders are checked one after the other. Chunks that follow each other, as those of
// a split do, grow into one piece, so that little is kept.
//
// The first disorder is wanted, not any: the one that is earliest inside a chunk is
// the answer, unless a border before it is out of order. So what is behind the earliest
// one known needs no look.
#include "engine/order_check.h"

#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {

OrderCheck::OrderCheck(const SortSpec &spec, std::atomic<u64> *least)
    : spec_(spec), encoder_(spec.key), plain_(spec.is_plain()), least_(least) {}

// Keys decide, then whole records, unless equal keys count as equal or as repeated.
Bytes OrderCheck::key_of(Bytes record, std::string *buffer) const {
  if (plain_) return record;
  buffer->clear();
  if (spec_.range) {
    buffer->append(spec_.range->of(record));
  } else if (!spec_.key.fields.empty()) {
    encoder_.append(record, buffer);
  }
  const bool keyed = spec_.range || !spec_.key.fields.empty();
  if (!keyed || !(spec_.stable || spec_.unique)) buffer->append(record);
  return *buffer;
}

bool OrderCheck::in_order(Bytes before, Bytes after) const {
  const int order = before.compare(after);
  if (order == 0) return !spec_.unique;
  return spec_.reverse ? order > 0 : order < 0;
}

i64 OrderCheck::add(const Chunk &chunk) {
  const u64 position = position_of(chunk.source, chunk.offset);
  if (position > least_->load(std::memory_order_relaxed)) return 0;
  if (spec_.record_bytes == 0) lines_.add(chunk, spec_.terminator);
  const char *at = chunk.bytes.data(), *end = at + chunk.bytes.size();
  Piece piece{position, position + chunk.bytes.size(), {position, 0, ""}, "", ""};
  std::string buffers[2];
  Bytes last;
  i64 records = 0;
  for (; at < end; ++records) {
    const char *record_end = end;
    if (spec_.record_bytes > 0) {
      if (end - at < spec_.record_bytes) break;
      record_end = at + spec_.record_bytes;
    } else if (const void *found = memchr(at, spec_.terminator, static_cast<size_t>(end - at))) {
      record_end = static_cast<const char *>(found);
    }
    const Bytes record(at, static_cast<size_t>(record_end - at));
    const Bytes key = key_of(record, &buffers[records % 2]);
    if (records == 0) {
      piece.first.record = record;
      piece.first_key = key;
    } else if (!in_order(last, key)) {
      note({position, static_cast<u64>(records), std::string(record)});
      break;
    }
    last = key;
    at = record_end + (spec_.record_bytes == 0);
  }
  if (records == 0) return 0;
  piece.last_key = last;
  add_piece(std::move(piece));
  return records;
}

void OrderCheck::add_piece(Piece piece) {
  if (pieces_.empty() || pieces_.back().end != piece.begin) {
    pieces_.push_back(std::move(piece));
    return;
  }
  Piece &before = pieces_.back();
  if (!in_order(before.last_key, piece.first_key)) note(std::move(piece.first));
  before.end = piece.end;
  before.last_key = std::move(piece.last_key);
}

void OrderCheck::note(Place place) {
  auto is_before = [](const Place &a, const Place &b) {
    return a.chunk != b.chunk ? a.chunk < b.chunk : a.number < b.number;
  };
  if (disorder_ && is_before(*disorder_, place)) return;
  u64 least = least_->load(std::memory_order_relaxed);
  while (place.chunk < least &&
         !least_->compare_exchange_weak(least, place.chunk, std::memory_order_relaxed)) {
  }
  disorder_ = std::move(place);
}

void OrderCheck::add(OrderCheck *other) {
  if (other->disorder_) note(std::move(*other->disorder_));
  std::move(other->pieces_.begin(), other->pieces_.end(), std::back_inserter(pieces_));
  lines_.add(other->lines_);
}

std::string OrderCheck::first_disorder(std::span<const Source> sources) {
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < pieces_.size(); ++i) {
    if (disorder_ && pieces_[i].begin > disorder_->chunk) break;
    if (in_order(pieces_[i - 1].last_key, pieces_[i].first_key)) continue;
    note(std::move(pieces_[i].first));
    break;
  }
  if (!disorder_) return "";
  const Source &source = sources[static_cast<size_t>(source_of(disorder_->chunk))];
  i64 number = static_cast<i64>(disorder_->number) + 1;
  if (spec_.record_bytes > 0) {
    number += (offset_of(disorder_->chunk) - source.begin) / spec_.record_bytes;
  } else {
    lines_.seal();
    number = lines_.line(disorder_->chunk + disorder_->number);
  }
  std::string text = fmt::format("{}:{}: disorder: ", source.name(), number);
  append_visible(disorder_->record, &text);
  return text;
}

}  // namespace mrc
