// Input is in order if every chunk is, and every border between two chunks. Workers check chunks as
// they come, and keep the first and the last key of each. When all are known, the borders are
// checked one after another. Adjacent chunks, such as those of a split, form one piece, so that few
// keys are kept.
//
// The result is the first disorder. This is the earliest one inside a chunk, unless a border before
// it is out of order. So chunks after the earliest known one are not checked.
#include "engine/sinks/order_check.h"

#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {

OrderCheck::OrderCheck(const SortSpec &spec, std::atomic<u64> *least, KeyedRecords *fields)
    : spec_(spec), encoder_(spec.key), plain_(spec.is_plain()), least_(least), fields_(fields) {}

// Completes a key: records with equal keys are ordered as whole records, unless the order is stable
// or repeated keys are errors.
void OrderCheck::complete_key(Bytes record, std::string *key) const {
  if (!spec_.has_key() || !(spec_.stable || spec_.unique)) key->append(record);
}

Bytes OrderCheck::key_of(Bytes record, std::string *buffer) const {
  if (plain_) return record;
  buffer->clear();
  if (spec_.range) {
    buffer->append(spec_.range->of(record));
  } else if (!spec_.key.fields.empty()) {
    encoder_.append(record, buffer);
  }
  complete_key(record, buffer);
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
  Walk walk{chunk, {position, position + chunk.bytes.size(), {position, 0, ""}, "", ""}, 0, {}, {}};
  const i64 records = fields_ != nullptr ? walk_fields(&walk) : walk_lines(&walk);
  if (walk.records == 0) return records;
  walk.piece.last_key = walk.last;
  add_piece(std::move(walk.piece));
  return records;
}

i64 OrderCheck::walk_lines(Walk *walk) {
  const char *at = walk->chunk.bytes.data(), *end = at + walk->chunk.bytes.size();
  while (at < end) {
    const char *record_end = end;
    if (spec_.record_bytes > 0) {
      if (end - at < spec_.record_bytes) break;
      record_end = at + spec_.record_bytes;
    } else if (const void *found = memchr(at, spec_.terminator, static_cast<size_t>(end - at))) {
      record_end = static_cast<const char *>(found);
    }
    const Bytes record(at, static_cast<size_t>(record_end - at));
    if (!take(record, key_of(record, &walk->buffers[walk->records % 2]), walk)) break;
    at = record_end + (spec_.record_bytes == 0);
  }
  return walk->records;
}

i64 OrderCheck::walk_fields(Walk *walk) {
  return fields_->each(walk->chunk, [&](Bytes record, std::string *key) {
    std::string *kept = &walk->buffers[walk->records % 2];
    kept->swap(*key);
    complete_key(record, kept);
    return take(record, *kept, walk);
  });
}

bool OrderCheck::take(Bytes record, Bytes key, Walk *walk) {
  if (walk->records == 0) {
    walk->piece.first = {walk->piece.begin, number_of(record, *walk), std::string(record)};
    walk->piece.first_key = key;
  } else if (!in_order(walk->last, key)) {
    note({walk->piece.begin, number_of(record, *walk), std::string(record)});
    return false;
  }
  walk->last = key;
  ++walk->records;
  return true;
}

u64 OrderCheck::number_of(Bytes record, const Walk &walk) const {
  if (fields_ == nullptr) return static_cast<u64>(walk.records);
  const char *begin = walk.chunk.bytes.data();
  return static_cast<u64>(std::count(begin, record.data(), spec_.terminator));
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
