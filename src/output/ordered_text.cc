// There is no writer thread: the turn passes from unit to unit, and the worker of the unit writes.
// The worker with the earliest unfinished unit never waits, so some worker always makes progress,
// and there is no deadlock.
//
// Text is written outside the lock. Meanwhile other workers finish later units and leave their text
// here; the writing worker writes it, too, before it passes on the turn. Each worker waits on its
// own condition: waking all for every turn would cost as many context switches as there are
// workers.
#include "output/ordered_text.h"

namespace mrc {

OrderedText::OrderedText(i64 share, i64 most_held, std::vector<bool> has_units)
    : share_(share),
      most_held_(most_held),
      has_units_(std::move(has_units)),
      next_(first_from(0)) {}

OrderedText::Place OrderedText::first_from(i64 source) const {
  while (source < std::ssize(has_units_) && !has_units_[static_cast<size_t>(source)]) ++source;
  return {source, 0};
}

OrderedText::Place OrderedText::after(const Unit &unit) const {
  if (unit.last && !unit.arrived) return first_from(unit.source + 1);
  return {place_of(unit).first, unit.number + 1};
}

Status OrderedText::add(const Unit &unit, TransformedText *text) {
  {
    std::unique_lock lock(mutex_);
    if (place_of(unit) != next_ && text->bytes() <= share_ && !stopped_) return Status::ok();
    if (!wait_for_turn(unit, &lock)) {
      text->clear();
      return Status::ok();
    }
  }
  return write_and_clear(unit, text);
}

Status OrderedText::finish(const Unit &of, TransformedText *text) {
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
    Status status = write_and_clear(unit, text);
    lock.lock();
    next_ = after(unit);
    const auto held = held_.find(next_);
    if (!status.is_ok() || held == held_.end() || stopped_) {
      const auto waiting = waiting_.find(next_);
      if (waiting != waiting_.end()) waiting->second->notify_one();
      return status;
    }
    held_bytes_ -= held->second.text.bytes();
    unit = held->second.unit;
    *text = std::move(held->second.text);
    held_.erase(held);
  }
}

// False if stop() has ended all turns.
bool OrderedText::wait_for_turn(const Unit &unit, std::unique_lock<std::mutex> *lock) {
  std::condition_variable turn;
  const auto own = waiting_.emplace(place_of(unit), &turn).first;
  turn.wait(*lock, [&] { return stopped_ || place_of(unit) == next_; });
  waiting_.erase(own);
  return !stopped_;
}

void OrderedText::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  for (const auto &[place, turn] : waiting_) turn->notify_one();
}

Status OrderedText::write_and_clear(const Unit &unit, TransformedText *text) {
  Status status = write(unit.source, text);
  text->clear();
  return status;
}

}  // namespace mrc
