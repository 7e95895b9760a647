// The groups of one worker, and the conducts that hand them over.
#pragma once

#include "engine/inner/product.h"
#include "engine/sinks/grouping.h"
#include "reduce/eager_reducer.h"
#include "reduce/tile_reducer.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

class GroupingSink;

// The groups of one worker: maps chunks, and groups their records.
class GroupProduct : public Product {
 public:
  GroupProduct(GroupingSink *sink, i64 worker, BadRecordSink *bad, PartFiles *files);

  Status take(const Chunk &chunk, i64 *records) override;
  // Ends the mapper, and begins another.
  Status settle() override;
  Status hand_over(bool whole) override;
  Result<std::shared_ptr<SavedPart>> save(bool *emptied) override;
  void move_notes(std::string *notes) override;
  void begin_tile() override;
  Result<std::unique_ptr<TileProduct>> end_tile() override;

  // For conducts of groups:
  GroupWorker *grouping() { return grouping_.get(); }
  // Ends the mapper, and returns the groups; null if they are not `whole`.
  Result<std::unique_ptr<MapOutput>> end(bool whole);

 private:
  GroupingSink &sink_;
  const i64 worker_;
  BadRecordSink *bad_;
  PartFiles *files_;
  const bool numbers_lines_;
  // On the heap: batches are larger than a stack should hold.
  std::unique_ptr<GroupWorker> grouping_;
  std::unique_ptr<Mapper> mapper_;  // null: a tile has ended, and the next has not begun
  LineTable lines_;
};

// The hand of a conduct of groups.
class GroupHand : public Hand {
 public:
  GroupHand(GroupingSink *sink, i64 worker, BadRecordSink *bad)
      : sink_(*sink), product_(sink, worker, bad, nullptr) {}

  Status take(const Chunk &chunk, i64 *records) override { return product_.take(chunk, records); }
  Status seal(bool whole) override { return product_.hand_over(whole); }

 protected:
  GroupingSink &sink_;
  GroupProduct product_;
};

// Makes the conduct of a job that groups: one of those for all stages, or one of those below.
class GroupConduct : public Conduct {
 public:
  // The sink outlives the conduct.
  explicit GroupConduct(GroupingSink *sink) : sink_(*sink) {}

 protected:
  GroupingSink &sink_;
};

// Makes the conduct that the program and its plan want.
std::unique_ptr<Conduct> make_group_conduct(GroupingSink *sink);

// Groups that workers hand over when the input ends. Records that they spill earlier may be reduced
// in the meantime (MaRCO 3). `mrc merge` adopts the groups of partials.
class PlainGroups : public GroupConduct {
 public:
  using GroupConduct::GroupConduct;

  Status open() override;
  void begin(const ChunkSource *) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override;
  Status end() override;
  void adjust(GroupSettings *settings) const override;
  bool adopts() const override;
  Status adopt() override;

 private:
  EagerSpec spec() const;

  std::unique_ptr<EagerReducer> runs_;  // null: spilled records wait for reduce
};

// Groups that are reduced tile by tile while others are mapped (Tiled-MapReduce, sections 4 and 5).
class TiledGroups : public GroupConduct {
 public:
  using GroupConduct::GroupConduct;

  void begin(const ChunkSource *) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override;
  Status end() override;
  void adjust(GroupSettings *settings) const override;

 private:
  TileSpec spec() const;

  std::vector<std::unique_ptr<TileReducer>> tiles_;  // by group of CPUs
};

}  // namespace mrc
