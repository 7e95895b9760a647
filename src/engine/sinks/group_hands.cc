// What a worker does with chunks that are grouped, and what it hands over.
#include "engine/sinks/counted_bad.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/tile_share.h"

#include <utility>

namespace mrc {

class GroupingSink::GroupHand : public Hand {
 public:
  GroupHand(GroupingSink *sink, i64 worker, BadRecordSink *bad)
      : sink_(*sink),
        worker_(worker),
        numbers_lines_(sink->run_.program.map.values == MapSpec::Values::line),
        grouping_(std::make_unique<GroupWorker>(sink->layout_, sink->settings_of(worker))),
        mapper_(sink->make_mapper(bad)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    if (numbers_lines_) lines_.add(chunk, sink_.run_.program.map.terminator);
    *records += grouping_->map(mapper_.get(), chunk);
    if (Status status = sink_.failure(); !status.is_ok()) return status;
    return grouping_->relieve();
  }

  Status seal(bool whole) override {
    Result<std::unique_ptr<MapOutput>> output = end(whole);
    if (!output.is_ok() || !*output) return output.status();
    std::lock_guard lock(sink_.run_.mutex);
    sink_.outputs_[static_cast<size_t>(worker_)] = std::move(*output);
    sink_.names_.lines.add(lines_);
    return sink_.value_runs_.status();
  }

 protected:
  // What has been made so far; null if it is not `whole`.
  Result<std::unique_ptr<MapOutput>> end(bool whole) {
    grouping_->finish_mapper(mapper_.get());
    if (Status status = sink_.failure(); !status.is_ok()) return status;
    if (!whole) return std::unique_ptr<MapOutput>();
    return grouping_->finish();
  }
  void begin_anew(BadRecordSink *bad, std::unique_ptr<MapOutput> empty) {
    mapper_ = sink_.make_mapper(bad);
    grouping_->begin_anew(0, std::move(empty));
  }
  // What a mapper holds back until its end becomes part of what has been made.
  void renew_mapper(BadRecordSink *bad) {
    grouping_->finish_mapper(mapper_.get());
    if (sink_.failure().is_ok()) mapper_ = sink_.make_mapper(bad);
  }
  // A copy of what has been made so far is saved.
  Result<std::shared_ptr<StatePart>> save(BadRecordSink *bad, bool *emptied) {
    renew_mapper(bad);
    if (Status status = sink_.failure(); !status.is_ok()) return status;
    return sink_.checkpoints_->save(grouping_.get(), emptied);
  }
  // What has been made of a tile.
  std::unique_ptr<MapOutput> leave_tile(std::unique_ptr<MapOutput> next) {
    return grouping_->leave_tile(std::move(next));
  }
  void move_lines(std::string *message) {
    if (numbers_lines_) lines_.move_to(message);
  }
  i64 worker() const { return worker_; }
  GroupWorker *grouping() { return grouping_.get(); }

  GroupingSink &sink_;

 private:
  const i64 worker_;
  const bool numbers_lines_;
  // On the heap: batches are larger than a stack should hold.
  std::unique_ptr<GroupWorker> grouping_;
  std::unique_ptr<Mapper> mapper_;
  LineTable lines_;
};

// Lends what it has made, for interim answers.
class GroupingSink::LiveHand : public GroupHand {
 public:
  LiveHand(GroupingSink *sink, i64 worker, BadRecordSink *bad)
      : GroupHand(sink, worker, bad),
        live_(*sink->live_),
        bad_(bad),
        lender_(live_.lend(grouping())) {}

  // What a plugin's worker holds back until its end is shown, too.
  Status begin_unit(const Unit &unit) override {
    live_.begin_unit(lender_, unit);
    if (!lender_->is_asked()) return Status::ok();
    const auto held = lender_->hold();
    renew_mapper(bad_);
    return sink_.failure();
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const auto held = lender_->hold();
    Status status = GroupHand::take(chunk, records);
    lender_->add(std::ssize(chunk.bytes));
    return status;
  }

  Status end_unit(const Unit &) override {
    live_.end_unit(lender_);
    return Status::ok();
  }

  Status seal(bool whole) override {
    const auto held = lender_->hold();
    Status status = GroupHand::seal(whole);
    lender_->end(sink_.outputs_[static_cast<size_t>(worker())].get());
    return status;
  }

 private:
  LiveGroups &live_;
  BadRecordSink *bad_;
  LiveGroups::Lender *lender_;
};

// In a worker process: what it has made is saved time and again.
class GroupingSink::IsolatedHand : public GroupHand {
 public:
  IsolatedHand(GroupingSink *sink, BadRecordSink *bad) : GroupHand(sink, 0, bad), bad_(bad) {}

  Result<SealedPart> seal_part() override {
    renew_mapper(bad_);
    if (Status status = sink_.failure(); !status.is_ok()) return status;
    Result<SealedPart> part = sink_.isolated_->save(sink_.settings().overflow, grouping());
    if (part.is_ok()) move_lines(&part->notes);
    return part;
  }

