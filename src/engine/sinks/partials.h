// Partials that a run makes in place of an answer: groups or ordered rows, for another process to
// merge.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "engine/inner/positions.h"
#include "engine/inner/run.h"
#include "kept/partial.h"
#include "portion.h"
#include "reduce/sealed_groups.h"
#include "rows/order_key.h"
#include "rows/ordered_rows.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mrc {

// Notes the input that a run maps, and writes the partial that it makes of it.
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

// Groups that are written to a partial, for another process to merge, instead of rows.
class PartialGroups {
 public:
  // Both arguments outlive this.
  PartialGroups(Run *run, const StateLayout &layout);

  // Returns the notes on the input of the partial.
  MappedPiece &piece() { return piece_; }
  // Makes the sink for groups that a worker reduces. Called on its thread.
  SealedGroups *begin_sealing(i64 worker);
  Status write(OutputFile *to);

 private:
  Status write_states(RunWriter *writer, PartitionSet *made);

  Run &run_;
  const StateLayout whole_;  // saves states with all of their values
  MappedPiece piece_;
  std::vector<std::unique_ptr<SealedGroups>> groups_;  // by worker; null: none
};

// Ordered rows in partials: written for other processes in place of text, or read in place of
// input.

// The partial that a run makes, whose partitions are ranges of rows.
class PartialRows {
 public:
  // `rows` outlives this.
  PartialRows(Run *run, const OrderedRows &rows);

  // The part of the input that the partial covers.
  MappedPiece &piece() { return piece_; }
  // Writes all rows, in order, and the part of the input that they cover.
  Status write(RowSource *rows, OutputFile *to);

 private:
  Status write_rows(RowSource *rows, RunWriter *writer, PartitionSet *made) const;

  Run &run_;
  const RowLayout &layout_;
  const KeyRanges ranges_;
  MappedPiece piece_;
};

// Adds the rows of all partials that the program merges.
Status adopt_partials(Run *run, OrderedRows *rows);

}  // namespace mrc
