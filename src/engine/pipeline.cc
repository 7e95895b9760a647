// A record's life, from top to bottom.
#include "engine/distinct_sketch.h"
#include "engine/engine.h"
#include "engine/map_worker.h"
#include "engine/order_check.h"
#include "engine/phase_timer.h"
#include "engine/plan_topology.h"
#include "engine/positions.h"
#include "engine/range_writer.h"
#include "engine/row_collector.h"
#include "reduce/reduce.h"
#include "split/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <mutex>

namespace mrc {
namespace {

// The job's reducers, those of positions with the names of this run.
std::vector<const Reducer *> reducers_of(const Job &job, const Reducer *positions) {
  std::vector<const Reducer *> reducers = job.reducers;
  std::replace(reducers.begin(), reducers.end(), &kPositions, positions);
  return reducers;
}

// Inputs of records of a fixed size end where a record does, or something is missing.
void complain_of_rest(const SortSpec &spec, const Chunk &chunk, SplitQueue *queue) {
  const i64 size = spec.record_bytes, rest = size == 0 ? 0 : std::ssize(chunk.bytes) % size;
  if (rest == 0 || queue->cancelled()) return;
  const Source &source = queue->sources()[static_cast<size_t>(chunk.source)];
  queue->complain(chunk.source,
                  Status::error(fmt::format("{}: {} bytes are left over: records have {}",
                                            source.name(), rest, size)));
}

class Run {
 public:
  Run(const Job &job, const Plan &plan, Observer *observer)
      : job_(job),
        plan_(plan),
        observer_(observer),
        positions_(positions_reducer(&names_)),
        layout_(reducers_of(job, &positions_)),
        rows_{.state_bytes = layout_.state_bytes()},
        order_(job.order),
        pool_(plan.workers, job.switches.pool),
        tile_barrier_(plan.workers) {
    if (job.sort) {
      rows_ = job.sort->layout();
      order_ = job.sort->order();
      order_.limit = job.order.limit;
    }
    order_.common = plan.common_prefix;
    order_.merge_tree = job.switches.merge_tree;
    runs_ = std::make_unique<RowRuns>(order_, rows_, job.sort ? nullptr : &layout_, plan.tmpdir);
  }

  Result<Report> go();

 private:
  Status map();
  Status reduce();
  Status reduce_partitions(i64 worker, int bits, std::atomic<i64> *next);
  Status finish_in_memory(PhaseTimer *timer);
  Status finish_from_runs(PhaseTimer *timer);
  std::unique_ptr<Formatter> formatter_for_rows() const;
  Status commit(Status written);
  Status spill_if_large(RowStore *store);
  Status write_number(i64 number);

  // Calls take(chunk, &records) for one chunk after another until there are no more.
  using TakeChunk = std::function<Status(const Chunk &chunk, i64 *records)>;
  Status each_chunk(i64 worker, SplitQueue *queue, const TakeChunk &take);
  i64 worker_share() const { return plan_.memory / pool_.size(); }
  Status map_groups(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed);
  MapSettings map_settings(Seed seed) const;
  Status map_sketch(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed);
  Status finish_sketch(PhaseTimer *timer);
  void end_tile(MapWorker *mapping);
  Status map_rows(i64 worker, SplitQueue *queue);
  bool checking() const { return job_.sort && job_.sort->check; }
  Status map_order(i64 worker, SplitQueue *queue);
  bool all_claimed_before(u64 position) const;
  std::vector<RowStore *> stores();
  void watch(SplitQueue *queue);
  void describe_groups();

  const Job &job_;
  const Plan &plan_;
  Observer *observer_;
  PositionNames names_;
  Reducer positions_;
  StateLayout layout_;
  RowLayout rows_;
  Order order_;
  WorkerPool pool_;
  std::barrier<> tile_barrier_;  // where tiles do not overlap
  std::unique_ptr<OutputFile> output_;
  Report report_;
  i64 unread_sources_ = 0;
  std::mutex mutex_;  // of the report and the observer, while workers map

