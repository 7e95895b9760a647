// There is no thread that only writes: the turn goes from unit to unit, and the worker of
// the unit has it. The worker with the earliest unfinished unit never waits, so some worker always
// makes progress, and there is no deadlock.
//
// Text is written outside the lock. Meanwhile other workers finish what follows and leave it
// here; the writing worker takes it along before it hands over the turn.
#include "engine/sinks/ordered_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {

OrderedWriter::OrderedWriter(i64 share, i64 workers, std::vector<bool> has_units, KeptRecords *kept,
                             OutputFile *file)
    : share_(share),
      most_held_(share * workers),
      has_units_(std::move(has_units)),
      kept_(kept),
      file_(file),
      next_(first_from(0)) {}

OrderedWriter::Place OrderedWriter::first_from(i64 source) const {
  while (source < std::ssize(has_units_) && !has_units_[static_cast<size_t>(source)]) ++source;
  return {source, 0};
}

OrderedWriter::Place OrderedWriter::after(const Unit &unit) const {
  return unit.last ? first_from(unit.source + 1) : Place(unit.source, unit.number + 1);
}

Status OrderedWriter::add(const Unit &unit, TransformedText *text) {
  {
    std::unique_lock lock(mutex_);
    if (place_of(unit) != next_ && text->bytes() <= share_ && !stopped_) return Status::ok();
    if (!wait_for_turn(unit, &lock)) {
      text->clear();
      return Status::ok();
    }
  }
  return write(unit.source, text);
}

Status OrderedWriter::finish(const Unit &of, TransformedText *text) {
  Unit unit = of;
  std::unique_lock lock(mutex_);
  if (place_of(unit) != next_ && held_bytes_ + text->bytes() <= most_held_) {
    held_bytes_ += text->bytes();
    held_.emplace(place_of(unit), Held{unit, std::move(*text)});
    *text = {};
    return Status::ok();
  }
  if (!wait_for_turn(unit, &lock)) {
    text->clear();
    return Status::ok();
  }
  for (;;) {
    lock.unlock();
    Status status = write(unit.source, text);
    lock.lock();
    next_ = after(unit);
    const auto held = held_.find(next_);
    if (!status.is_ok() || held == held_.end() || stopped_) {
      turn_.notify_all();
      return status;
    }
    held_bytes_ -= held->second.text.bytes();
    unit = held->second.unit;
    *text = std::move(held->second.text);
    held_.erase(held);
  }
}

// False if there are no turns any more.
bool OrderedWriter::wait_for_turn(const Unit &unit, std::unique_lock<std::mutex> *lock) {
  turn_.wait(*lock, [&] { return stopped_ || place_of(unit) == next_; });
  return !stopped_;
}

void OrderedWriter::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  turn_.notify_all();
}

// REQUIRES: it is its turn
Status OrderedWriter::write(i64 source, TransformedText *text) {
  Status status = Status::ok();
  if (source != source_) lines_ = 0;
  source_ = source;
  if (text->records > 0 || !text->text.empty() || !text->header.empty()) {
    keep_within_limits(source, text);
    kept_->add(source, text->records);
    note_last_record(*text);
    status = write_text(*text);
  }
  lines_ += text->lines;
  text->clear();
  return status;
}

// Cuts off what is more than wanted.
void OrderedWriter::keep_within_limits(i64 source, TransformedText *text) const {
  const i64 room = std::max<i64>(0, kept_->room(source));
  if (text->records <= room) return;
  const i64 end = room == 0 ? 0 : text->ends[static_cast<size_t>(room - 1)];
  if (room == 0) text->header.clear();
  text->records = room;
  text->text.resize(static_cast<size_t>(end));
  while (!text->numbers.empty() && text->numbers.back().at >= end) text->numbers.pop_back();
}

void OrderedWriter::note_last_record(const TransformedText &text) const {
  if (text.positions.empty() || text.records == 0 || !kept_->is_full()) return;
  kept_->end_at(text.positions[static_cast<size_t>(text.records - 1)]);
}

Status OrderedWriter::write_text(const TransformedText &text) {
  if (!text.header.empty() && !std::exchange(has_header_, true)) header_ += text.header;
  if (!has_record_ && text.records == 0) {
    header_ += text.text;
    return Status::ok();
  }
  has_record_ = true;
  if (const std::string header = take_header(); !header.empty()) {
    if (Status status = file_->write(header); !status.is_ok()) return status;
  }
  return text.numbers.empty() ? file_->write(text.text) : write_numbered(text);
}

// Puts the numbers of lines where they belong.
Status OrderedWriter::write_numbered(const TransformedText &text) {
  numbered_.clear();
  i64 done = 0;
  for (const TransformedText::Number &number : text.numbers) {
    numbered_.append(text.text, static_cast<size_t>(done), static_cast<size_t>(number.at - done));
    done = number.at;
    fmt::format_to(std::back_inserter(numbered_), "{}", lines_ + number.line + 1);
  }
  numbered_.append(text.text, static_cast<size_t>(done));
  return file_->write(numbered_);
}

}  // namespace mrc
