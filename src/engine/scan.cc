#include "engine/inner/scan.h"

namespace mrc {
namespace {

Status take_chunks(ScanPart *part) {
  for (;;) {
    Result<std::optional<Chunk>> chunk = part->reader->next();
    if (!chunk.is_ok()) return chunk.status();
    if (!*chunk) return Status::ok();
    Status status = part->notes->note(**chunk);
    if (status.is_ok()) status = part->hand->take(**chunk, &part->records);
    if (!status.is_ok()) return status;
    part->notes->look_back();
    if (part->watch != nullptr) part->watch->look();
  }
}

class Scan {
 public:
  Scan(ChunkSource *source, Sink *sink, Watch *watch)
      : source_(*source), sink_(*sink), watch_(*watch) {}

  Status work(i64 worker) {
    Status status = guarded([&] { return take_part(worker); });
    if (!status.is_ok()) {
      source_.cancel();
      sink_.stop();
    }
    return status;
  }

 private:
  Status take_part(i64 worker) {
    Result<std::unique_ptr<Watch::Notes>> notes = watch_.begin(worker);
    if (!notes.is_ok()) return notes.status();
    const std::unique_ptr<ChunkSource::Reader> reader = source_.make_reader(worker);
    const std::unique_ptr<Hand> hand = sink_.make_hand(worker, (*notes)->bad());
    ScanPart part{reader.get(), hand.get(), notes->get(), worker == 0 ? &watch_ : nullptr};
    Status status = take_units(&part);
    const Status sealed = hand->seal(status.is_ok());
    watch_.end(std::move(*notes), reader->counts(), part.records);
    return status.is_ok() ? sealed : status;
  }

  ChunkSource &source_;
  Sink &sink_;
  Watch &watch_;
};

}  // namespace

Status take_units(ScanPart *part) {
  for (;;) {
    Result<std::optional<Unit>> unit = part->reader->claim();
    if (!unit.is_ok()) return unit.status();
    if (!*unit) return Status::ok();
    Status status = part->hand->begin_unit(**unit);
    if (status.is_ok()) status = take_chunks(part);
    if (status.is_ok()) status = part->hand->end_unit(**unit);
    if (!status.is_ok()) return status;
  }
}

Status scan(ChunkSource *source, Sink *sink, Watch *watch, WorkerPool *pool) {
  Scan scan(source, sink, watch);
  return pool->run(pool->size(), [&](i64 worker) { return scan.work(worker); });
}

}  // namespace mrc
