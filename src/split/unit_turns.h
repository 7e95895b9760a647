// split: lets workers take turns in the order of their units.
#pragma once

#include "split/chunk_source.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace mrc {

// Units that arrive later follow those of all sources, in the order of arrival. Each unit belongs
// to one worker, and workers claim units in order. The worker with the earliest unfinished unit
// never waits, so some worker always makes progress, and there is no deadlock.
//
// Each worker waits on its own condition: waking all for every turn would cost as many context
// switches as there are workers. The caller's lock protects all members.
class UnitTurns {
 public:
  using Lock = std::unique_lock<std::mutex>;
  // A place in the input: a source and the number of its unit. Units that arrive have a source past
  // the last one.
  using Place = std::pair<i64, i64>;

  // `has_units`: by source.
  explicit UnitTurns(std::vector<bool> has_units)
      : has_units_(std::move(has_units)), next_(first_from(0)) {}

  Place place_of(const Unit &unit) const {
    return {unit.arrived ? std::ssize(has_units_) : unit.source, unit.number};
  }
  Place next() const { return next_; }
  bool is_next(const Unit &unit) const { return place_of(unit) == next_; }
  bool is_stopped() const { return is_stopped_; }

  // Waits until it is the unit's turn. Returns false if stop() has ended all turns.
  bool wait(const Unit &unit, Lock *lock);
  // Passes the turn from a unit to the next one. wake() wakes the worker that waits for it.
  void pass(const Unit &unit) { next_ = after(unit); }
  // Passes the turn over units that are never read, as the input has ended early.
  void pass_over_to(const Unit &unit) { next_ = place_of(unit); }
  void wake();
  void stop();

 private:
  Place first_from(i64 source) const;
  Place after(const Unit &unit) const;

  const std::vector<bool> has_units_;
  Place next_;
  std::map<Place, std::condition_variable *> waiting_;
  bool is_stopped_ = false;
};

}  // namespace mrc
