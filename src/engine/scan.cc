#include "engine/scan.h"

#include <atomic>
#include <barrier>

namespace mrc {
namespace {

class Scan {
 public:
  Scan(ChunkSource *source, Sink *sink, Watch *watch, const Tiling &tiling, i64 workers)
      : source_(*source), sink_(*sink), watch_(*watch), tiling_(tiling), barrier_(workers) {}

  Status work(i64 worker) {
    Status status = guarded([&] { return take_part(worker); });
    if (!status.is_ok()) {
      source_.cancel();
      sink_.stop();
    }
    barrier_.arrive_and_drop();
    return status;
  }

 private:
  Status take_part(i64 worker) {
    Result<std::unique_ptr<Watch::Notes>> notes = watch_.begin(worker);
    if (!notes.is_ok()) return notes.status();
    const std::unique_ptr<ChunkSource::Reader> reader = source_.make_reader(worker);
    const std::unique_ptr<Hand> hand = sink_.make_hand(worker, (*notes)->bad());
    Part part{worker, reader.get(), hand.get(), notes->get()};
    Status status = take_units(&part);
    const Status sealed = hand->seal(status.is_ok());
    watch_.end(std::move(*notes), reader->counts(), part.records);
    return status.is_ok() ? sealed : status;
  }

  // What one worker has.
  struct Part {
    i64 worker;
    ChunkSource::Reader *reader;
    Hand *hand;
    Watch::Notes *notes;
    i64 records = 0, tile = 0;
  };

  Status take_units(Part *part) {
    for (;;) {
      Result<std::optional<Unit>> unit = part->reader->claim();
      if (!unit.is_ok()) return unit.status();
      if (!*unit) return Status::ok();
      Status status = begin_tile_of(**unit, part);
      if (status.is_ok()) status = part->hand->begin_unit(**unit);
      if (status.is_ok()) status = take_chunks(part);
      if (status.is_ok()) status = part->hand->end_unit(**unit);
      if (!status.is_ok()) return status;
    }
  }

  Status take_chunks(Part *part) {
    for (;;) {
      Result<std::optional<Chunk>> chunk = part->reader->next();
      if (!chunk.is_ok()) return chunk.status();
      if (!*chunk) return Status::ok();
      Status status = part->notes->note(**chunk);
      if (status.is_ok()) status = part->hand->take(**chunk, &part->records);
      if (!status.is_ok()) return status;
      if (part->worker == 0) watch_.look();
    }
  }

  // Ends the worker's part of the tile before, if the unit is of a new one. The partial reduce
  // of a tile overlaps the map of the next one, of other workers.
  Status begin_tile_of(const Unit &unit, Part *part) {
    if (tiling_.bytes == 0) return Status::ok();
    const i64 tile = claimed_.fetch_add(unit.end - unit.begin) / tiling_.bytes;
    if (tiling_.overlap && part->tile < tile) {
      part->tile = tile;
      return part->hand->end_tile();
    }
    for (; part->tile < tile; ++part->tile) {
      barrier_.arrive_and_wait();
      if (Status status = part->hand->end_tile(); !status.is_ok()) return status;
      barrier_.arrive_and_wait();
    }
    return Status::ok();
  }

  ChunkSource &source_;
  Sink &sink_;
  Watch &watch_;
  const Tiling tiling_;
  std::atomic<i64> claimed_{0};  // bytes
  std::barrier<> barrier_;       // where tiles do not overlap
};

}  // namespace

Status scan(ChunkSource *source, Sink *sink, Watch *watch, WorkerPool *pool, const Tiling &tiling) {
  Scan scan(source, sink, watch, tiling, pool->size());
  return pool->run(pool->size(), [&](i64 worker) { return scan.work(worker); });
}

}  // namespace mrc
