// output: text that workers make in any order, written in the order of its units.
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

// Units that arrive follow those of all sources, in the order of arrival. Each unit belongs to one
// worker, and workers claim units in their order. The worker with the
// next unit writes it. Later units are held, up to so many bytes, and their workers go on; beyond
// that, a worker waits for its turn.
class OrderedText {
 public:
  virtual ~OrderedText() = default;

  // What there is of a unit so far; if it is its turn or too large it is written and
  // cleared.
  Status add(const Unit &unit, TransformedText *text);
  // The same at the end of the unit; the text is cleared. Of each unit that was claimed.
  Status finish(const Unit &unit, TransformedText *text);

  // Of units that wait for their turn. Any thread.
  i64 held_bytes() const { return held_bytes_.load(std::memory_order_relaxed); }
  // Ends all waiting; nothing more is written. Any thread.
  void stop();

 protected:
  // A worker holds back up to `share` bytes of its unit; units that are finished hold up to
  // `most_held` together. `has_units`: by source.
  OrderedText(i64 share, i64 most_held, std::vector<bool> has_units);

  // On the thread that has the turn; the text is cleared after it.
  virtual Status write(i64 source, TransformedText *text) = 0;

 private:
  struct Held {
    Unit unit;
    TransformedText text;
  };
  // In the order of the input: a source, and a unit of it; after the last source, what arrives.
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
  Place next_;  // of the unit that has its turn
  std::map<Place, std::condition_variable *> waiting_;
  std::map<Place, Held> held_;
  std::atomic<i64> held_bytes_{0};
  bool stopped_ = false;
};

}  // namespace mrc
