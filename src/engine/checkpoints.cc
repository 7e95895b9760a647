#include "engine/inner/checkpoints.h"

#include "base/seconds.h"
#include "engine/inner/bad_records.h"
#include "engine/inner/run.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

namespace mrc {
namespace {

// All workers together save less than 1/kShareSaved of the bytes of a tile at its end, or at most
// kLittle each.
constexpr i64 kShareSaved = 8;
constexpr i64 kLittle = i64{1} << 20;
constexpr i64 kLongTile = i64{1} << 30;  // longer tiles count as this long: time may end them early

}  // namespace

Checkpoints::Checkpoints(CheckpointInputs *inputs, const KeepSpec &spec, i64 workers,
                         Saver::Failed failed)
    : inputs_(*inputs),
      every_seconds_(spec.every_seconds),
      most_saved_(std::max(std::min(spec.every_bytes, kLongTile) / kShareSaved / workers, kLittle)),
      ledger_(Ledger::by_size(spec.every_bytes)),
      tile_began_(seconds_now()),
      next_run_(inputs->next_run()),
      tiles_(static_cast<size_t>(workers), -1),
      saved_(static_cast<size_t>(workers)),
      saver_(std::move(failed)) {}

i64 Checkpoints::enter(i64 worker, const Unit &unit) {
  const std::lock_guard lock(mutex_);
  if (every_seconds_ > 0 && seconds_now() - tile_began_ >= static_cast<double>(every_seconds_)) {
    ledger_.end_tile();
    tile_began_ = seconds_now();
  }
  const i64 tile = ledger_.enter(unit);
  i64 &its = tiles_[static_cast<size_t>(worker)];
  // The worker has returned to an earlier tile. The states that it saves next also cover the later
  // one, so no checkpoint may be made before that is complete.
  if (tile < its) held_until_ = std::max(held_until_, its);
  its = tile;
  return tile;
}

Result<std::shared_ptr<SavedPart>> Checkpoints::create() {
  i64 number;
  {
    const std::lock_guard lock(mutex_);
    number = next_run_++;
  }
  Result<RunFile> file = RunFile::create(inputs_.directory().run_path(number));
  if (!file.is_ok()) return file.status();
  return std::make_shared<SavedPart>(number, std::move(*file));
}

void Checkpoints::leave(i64 worker, i64 tile, Share share, std::shared_ptr<SavedPart> part,
                        bool emptied) {
  const std::lock_guard lock(mutex_);
  saved_[static_cast<size_t>(worker)].push_back({tile, std::move(part), emptied});
  Share &all = shares_[tile];
  std::ranges::move(share.portions, std::back_inserter(all.portions));
  std::ranges::move(share.finished, std::back_inserter(all.finished));
  all.flaws.add(share.flaws);
  ledger_.leave(tile, share.units);
  advance();
}

// Moves the front over complete tiles, and makes a checkpoint if it has moved.
void Checkpoints::advance() {
  const i64 before = front_;
  for (; front_ < ledger_.front(); ++front_) {
    const Share share = std::move(shares_.extract(front_).mapped());
    for (const Portion &portion : share.portions) marks_[portion.source].mapped.add(portion);
    for (const i64 source : share.finished) marks_[source].finished = true;
    flaws_.add(share.flaws);
  }
  if (front_ == before || front_ <= held_until_) return;
  saver_.save([this, next = Checkpoint{{.marks = marks_, .flaws = flaws_},
                                       parts_before(front_)}]() mutable { return save(&next); });
}

// Returns the files that hold the states of all tiles before `tile`: of each worker, the newest one
// and those after which it emptied its tables. Drops the files that these replace.
SavedParts Checkpoints::parts_before(i64 tile) {
  SavedParts parts;
  for (std::vector<Saved> &all : saved_) {
    std::vector<Saved> left;
    for (Saved &saved : all) {
      const bool replaces = !left.empty() && !left.back().emptied && saved.tile < tile;
      if (replaces) left.pop_back();
      left.push_back(std::move(saved));
    }
    all = std::move(left);
    for (const Saved &saved : all) {
      if (saved.part && saved.tile < tile) parts.push_back(saved.part);
    }
  }
  return parts;
}

Status Checkpoints::save(Checkpoint *next) {
  for (const auto &part : next->parts) {
    next->at.runs.push_back(part->number);
    if (std::exchange(part->is_named, true)) continue;
    if (Status status = part->file.commit(); !status.is_ok()) return status;
    bytes_ += part->file.size().is_ok() ? *part->file.size() : 0;
    part->file.rest();
  }
  ++made_;
  return inputs_.commit(std::move(next->at));
}

SavedParts Checkpoints::emptied() const {
  SavedParts parts;
  for (const std::vector<Saved> &all : saved_) {
    for (const Saved &saved : all) {
      if (saved.emptied && saved.part) parts.push_back(saved.part);
    }
  }
  return parts;
}

Saver::Saver(Failed failed) : failed_(std::move(failed)), thread_([this] { work_on(); }) {}

void Saver::save(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (has_failed_) return;
    next_ = std::move(work);
  }
  changed_.notify_one();
}

void Saver::fail(const Status &status) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_failed_, true)) return;
    next_.reset();
  }
  failed_(status);
}

bool Saver::has_failed() {
  const std::lock_guard lock(mutex_);
  return has_failed_;
}

