#include "base/text.h"
#include "split/follow_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kFollowedBlock = i64{256} << 10;
// Programs write the lines of a record, such as a stack trace, at once.
constexpr std::chrono::milliseconds kQuiet{1000};

char *followed_bytes(const Pages &pages) { return reinterpret_cast<char *>(pages.data()); }

Bytes between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

FollowedInput::FollowedInput(const FollowSpec &spec, i64 number, const Source &source,
                             std::unique_ptr<Followed> from, Bytes head)
    : spec_(spec), number_(number), from_(std::move(from)), offset_(source.end) {
  parts_.push_back({.generation = 0, .at = source.end - source.begin});
  if (!head.empty()) begin(head);
}

FollowedInput::Part &FollowedInput::part_of(i64 generation) {
  const auto found = std::ranges::find(parts_, generation, &Part::generation);
  return found != parts_.end() ? *found : parts_.emplace_back(generation);
}

// Reads new data into the block with room before it for the longest pending record. A record longer
// than a block makes the block grow.
std::optional<Chunk> FollowedInput::next(Pages *block) {
  while (!is_over_) {
    i64 lead = 0;
    for (const Part &part : parts_) lead = std::max(lead, std::ssize(part.pending));
    const i64 room = std::max(lead, kFollowedBlock);
    if (block->size() < lead + room + kPadding) block->grow(lead + room + kPadding);
    char *const fresh = followed_bytes(*block) + lead;
    const Arrival arrival = from_->next(fresh, room);
    if (arrival.what == Arrival::What::nothing) return end_quiet_record(block);
    if (arrival.what == Arrival::What::over) {
      is_over_ = true;
      return last(block);
    }
    std::optional<Chunk> chunk;
    if (arrival.what == Arrival::What::end) {
      chunk = end_part(arrival.generation, block);
    } else {
      Part &part = part_of(arrival.generation);
      char *const begin = fresh - part.pending.size();
      std::memcpy(begin, part.pending.data(), part.pending.size());
      part.arrived = std::chrono::steady_clock::now();
      chunk = take(&part, {begin, fresh, fresh + arrival.bytes});
    }
    if (chunk) return chunk;
  }
  return last(block);
}

std::optional<Chunk> FollowedInput::last(Pages *block) {
  while (!parts_.empty()) {
    if (std::optional<Chunk> chunk = end_part(parts_.front().generation, block)) return chunk;
  }
  return std::nullopt;
}

// Returns the whole records of the text, and keeps the bytes after them.
std::optional<Chunk> FollowedInput::take(Part *part, const Text &text) {
  const char *cut = look_at_head(text) ? last_cut(part, text) : nullptr;
  if (cut != nullptr) return hand_out(part, text, cut + 1);
  part->pending.append(text.fresh, text.end);
  return std::nullopt;
}

// Adds a terminator to the last record of a generation if it lacks one, so that each file ends with
// a whole line.
std::optional<Chunk> FollowedInput::end_part(i64 generation, Pages *block) {
  const auto found = std::ranges::find(parts_, generation, &Part::generation);
  if (found == parts_.end()) return std::nullopt;
  Part part = std::move(*found);
  parts_.erase(found);
  if (!begun_) begin(part.pending);
  if (part.pending.empty()) return std::nullopt;
  if (!spec_.fixed && part.pending.back() != spec_.terminator) part.pending += spec_.terminator;
  return hand_out_pending(&part, block);
}

std::optional<Chunk> FollowedInput::hand_out_pending(Part *part, Pages *block) {
  const i64 size = std::ssize(part->pending);
  if (block->size() < size + kPadding) block->grow(size + kPadding);
  const char *const begin = followed_bytes(*block);
  std::memcpy(followed_bytes(*block), part->pending.data(), part->pending.size());
  part->searched = 0;
  return hand_out(part, {begin, begin, begin + size}, begin + size);
}

// Returns the last record of several lines if no line has followed for a while.
std::optional<Chunk> FollowedInput::end_quiet_record(Pages *block) {
  if (!format_.groups) return std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  for (Part &part : parts_) {
    const bool has_record = !part.pending.empty() && part.pending.back() == spec_.terminator;
    if (has_record && now - part.arrived >= kQuiet) return hand_out_pending(&part, block);
  }
  return std::nullopt;
}

// True once the format of the records is known.
bool FollowedInput::look_at_head(const Text &text) {
  if (begun_) return true;
  const char *cut = spec_.cuts.last(text.begin, text.end);
  if (cut == nullptr) return false;
  const Bytes head = between(text.begin, cut + 1);
  if (spec_.wants_more(head)) return false;
  begin(head);
  return true;
}

void FollowedInput::begin(Bytes head) {
  begun_ = true;
  format_ = spec_.begin(number_, head);
  if (!format_.has_header) return;
  const std::string padded = std::string(without_byte_order_mark(head)) + std::string(kPadding, 0);
  const char *const text = padded.data(), *const end = text + padded.size() - kPadding;
  if (text == end) return;
  const char *cut = spec_.cuts.first(text, end);
  if (format_.quotes) {
    cut = best_csv_scanner().first_end(CsvState::field, text, end, *format_.quotes).end;
  }
  if (cut != nullptr) header_.assign(text, cut);
}

// Searches only the fresh bytes: the pending ones contain no record end, unless their format was
// unknown. Sets part->state to the quote state at the end of the text. Where records may have
// several lines, the last line end that the pending bytes have may end a record: the fresh bytes
// decide.
const char *FollowedInput::last_cut(Part *part, const Text &text) const {
  if (format_.groups) {
    const char *cut = format_.groups.last(text.begin + part->searched, text.end);
    const Bytes all = between(text.begin, text.end);
    const size_t last = all.rfind(spec_.terminator),
                 kept = cut == nullptr ? 0 : cut + 1 - text.begin;
    part->searched = last == Bytes::npos || last < kept ? 0 : last - kept;
    return cut;
  }
  const bool is_first = part->at == 0;
  const char *from = is_first ? text.begin : text.fresh;
  if (!format_.quotes) return spec_.cuts.last(from, text.end, part->at + (from - text.begin));
  if (is_first) {
    from = without_byte_order_mark(between(text.begin, text.end)).data();
    part->state = CsvState::field;
  }
  if (from >= text.end) return nullptr;
  const CsvSkim seen = best_csv_scanner().skim(part->state, from, text.end, *format_.quotes);
  part->state = seen.state;
  return seen.end;
}

std::optional<Chunk> FollowedInput::hand_out(Part *part, const Text &text, const char *cut) {
  const i64 passed = header_bytes(*part, between(text.begin, cut));
  const Chunk chunk{between(text.begin + passed, cut), number_, offset_ + passed};
  offset_ += cut - text.begin;
  part->at += cut - text.begin;
  part->pending.assign(cut, text.end);
  return chunk.bytes.empty() ? std::nullopt : std::optional(chunk);
}

// Returns the size of a header that a new generation repeats. The first generation's header is
// skipped when its records are read.
i64 FollowedInput::header_bytes(const Part &part, Bytes text) const {
  if (header_.empty() || part.at > 0 || offset_ == 0) return 0;
  const Bytes rest = without_byte_order_mark(text);
  if (!rest.starts_with(header_) || rest.size() == header_.size()) return 0;
  if (rest[header_.size()] != spec_.terminator) return 0;
  return std::ssize(text) - std::ssize(rest) + std::ssize(header_) + 1;
}

}  // namespace mrc
