// output: writes text in the order of its units, which workers make in any order.
#pragma once

#include "base/status.h"
#include "map/transform.h"
#include "split/unit_turns.h"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace mrc {

// The worker whose unit has the turn writes it. Text of later units is held up to a limit while
// their workers go on; above it, a worker waits for its turn.
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
  Status write_and_clear(const Unit &unit, TransformedText *text);

  const i64 share_, most_held_;

  std::mutex mutex_;
  UnitTurns turns_;
  std::map<UnitTurns::Place, Held> held_;
  std::atomic<i64> held_bytes_{0};
};

}  // namespace mrc
