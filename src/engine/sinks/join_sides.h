// Decides which side of a join is read first, and how small it must be to become a table.
#pragma once

#include "engine/inner/input_scan.h"
#include "engine/inner/run.h"
#include "join/merged_sides.h"

#include <array>
#include <atomic>
#include <memory>

namespace mrc {

// The rows of a side become a table if they fill at most 1/table_share() of the memory. The table
// needs as much again, and rows of the other side, if there are any, need most of the memory.
i64 table_share(const JoinSpec &spec, Side side);

// Returns LEFT if it is known to be much smaller, else RIGHT.
Side first_side(const Program &program, const Plan &plan);

std::unique_ptr<StageSink> make_join_sink(Run *run);

// Returns an error if not all of a side could be read that has to be whole: RIGHT, and LEFT if
// records without a partner are shown as such.
Status check_whole(const Run &run, Side side, bool is_partial);

// Joins inputs that seem to be sorted by the key: one scan of both checks them, then they are
// merged.

// True if both inputs may be merged: they are files, neither compressed nor followed, and the job
// allows reading them twice.
bool may_be_presorted(const Program &program, const Plan &plan);

// Makes a hand that notes in the sample if keys do not ascend from piece to piece.
std::unique_ptr<Hand> make_order_sampler(const Plan &plan, Sample *sample, BadRecordSink *bad);

class PresortedSides {
 public:
  explicit PresortedSides(Run *run);

  void begin(ChunkSource *source) { source_ = source; }
  // Makes a hand that checks the chunks of both sides.
  std::unique_ptr<Hand> make_hand(BadRecordSink *bad);
  // Ends the scan. True if both sides are sorted. If not, drops all that the scan has reported.
  bool end();
  // Merges the sides. REQUIRES: end() returned true
  Result<std::unique_ptr<RowSource>> merge() const;

 private:
  class CheckHand;
  using Orders = std::array<SideOrder, 2>;  // for each side
  Orders new_orders() const;
  void forget_scan();

  Run &run_;
  const Join &join_;
  const Report before_;  // the report before the scan
  ChunkSource *source_ = nullptr;
  std::atomic<bool> found_disorder_{false};
  Orders orders_;
  std::array<std::vector<SortedPiece>, 2> pieces_;
};

}  // namespace mrc