void Saver::work_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || next_; });
    if (ends_) return;
    Work work = *std::exchange(next_, std::nullopt);
    lock.unlock();
    const Status status = guarded(work);
    work = nullptr;  // it may own files
    if (!status.is_ok()) fail(status);
    lock.lock();
  }
}

void Saver::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Saver::Failed complaint_to(Run *run) {
  return [run](const Status &status) {
    const std::lock_guard lock(run->mutex);
    run->observer->warn(status.message() + "; the job goes on without checkpoints");
  };
}

// The part of the current tile that one worker has mapped, for a job that makes checkpoints.

namespace {

class TileShare {
 public:
  // `bad` takes malformed records and values. All arguments outlive this.
  TileShare(Run *run, Checkpoints *checkpoints, i64 worker, BadRecordSink *bad)
      : run_(*run),
        checkpoints_(*checkpoints),
        worker_(worker),
        bad_(bad, run->program.map.terminator) {}

  // Returns a sink that counts malformed records and values and passes them on.
  BadRecordSink *bad() { return &bad_; }

  // Enters the tile of a unit. If the worker changes tiles, and its last tile may be saved, calls
  // leave_tile(), which saves the results so far and calls leave().
  template <typename LeaveTile>
  Status begin_unit(const Unit &unit, LeaveTile leave_tile) {
    const i64 tile = checkpoints_.enter(worker_, unit);
    if (tile != tile_ && tile_ >= 0 && may_leave()) {
      if (Status status = leave_tile(); !status.is_ok()) return status;
    }
    tile_ = tile;
    ++share_.units;
    if (unit.last) share_.finished.push_back(unit.source);
    return Status::ok();
  }

  // Adds a chunk that has been mapped, with the number of its records.
  void add(const Chunk &chunk, i64 records) {
    Portion portion{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes)};
    portion.records = records;
    bad_.move_to(&portion, &share_.flaws);
    has_bad_ |= portion.has_bad();
    add_portion(portion, &share_.portions);
  }

  // See Checkpoints::leave().
  void leave(std::shared_ptr<SavedPart> part, bool emptied) {
    checkpoints_.leave(worker_, tile_, std::exchange(share_, {}), std::move(part), emptied);
  }

 private:
  // False after damaged input, or after a malformed record or value with --strict: a resumed job
  // must meet and report it again.
  bool may_leave() const {
    if (checkpoints_.has_failed() || (has_bad_ && run_.program.strict)) return false;
    const std::lock_guard lock(run_.mutex);
    return run_.damaged.empty();
  }

  Run &run_;
  Checkpoints &checkpoints_;
  const i64 worker_;
  CountedBad bad_;
  i64 tile_ = -1;
  Checkpoints::Share share_;
  bool has_bad_ = false;
};

// Saves its product at the end of each tile except the last.
class CheckpointHand : public PlainHand {
 public:
  CheckpointHand(std::unique_ptr<TileShare> share, std::unique_ptr<Product> product,
                 Checkpoints *checkpoints)
      : PlainHand(std::move(product)), checkpoints_(*checkpoints), share_(std::move(share)) {}

  Status begin_unit(const Unit &unit) override {
    return share_->begin_unit(unit, [this] { return leave_tile(); });
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const i64 before = *records;
    Status status = PlainHand::take(chunk, records);
    share_->add(chunk, *records - before);
    return status;
  }

 private:
  Status leave_tile() {
    bool emptied = false;
    Result<std::shared_ptr<SavedPart>> part = product().save(&emptied);
    if (part.is_ok()) {
      share_->leave(std::move(*part), emptied);
      return Status::ok();
    }
    return emptied ? part.status() : checkpoints_.fail(part.status());
  }

  Checkpoints &checkpoints_;
  const std::unique_ptr<TileShare> share_;
};

}  // namespace

Checkpointed::Checkpointed(Run *run, Products *products)
    : run_(*run),
      products_(*products),
      inputs_(*run->plan.checkpoint),
      checkpoints_(&inputs_, run->program.keep, run->pool.size(), complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

std::unique_ptr<Hand> Checkpointed::make_hand(i64 worker, BadRecordSink *bad) {
  auto share = std::make_unique<TileShare>(&run_, &checkpoints_, worker, bad);
  auto product = products_.make_product(worker, share->bad(), &checkpoints_);
  return std::make_unique<CheckpointHand>(std::move(share), std::move(product), &checkpoints_);
}

Status Checkpointed::adopt() {
  run_.timer.begin("load");
  checkpoints_.finish();
  run_.report.checkpoints = checkpoints_.made();
  run_.report.sealed_bytes = checkpoints_.bytes();
  Result<SavedParts> earlier = parts_of_earlier_runs();
  if (!earlier.is_ok()) return earlier.status();
  return products_.adopt(std::move(*earlier), checkpoints_.emptied());
}

Result<SavedParts> Checkpointed::parts_of_earlier_runs() const {
  SavedParts parts;
  for (const i64 number : inputs_.parts()) {
    Result<RunFile> file = inputs_.directory().open_run(number);
    if (!file.is_ok()) return file.status();
    parts.push_back(std::make_shared<SavedPart>(number, std::move(*file)));
    parts.back()->file.rest();
  }
  return parts;
}

}  // namespace mrc
