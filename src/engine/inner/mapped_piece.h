// Notes the input that a run maps, and writes the partial that it makes of it.
#pragma once

#include "base/hash.h"
#include "engine/inner/line_table.h"
#include "engine/inner/run.h"
#include "kept/partial.h"
#include "portion.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mrc {

class MappedPiece {
 public:
  explicit MappedPiece(Run *run) : run_(*run), hash_(kPartialBase) {}

  // Notes of one worker on the input that it maps.
  class Notes {
   public:
    explicit Notes(const MappedPiece &of) : hash_(of.hash_) {}
    void add(const Chunk &chunk) {
      const i64 end = chunk.offset + std::ssize(chunk.bytes);
      add_portion({chunk.source, chunk.offset, end, hash_.of(chunk.offset, chunk.bytes)},
                  &portions_);
    }

   private:
    friend class MappedPiece;
    const ContentHash &hash_;
    std::vector<Portion> portions_;
  };
  // Adds the notes of a worker. Any thread.
  void add(Notes notes);
  void add(const LineTable &lines) { lines_.add(lines); }

  // Returns an error if a unit of the unit list was not mapped as a whole. Called after the scan.
  Status check() const;

  // Adds all blocks of states to a run, and sets the partitions that have some in `made`.
  using AddStates = std::function<Status(RunWriter *writer, PartitionSet *made)>;
  // Writes the partial. `ranges`: the ranges of its rows; unset: it has states of groups.
  Status write(i64 state_bytes, std::optional<PartialRanges> ranges, const AddStates &add_states,
               OutputFile *to);

 private:
  Status write_run(RunWriter *writer, std::optional<PartialRanges> ranges,
                   const AddStates &add_states);
  Partial describe(const PartitionSet &made) const;
  PartialPiece describe_mapped() const;
  std::optional<Dialect> header() const;

  Run &run_;
  const ContentHash hash_;
  std::vector<Portion> portions_;
  LineTable lines_;
};

// A hand that also notes the input that it maps.
class NotingHand : public Hand {
 public:
  NotingHand(MappedPiece *piece, std::unique_ptr<Hand> hand)
      : piece_(*piece), notes_(*piece), hand_(std::move(hand)) {}

  Status begin_unit(const Unit &unit) override { return hand_->begin_unit(unit); }
  Status take(const Chunk &chunk, i64 *records) override {
    notes_.add(chunk);
    return hand_->take(chunk, records);
  }
  Status end_unit(const Unit &unit) override { return hand_->end_unit(unit); }
  Status seal(bool whole) override {
    piece_.add(std::move(notes_));
    return hand_->seal(whole);
  }

 private:
  MappedPiece &piece_;
  MappedPiece::Notes notes_;
  const std::unique_ptr<Hand> hand_;
};

}  // namespace mrc