  // By worker; null where a worker had nothing to do.
  std::vector<std::unique_ptr<MapOutput>> outputs_;
  std::vector<std::unique_ptr<RowStore>> stores_;
  std::unique_ptr<RowRuns> runs_;  // of rows that did not fit
  HyperLogLog sketch_;             // of all keys, if that is the answer
  std::optional<OrderCheck> order_check_;
  std::atomic<u64> least_disorder_{~u64{0}};
};

Result<Report> Run::go() {
  report_.phases = plan_.phases;
  PhaseTimer timer(&report_.phases);
  timer.begin("open");
  Result<std::unique_ptr<OutputFile>> output = OutputFile::open(job_.output);
  if (!output.is_ok()) return output.status();
  output_ = std::move(*output);

  timer.begin("map");
  if (Status status = map(); !status.is_ok()) return status;
  // Beyond this point, no new key will appear.

  const bool answers = !report_.abandoned && !report_.unread;
  if (order_check_) {
    observer_->writing();
    report_.disorder = order_check_->first_disorder(plan_.sources);
  } else if (answers && job_.answer == Job::Answer::estimate) {
    if (Status status = finish_sketch(&timer); !status.is_ok()) return status;
  } else if (answers) {
    if (!job_.sort) {
      timer.begin("reduce");
      if (Status status = reduce(); !status.is_ok()) return status;
    }
    // Beyond this point, rows exist and states of workers do not count any more.

    Status status = runs_->empty() ? finish_in_memory(&timer) : finish_from_runs(&timer);
    if (!status.is_ok()) return status;
  }
  timer.end();
  return std::move(report_);
}

Status Run::map() {
  std::vector<Split> splits = plan_.splits;
  Shares shares = plan_.shares;
  if (plan_.by_pages) deal_by_pages(plan_, &splits, &shares);
  SplitQueue queue(
      plan_.sources, std::move(splits), cuts_of(job_),
      [this](const Source &, const Status &what) {
        std::lock_guard lock(mutex_);
        ++unread_sources_;
        observer_->complain(what.message());
      },
      std::move(shares));
  const Seed seed = job_.seed ? *job_.seed : Seed::random();
  const std::unique_ptr<Mapper> mapper = make_mapper(job_.map, *plan_.scanner);
  outputs_.resize(static_cast<size_t>(pool_.size()));
  stores_.resize(static_cast<size_t>(pool_.size()));
  report_.workers = pool_.size();

  Status status = pool_.run(pool_.size(), [&](i64 worker) {
    if (Status bound = bind(plan_.places[static_cast<size_t>(worker)]); !bound.is_ok()) {
      queue.cancel();
      return bound;
    }
    if (job_.answer == Job::Answer::estimate) return map_sketch(worker, *mapper, &queue, seed);
    if (checking()) return map_order(worker, &queue);
    return job_.sort ? map_rows(worker, &queue) : map_groups(worker, *mapper, &queue, seed);
  });
  names_.values = job_.map.values;
  names_.sources = plan_.sources;
  names_.lines.seal();
  report_.partial = !plan_.unreadable.empty() || unread_sources_ > 0;
  report_.unread = report_.bytes == 0 && unread_sources_ == std::ssize(plan_.sources);
  if (status.is_ok()) describe_groups();
  return status;
}

Status Run::each_chunk(i64 worker, SplitQueue *queue, const TakeChunk &take) {
  const Place &place = plan_.places[static_cast<size_t>(worker)];
  ChunkReader reader(queue, plan_.io);
  i64 records = 0;
  Status status = Status::ok();
  while (status.is_ok()) {
    reader.join(job_.switches.static_schedule ? worker : group_here(plan_.topology, place));
    Result<std::optional<Chunk>> chunk = reader.next();
    if (chunk.is_ok() && !*chunk) break;
    status = chunk.is_ok() ? take(**chunk, &records) : chunk.status();
    if (status.is_ok() && job_.sort) complain_of_rest(*job_.sort, **chunk, queue);
    if (worker == 0) watch(queue);
  }
  if (!status.is_ok()) queue->cancel();
  std::lock_guard lock(mutex_);
  report_.records += records;
  report_.splits += reader.splits();
  report_.stolen += reader.stolen();
  report_.bytes += reader.bytes();
  return status;
}

MapSettings Run::map_settings(Seed seed) const {
  MapSettings settings;
  settings.container = {job_.container,
                        layout_.state_bytes(),
                        {job_.switches.prefetch, job_.switches.fingerprint},
                        plan_.expected_keys,
                        plan_.forecast.shares};
  settings.seed = seed;
  settings.stage.shape.raw_bytes = job_.map.values == MapSpec::Values::none ? 0 : 8;
  settings.stage.shape.state_bytes = layout_.state_bytes();
  settings.stage.partition_bits = plan_.partition_bits;
  settings.stage.seed = seed;
  settings.stage.tmpdir = plan_.tmpdir;
  settings.rules = {job_.switches.drift, job_.switches.bypass};
  settings.hot_bytes = plan_.hot_bytes;
  settings.memory_bytes = worker_share();
  settings.tile_bytes = plan_.tile_bytes / pool_.size();
  settings.eager = job_.switches.eager;
  settings.reuse = job_.switches.reuse;
  return settings;
}

Status Run::map_groups(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed) {
  // Made by the worker itself, so that its memory is near it. On the heap: batches
  // are larger than a stack should hold.
  auto mapping = std::make_unique<MapWorker>(layout_, map_settings(seed));
  LineTable lines;
  Status status = each_chunk(worker, queue, [&](const Chunk &chunk, i64 *records) {
    if (job_.map.values == MapSpec::Values::line) lines.add(chunk, job_.map.terminator);
    *records += mapping->map(mapper, chunk);
    if (mapping->tile_is_mapped()) end_tile(mapping.get());
    return mapping->relieve();
  });
  tile_barrier_.arrive_and_drop();
  if (!status.is_ok()) return status;
  Result<std::unique_ptr<MapOutput>> output = mapping->finish();
  if (!output.is_ok()) return output.status();
  outputs_[static_cast<size_t>(worker)] = std::move(*output);
  std::lock_guard lock(mutex_);
  names_.lines.add(lines);
  return status;
}

// Nothing is grouped: the hashes of keys go into a sketch, and that is all there is.
Status Run::map_sketch(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed) {
  auto sketch = std::make_unique<DistinctSketch>(seed);
  Status status = each_chunk(worker, queue, [&](const Chunk &chunk, i64 *records) {
    *records += sketch->map(mapper, chunk);
    return Status::ok();
  });
  std::lock_guard lock(mutex_);
  sketch_.merge(sketch->keys());
  return status;
}

// The partial reduce of a tile overlaps the map of the next one, of other workers;
// without the pipeline all wait for the last one, before and after.
void Run::end_tile(MapWorker *mapping) {
  if (!job_.switches.pipeline) tile_barrier_.arrive_and_wait();
  mapping->end_tile();
  if (!job_.switches.pipeline) tile_barrier_.arrive_and_wait();
}

Status Run::map_rows(i64 worker, SplitQueue *queue) {
  auto store = std::make_unique<RowStore>(rows_, KeyBytes::copied);
  RecordRows records(*job_.sort, *plan_.scanner, order_);
  Status status = each_chunk(worker, queue, [&](const Chunk &chunk, i64 *added) {
    *added += records.add(chunk, store.get());
    return spill_if_large(store.get());
  });
  stores_[static_cast<size_t>(worker)] = std::move(store);
  return status;
}

Status Run::map_order(i64 worker, SplitQueue *queue) {
  OrderCheck check(*job_.sort, &least_disorder_);
  Status status = each_chunk(worker, queue, [&](const Chunk &chunk, i64 *records) {
    *records += check.add(chunk);
    if (check.found() && all_claimed_before(least_disorder_)) queue->cancel();
    return Status::ok();
  });
  std::lock_guard lock(mutex_);
  if (!order_check_) order_check_.emplace(*job_.sort, &least_disorder_);
  order_check_->add(&check);
  return status;
}

// Whether whoever finds disorder there may cancel the queue: then what is claimed is still
// read, and all that comes before must be.
bool Run::all_claimed_before(u64 position) const {
  const auto before = plan_.sources.begin() + source_of(position);
  if (before->stream) return true;  // they come last, one after another
  return plan_.shares.ends.size() <= 1 &&
         std::none_of(plan_.sources.begin(), before, [](const Source &s) { return s.stream; });
}

// Now and then: is anybody still interested?
void Run::watch(SplitQueue *queue) {
  std::lock_guard lock(mutex_);
  observer_->progress(queue->bytes_claimed(), plan_.streams > 0 ? 0 : plan_.input_bytes);
  if (!checking() && output_->reader_left()) {
    report_.abandoned = true;
    queue->cancel();
  }
}

void Run::describe_groups() {
  report_.forecast = plan_.forecast;
  ContainerUsage all;
  for (const auto &output : outputs_) {
    if (!output) continue;
    all += output->groups.usage();
    if (!output->stage) continue;
    report_.staged_records += output->stage->records();
    report_.spilled_records += output->stage->spilled_records();
    report_.spilled_bytes += output->stage->spilled_bytes();
  }
  report_.worker_keys = all.keys;
  report_.worker_slots = all.slots;
  report_.worker_bytes = all.bytes;
  report_.growths = all.growths;
}

Status Run::reduce() {
  int bits = choose_partition_bits(report_.worker_keys, pool_.size());
  if (report_.staged_records + report_.spilled_records > 0) {
    bits = std::max(bits, plan_.partition_bits);
  }
  report_.partitions = i64{1} << bits;
  std::atomic<i64> next{0};
  return pool_.run(std::min(pool_.size(), report_.partitions),
                   [&](i64 worker) { return reduce_partitions(worker, bits, &next); });
}

Status Run::reduce_partitions(i64 worker, int bits, std::atomic<i64> *next) {
  const bool staged = report_.staged_records + report_.spilled_records > 0;
  auto store = std::make_unique<RowStore>(rows_, staged ? KeyBytes::copied : KeyBytes::borrowed);
  RowCollector collector(layout_, order_, store.get());
  GroupCounter counter;
  GroupSink *sink = &collector;
  if (job_.answer == Job::Answer::number) sink = &counter;
  PartitionReducer reducer(outputs_, layout_, &store->arena(), worker_share() / 2);
  for (i64 partition; (partition = next->fetch_add(1)) < report_.partitions;) {
    Status status = reducer.reduce({partition, bits}, sink);
    if (status.is_ok()) status = spill_if_large(store.get());
    if (!status.is_ok()) return status;
  }
  std::lock_guard lock(mutex_);
  report_.keys += counter.groups() + collector.groups();
  stores_[static_cast<size_t>(worker)] = std::move(store);
  return Status::ok();
}

Status Run::spill_if_large(RowStore *store) {
  return store->memory_bytes() > worker_share() / 2 ? runs_->spill(store) : Status::ok();
}

std::vector<RowStore *> Run::stores() {
  std::vector<RowStore *> all;
  for (const auto &store : stores_) {
    if (store) all.push_back(store.get());
  }
  return all;
}

Status Run::finish_sketch(PhaseTimer *timer) {
  timer->begin("write");
  observer_->writing();
  report_.keys = sketch_.estimate();
  return commit(write_number(report_.keys));
}

Status Run::finish_in_memory(PhaseTimer *timer) {
  timer->begin("sort");
  Result<Rows> rows = sort_rows(stores(), order_, rows_, &pool_);
  if (!rows.is_ok()) return rows.status();

  timer->begin("write");
  observer_->writing();
  if (job_.answer == Job::Answer::number) return commit(write_number(report_.keys));
  const std::unique_ptr<Formatter> formatter = formatter_for_rows();
  if (formatter->measures()) formatter->measure(*rows);
  report_.rows = rows->size();
  return commit(write_rows(*rows, *formatter, output_.get(), &pool_));
}

// Rows are in sorted runs on disk: they are ordered, formatted and written range by range.
Status Run::finish_from_runs(PhaseTimer *timer) {
  timer->begin("sort");
  for (RowStore *store : stores()) {
    if (Status status = runs_->spill(store); !status.is_ok()) return status;
  }
  stores_.clear();
  outputs_.clear();

  timer->begin("write");
  observer_->writing();
  RangeWriter writer(runs_.get(), rows_, order_.limit, worker_share() / 4);
  const std::unique_ptr<Formatter> formatter = formatter_for_rows();
  Status status = writer.write(formatter.get(), output_.get(), &pool_);
  report_.rows = writer.rows();
  return commit(status);
}

std::unique_ptr<Formatter> Run::formatter_for_rows() const {
  return job_.sort ? make_record_formatter(job_.shape, rows_) : make_formatter(job_.shape, layout_);
}

Status Run::commit(Status written) {
  if (written.is_ok()) written = output_->commit();
  report_.abandoned = output_->abandoned();
  return written;
}

Status Run::write_number(i64 number) {
  report_.rows = 1;
  return output_->write(fmt::format("{}{}", number, job_.shape.terminator));
}

}  // namespace

Result<Report> run(const Job &job, const Plan &plan, Observer *observer) {
  std::optional<AffinityKeeper> keeper;  // worker 0 is this thread
  if (job.pin) keeper.emplace();
  try {
    return Run(job, plan, observer).go();
  } catch (const std::bad_alloc &) {
    return Status::error("out of memory");
  }
}

}  // namespace mrc
