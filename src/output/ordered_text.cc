// There is no writer thread: the turn passes from unit to unit, and the worker of the unit writes.
// Text is written outside the lock. Meanwhile other workers finish later units and leave their text
// here; the writing worker writes it, too, before it passes on the turn.
#include "output/ordered_text.h"

namespace mrc {

OrderedText::OrderedText(i64 share, i64 most_held, std::vector<bool> has_units)
    : share_(share), most_held_(most_held), turns_(std::move(has_units)) {}

Status OrderedText::add(const Unit &unit, TransformedText *text) {
  {
    std::unique_lock lock(mutex_);
    const bool may_hold = text->bytes() <= share_ && !turns_.is_stopped();
    if (may_hold && !turns_.is_next(unit)) return Status::ok();
    if (!turns_.wait(unit, &lock)) {
      text->clear();
      return Status::ok();
    }
  }
  return write_and_clear(unit, text);
}

Status OrderedText::finish(const Unit &of, TransformedText *text) {
  Unit unit = of;
  std::unique_lock lock(mutex_);
  if (!turns_.is_next(unit) && held_bytes_ + text->bytes() <= most_held_) {
    held_bytes_ += text->bytes();
    held_.emplace(turns_.place_of(unit), Held{unit, std::move(*text)});
    *text = {};
    return Status::ok();
  }
  if (!turns_.wait(unit, &lock)) {
    text->clear();
    return Status::ok();
  }
  for (;;) {
    lock.unlock();
    Status status = write_and_clear(unit, text);
    lock.lock();
    turns_.pass(unit);
    const auto held = held_.find(turns_.next());
    if (!status.is_ok() || held == held_.end() || turns_.is_stopped()) {
      turns_.wake();
      return status;
    }
    held_bytes_ -= held->second.text.bytes();
    unit = held->second.unit;
    *text = std::move(held->second.text);
    held_.erase(held);
  }
}

void OrderedText::stop() {
  std::lock_guard lock(mutex_);
  turns_.stop();
}

Status OrderedText::write_and_clear(const Unit &unit, TransformedText *text) {
  Status status = write(unit.source, text);
  text->clear();
  return status;
}

}  // namespace mrc
