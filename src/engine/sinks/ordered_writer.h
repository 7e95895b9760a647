// Text that workers make in any order, written in the order of the input.
#pragma once

#include "engine/sinks/kept_records.h"
#include "output/output.h"
#include "split/chunk_source.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Each unit belongs to one worker, and workers claim units in their order. The worker with the
// next unit writes it. Later units are held, up to so many bytes, and their workers go on; beyond
// that, a worker waits for its turn.
class OrderedWriter {
 public:
  // Each worker holds back up to `share` bytes of its unit, all together as many again for
  // each worker. `kept` learns what was written. `has_units`: by source.
  OrderedWriter(i64 share, i64 workers, std::vector<bool> has_units, KeptRecords *kept,
                OutputFile *file);

  // What precedes the first record: held until there is one, for a job that has none may
  // end without an answer. So is text of units that comes before any record.
  void begin_with(std::string header) { header_ = std::move(header); }
  // The same, if there was no record. When all units are finished; not thread safe.
  std::string take_header() { return std::exchange(header_, ""); }

  // What there is of a unit so far; if it is its turn or too large it is written and
  // cleared.
  Status add(const Unit &unit, TransformedText *text);
  // The same at the end of the unit; the text is cleared. Of each unit that was claimed.
  Status finish(const Unit &unit, TransformedText *text);

  // Of units that wait for their turn. Any thread.
  i64 held_bytes() const { return held_bytes_.load(std::memory_order_relaxed); }
  // Ends all waiting; nothing more is written. Any thread.
  void stop();

 private:
  struct Held {
    Unit unit;
    TransformedText text;
  };
  // In the order of the input: a source, and a unit of it.
  using Place = std::pair<i64, i64>;

  static Place place_of(const Unit &unit) { return {unit.source, unit.number}; }
  Place first_from(i64 source) const;
  Place after(const Unit &unit) const;
  bool wait_for_turn(const Unit &unit, std::unique_lock<std::mutex> *lock);
  Status write(i64 source, TransformedText *text);
  void keep_within_limits(i64 source, TransformedText *text) const;
  void note_last_record(const TransformedText &text) const;
  Status write_text(const TransformedText &text);
  Status write_numbered(const TransformedText &text);

  const i64 share_, most_held_;
  const std::vector<bool> has_units_;
  KeptRecords *kept_;
  OutputFile *file_;

  std::mutex mutex_;
  std::condition_variable turn_;
  Place next_;  // of the unit whose turn it is
  std::map<Place, Held> held_;
  std::atomic<i64> held_bytes_{0};
  bool stopped_ = false;

  // Of the worker that has the turn.
  i64 source_ = -1;  // of what was written last ...
  i64 lines_ = 0;    // ... and its lines so far
  std::string numbered_;
  std::string header_;       // held
  bool has_header_ = false;  // of an input
  bool has_record_ = false;  // was written
};

}  // namespace mrc
