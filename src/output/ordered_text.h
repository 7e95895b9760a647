// output: writes text in the order of its units, which workers make in any order.
#pragma once

#include "base/status.h"
#include "map/transform.h"
#include "split/chunk_source.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace mrc {

// Units that arrive later follow those of all sources, in the order of arrival. Each unit belongs
// to one worker, and workers claim units in order. The worker with the next unit writes it. Text of
// later units is held up to a limit while their workers go on; above it, a worker waits for its
// turn.
class OrderedText {
 public:
  virtual ~OrderedText() = default;

  // Takes the text of a unit made so far. If the unit has its turn, or the text is too large to
  // hold back, writes and clears it.
  Status add(const Unit &unit, TransformedText *text);
  // Takes the rest of the text and ends the unit; clears the text. Call it for each claimed unit.
  Status finish(const Unit &unit, TransformedText *text);

  // Bytes of finished units that wait for their turn. Any thread.
  i64 held_bytes() const { return held_bytes_.load(std::memory_order_relaxed); }
  // Ends all waiting; nothing more is written. Any thread.
  void stop();

 protected:
  // A worker holds back up to `share` bytes of its unit; finished units hold up to `most_held`
  // together. `has_units`: by source.
  OrderedText(i64 share, i64 most_held, std::vector<bool> has_units);

  // Runs on the thread that has the turn. The text is cleared afterwards.
  virtual Status write(i64 source, TransformedText *text) = 0;

 private:
  struct Held {
    Unit unit;
    TransformedText text;
  };
  // A place in the input: a source and the number of its unit. Units that arrive have a source past
  // the last one.
  using Place = std::pair<i64, i64>;

  Place place_of(const Unit &unit) const {
    return {unit.arrived ? std::ssize(has_units_) : unit.source, unit.number};
  }
  Place first_from(i64 source) const;
  Place after(const Unit &unit) const;
  bool wait_for_turn(const Unit &unit, std::unique_lock<std::mutex> *lock);
  Status write_and_clear(const Unit &unit, TransformedText *text);

  const i64 share_, most_held_;
  const std::vector<bool> has_units_;

  std::mutex mutex_;
  Place next_;  // of the unit that has the turn
  std::map<Place, std::condition_variable *> waiting_;
  std::map<Place, Held> held_;
  std::atomic<i64> held_bytes_{0};
  bool stopped_ = false;
};

}  // namespace mrc