 private:
  BadRecordSink *bad_;
};

// Hands over what it has made of each tile of its group of CPUs, and helps to reduce what is due.
class GroupingSink::TiledHand : public GroupHand {
 public:
  TiledHand(GroupingSink *sink, i64 worker, TileReducer *tiles, BadRecordSink *bad)
      : GroupHand(sink, worker, bad), tiles_(*tiles) {}

  Status begin_unit(const Unit &unit) override {
    const TilePlace &place = unit.tile;
    if (place.units_before > 0) tiles_.close(place.number - 1, place.units_before);
    i64 left = -1;
    if (place.number != tile_ && units_ > 0) {
      left = tile_;
      tiles_.leave(left, std::exchange(units_, 0), leave_tile(tiles_.take_empty()));
    }
    tile_ = place.number;
    ++units_;
    return tiles_.help(left);
  }

  // What it has made of its last tile is part of the whole.
  Status seal(bool whole) override {
    if (whole) {
      if (units_ > 0) tiles_.leave(tile_, units_, nullptr);
      if (Status status = tiles_.end(); !status.is_ok()) return status;
    }
    return GroupHand::seal(whole);
  }

 private:
  TileReducer &tiles_;
  i64 tile_ = 0, units_ = 0;
};

// Hands over what it has made of each tile.
class GroupingSink::KeptHand : public GroupHand {
 public:
  KeptHand(GroupingSink *sink, i64 worker, std::unique_ptr<CountedBad> bad)
      : GroupHand(sink, worker, bad.get()), kept_(*sink->kept_), bad_(std::move(bad)) {}

  Status begin_unit(const Unit &unit) override {
    const i64 tile = kept_.tiles()->enter(unit);
    if (tile != tile_) {
      if (Status status = leave_tile(); !status.is_ok()) return status;
      begin_anew(bad_.get(), kept_.tiles()->take_empty());
      tile_ = tile;
    }
    ++part_.units;
    return Status::ok();
  }

  Status take(const Chunk &chunk, i64 *records) override {
    Covered covered{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes),
                    kept_.hash().of(chunk.offset, chunk.bytes)};
    if (!chunk.bytes.empty()) covered.open = chunk.bytes.back() != kept_.terminator();
    Status status = GroupHand::take(chunk, &covered.records);
    *records += covered.records;
    bad_->move_to(&covered, &flaws_);
    add_covered(covered, &part_.covered);
    return status;
  }

  Status seal(bool whole) override { return whole ? leave_tile() : end(false).status(); }

 private:
  Status leave_tile() {
    if (part_.units == 0) return Status::ok();
    Result<std::unique_ptr<MapOutput>> output = end(true);
    if (!output.is_ok()) return output.status();
    part_.output = std::move(*output);
    return kept_.tiles()->leave(tile_, std::exchange(part_, {}));
  }

  KeptGroups &kept_;
  const std::unique_ptr<CountedBad> bad_;
  i64 tile_ = -1;
  TilePart part_;
  KeptFlaws flaws_;  // which a state does not keep
};

// Saves what it has made at the end of each tile. What comes after the last is not worth it.
class GroupingSink::CheckpointHand : public GroupHand {
 public:
  CheckpointHand(GroupingSink *sink, i64 worker, std::unique_ptr<TileShare> share)
      : GroupHand(sink, worker, share->bad()), share_(std::move(share)) {}

  Status begin_unit(const Unit &unit) override {
    return share_->begin_unit(unit, [this] { return leave_tile(); });
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const i64 before = *records;
    Status status = GroupHand::take(chunk, records);
    share_->add(chunk, *records - before);
    return status;
  }

 private:
  Status leave_tile() {
    bool emptied = false;
    Result<std::shared_ptr<StatePart>> part = save(share_->bad(), &emptied);
    if (!part.is_ok() && emptied) return part.status();  // what could not be written is lost
    if (part.is_ok()) {
      share_->leave(std::move(*part), emptied);
    } else {
      sink_.checkpoints_->checkpoints().fail(part.status());
    }
    return Status::ok();
  }

  const std::unique_ptr<TileShare> share_;
};

std::unique_ptr<Hand> GroupingSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (!tiles_.empty()) {
    const i64 group = run_.plan.places[static_cast<size_t>(worker)].group;
    return std::make_unique<TiledHand>(this, worker, tiles_[static_cast<size_t>(group)].get(), bad);
  }
  if (kept_) {
    auto counted = std::make_unique<CountedBad>(bad, run_.program.map.terminator);
    return std::make_unique<KeptHand>(this, worker, std::move(counted));
  }
  if (checkpoints_) {
    auto share = std::make_unique<TileShare>(&run_, &checkpoints_->checkpoints(), worker, bad);
    return std::make_unique<CheckpointHand>(this, worker, std::move(share));
  }
  if (partial_) {
    return std::make_unique<NotingHand<GroupHand>>(&partial_->piece(), this, worker, bad);
  }
  if (isolated_) return std::make_unique<IsolatedHand>(this, bad);
  if (live_) return std::make_unique<LiveHand>(this, worker, bad);
  return std::make_unique<GroupHand>(this, worker, bad);
}

}  // namespace mrc
