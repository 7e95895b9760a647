// A join's inputs that seem to be sorted by the key: one scan of both checks them, then they are
// merged.
#pragma once

#include "engine/run.h"
#include "engine/scan.h"
#include "join/merged_sides.h"

#include <array>
#include <atomic>
#include <memory>

namespace mrc {

// Whether both inputs may be merged: files that are neither compressed nor followed, of which
// records can be read again.
bool may_be_presorted(const Program &program, const Plan &plan);

// Notes in the sample whether keys ascend from piece to piece.
std::unique_ptr<Hand> make_order_sampler(const Plan &plan, Sample *sample, BadRecordSink *bad);

class PresortedSides {
 public:
  explicit PresortedSides(Run *run);

  void begin(ChunkSource *source) { source_ = source; }
  // Checks the chunks of both sides.
  std::unique_ptr<Hand> make_hand(BadRecordSink *bad);
  // After the scan: whether both are sorted. If not, all that it has reported is forgotten.
  bool end();
  // REQUIRES: they are
  Result<std::unique_ptr<RowSource>> merge() const;

 private:
  class CheckHand;
  using Orders = std::array<SideOrder, 2>;  // by side
  Orders new_orders() const;
  void forget_scan();

  Run &run_;
  const Join &join_;
  const Report before_;  // the scan
  ChunkSource *source_ = nullptr;
  std::atomic<bool> found_disorder_{false};
  Orders orders_;
  std::array<std::vector<SortedPiece>, 2> pieces_;
};

}  // namespace mrc
