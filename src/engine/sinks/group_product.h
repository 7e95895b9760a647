// The groups of one worker: maps chunks, and groups their records.
#pragma once

#include "engine/inner/product.h"
#include "engine/sinks/grouping.h"

#include <memory>
#include <string>

namespace mrc {

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

}  // namespace mrc
