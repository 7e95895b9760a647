#include "split/unit_turns.h"

namespace mrc {

UnitTurns::Place UnitTurns::first_from(i64 source) const {
  while (source < std::ssize(has_units_) && !has_units_[static_cast<size_t>(source)]) ++source;
  return {source, 0};
}

UnitTurns::Place UnitTurns::after(const Unit &unit) const {
  if (unit.last && !unit.arrived) return first_from(unit.source + 1);
  return {place_of(unit).first, unit.number + 1};
}

bool UnitTurns::wait(const Unit &unit, Lock *lock) {
  if (is_stopped_ || is_next(unit)) return !is_stopped_;
  std::condition_variable turn;
  const auto own = waiting_.emplace(place_of(unit), &turn).first;
  turn.wait(*lock, [&] { return is_stopped_ || is_next(unit); });
  waiting_.erase(own);
  return !is_stopped_;
}

void UnitTurns::wake() {
  const auto waiting = waiting_.find(next_);
  if (waiting != waiting_.end()) waiting->second->notify_one();
}

void UnitTurns::stop() {
  is_stopped_ = true;
  for (const auto &[place, turn] : waiting_) turn->notify_one();
}

}  // namespace mrc
