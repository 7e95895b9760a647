#include "engine/inner/checkpoints.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace mrc {
namespace {

// All workers together save less than 1/kShareSaved of the bytes of a tile at its end, or at most
// kLittle each.
constexpr i64 kShareSaved = 8;
constexpr i64 kLittle = i64{1} << 20;
constexpr i64 kLongTile = i64{1} << 30;  // longer tiles count as this long: time may end them early

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

Checkpoints::Checkpoints(CheckpointInputs *inputs, const KeepSpec &spec, i64 workers,
                         Saver::Failed failed)
    : inputs_(*inputs),
      every_seconds_(spec.every_seconds),
      most_saved_(std::max(std::min(spec.every_bytes, kLongTile) / kShareSaved / workers, kLittle)),
      ledger_(Ledger::by_size(spec.every_bytes)),
      tile_began_(now()),
      next_run_(inputs->next_run()),
      tiles_(static_cast<size_t>(workers), -1),
      saved_(static_cast<size_t>(workers)),
      saver_(std::move(failed)) {}

i64 Checkpoints::enter(i64 worker, const Unit &unit) {
  const std::lock_guard lock(mutex_);
  if (every_seconds_ > 0 && now() - tile_began_ >= static_cast<double>(every_seconds_)) {
    ledger_.end_tile();
    tile_began_ = now();
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

}  // namespace mrc
