#include "engine/chunk_loop.h"

#include <fmt/format.h>

namespace mrc {

Status ChunkLoop::each(i64 worker, const Take &take) {
  Counts counts;
  const Status status =
      run_.own_splits ? each_own(worker, take, &counts) : each_of_queue(worker, take, &counts);
  std::lock_guard lock(run_.mutex);
  run_.report.records += counts.records;
  run_.report.splits += counts.splits;
  run_.report.stolen += counts.stolen;
  run_.report.bytes += counts.bytes;
  return status;
}

Status ChunkLoop::each_of_queue(i64 worker, const Take &take, Counts *counts) {
  const Place &place = run_.plan.places[static_cast<size_t>(worker)];
  const bool static_schedule = run_.job.switches.static_schedule;
  ChunkReader reader(&queue_, run_.plan.io);
  Status status = Status::ok();
  while (status.is_ok()) {
    reader.join(static_schedule ? worker : group_here(run_.plan.topology, place));
    Result<std::optional<Chunk>> chunk = reader.next();
    if (chunk.is_ok() && !*chunk) break;
    status = chunk.is_ok() ? take(**chunk, &counts->records) : chunk.status();
    if (status.is_ok()) complain_of_rest(**chunk);
    if (worker == 0) watch();
  }
  counts->splits = reader.splits();
  counts->stolen = reader.stolen();
  counts->bytes = reader.bytes();
  return status;
}

Status ChunkLoop::each_own(i64 worker, const Take &take, Counts *counts) {
  OwnSplits::Reader reader(run_.own_splits.get());
  Status status = Status::ok();
  while (status.is_ok()) {
    Result<std::optional<Chunk>> chunk = reader.next();
    if (chunk.is_ok() && !*chunk) break;
    status = chunk.is_ok() ? take(**chunk, &counts->records) : chunk.status();
    ++counts->splits;
    if (chunk.is_ok()) counts->bytes += std::ssize((*chunk)->bytes);
    if (worker == 0) watch();
  }
  if (!status.is_ok()) run_.own_splits->cancel();
  return status;
}

// Inputs of records of a fixed size end where a record does, or something is missing.
void ChunkLoop::complain_of_rest(const Chunk &chunk) {
  const Job &job = run_.job;
  const i64 size = job.sort ? job.sort->record_bytes : job.map.record_bytes;
  const i64 rest = size == 0 ? 0 : std::ssize(chunk.bytes) % size;
  if (rest == 0 || queue_.cancelled()) return;
  const Source &source = queue_.sources()[static_cast<size_t>(chunk.source)];
  queue_.complain(chunk.source,
                  Status::error(fmt::format("{}: {} bytes are left over: records have {}",
                                            source.name(), rest, size)));
}

// Now and then: is anybody still interested?
void ChunkLoop::watch() {
  std::lock_guard lock(run_.mutex);
  const Plan &plan = run_.plan;
  const bool known = plan.streams == plan.packed;
  run_.observer->progress(queue_.bytes_claimed(), known ? plan.input_bytes + plan.packed_bytes : 0);
  if (run_.only_checks() || !run_.output->reader_left()) return;
  run_.report.abandoned = true;
  queue_.cancel();
  if (run_.own_splits) run_.own_splits->cancel();
}

}  // namespace mrc
