// A record's life, from top to bottom.
#include "engine/engine.h"
#include "engine/map_worker.h"
#include "engine/phase_timer.h"
#include "engine/plan_topology.h"
#include "reduce/reduce.h"
#include "split/split.h"

#include <atomic>
#include <mutex>

namespace mrc {
namespace {

// Receives finished groups and keeps them as rows, with what their order needs.
class RowCollector : public GroupSink {
 public:
  RowCollector(const StateLayout &layout, const Order &order)
      : layout_(layout), order_(order), rows_(layout.state_bytes()) {}

  void take(Bytes key, const State *state) override {
    u64 rank = order_.reducer < 0 ? 0 : layout_.rank(order_.reducer, state);
    rows_.add(order_prefix(order_, key, rank), key, state);
  }
  RowStore *rows() { return &rows_; }

 private:
  const StateLayout &layout_;
  const Order &order_;
  RowStore rows_;
};

class Run {
 public:
  Run(const Job &job, const Plan &plan, Observer *observer)
      : job_(job), plan_(plan), observer_(observer), layout_(job.reducers), pool_(plan.workers) {}

  Result<Report> go();

 private:
  Status map();
  Status reduce();
  Status write(const std::vector<Row> &rows);

  Status map_chunks(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed);
  void watch(SplitQueue *queue);
  void describe_groups();

  const Job &job_;
  const Plan &plan_;
  Observer *observer_;
  StateLayout layout_;
  WorkerPool pool_;
  std::unique_ptr<OutputFile> output_;
  Report report_;
  i64 unread_sources_ = 0;
  std::mutex mutex_;  // of the report and the observer, while workers map

  // By worker; null where a worker had nothing to do.
  std::vector<std::unique_ptr<Groups>> groups_;
  std::vector<std::unique_ptr<RowCollector>> collectors_;
};

Result<Report> Run::go() {
  PhaseTimer timer(&report_.phases);
  timer.begin("open");
  Result<std::unique_ptr<OutputFile>> output = OutputFile::open(job_.output);
  if (!output.is_ok()) return output.status();
  output_ = std::move(*output);

  timer.begin("map");
  if (Status status = map(); !status.is_ok()) return status;
  // Beyond this point, no new key will appear.

  if (!report_.abandoned && !report_.unread) {
    timer.begin("reduce");
    if (Status status = reduce(); !status.is_ok()) return status;
    // Beyond this point, rows exist and states of workers do not count any more.

    timer.begin("sort");
    std::vector<RowStore *> stores;
    for (auto &collector : collectors_) {
      if (collector) stores.push_back(collector->rows());
    }
    Result<std::vector<Row>> rows = sort_rows(stores, job_.order, layout_.state_bytes(), &pool_);
    if (!rows.is_ok()) return rows.status();

    timer.begin("write");
    if (Status status = write(*rows); !status.is_ok()) return status;
  }
  timer.end();
  return std::move(report_);
}

Status Run::map() {
  std::vector<Split> splits = plan_.splits;
  Shares shares = plan_.shares;
  if (plan_.by_pages) deal_by_pages(plan_, &splits, &shares);
  SplitQueue queue(
      plan_.sources, std::move(splits), CutBytes(job_.map.cut_bytes()),
      [this](const Source &, const Status &what) {
        std::lock_guard lock(mutex_);
        ++unread_sources_;
        observer_->complain(what.message());
      },
      std::move(shares));
  const Seed seed = job_.seed ? *job_.seed : Seed::random();
  const std::unique_ptr<Mapper> mapper = make_mapper(job_.map, *plan_.scanner);
  groups_.resize(static_cast<size_t>(pool_.size()));
  report_.workers = pool_.size();

  Status status = pool_.run(pool_.size(),
                            [&](i64 worker) { return map_chunks(worker, *mapper, &queue, seed); });
  report_.partial = !plan_.unreadable.empty() || unread_sources_ > 0;
  report_.unread = report_.bytes == 0 && unread_sources_ == std::ssize(plan_.sources);
  if (status.is_ok()) describe_groups();
  return status;
}

Status Run::map_chunks(i64 worker, const Mapper &mapper, SplitQueue *queue, Seed seed) {
  const Place &place = plan_.places[static_cast<size_t>(worker)];
  if (Status status = bind(place); !status.is_ok()) {
    queue->cancel();
    return status;
  }
  // Made by the worker itself, so that its memory is near it. On the heap: batches
  // are larger than a stack should hold.
  auto mapping = std::make_unique<MapWorker>(layout_, seed);
  ChunkReader reader(queue, plan_.io);
  for (;;) {
    reader.join(group_here(plan_.topology, place));
    Result<std::optional<Chunk>> chunk = reader.next();
    if (!chunk.is_ok()) {
      queue->cancel();
      return chunk.status();
    }
    if (!*chunk) break;
    mapping->map(mapper, **chunk);
    if (worker == 0) watch(queue);
  }
  groups_[static_cast<size_t>(worker)] = mapping->take_groups();
  std::lock_guard lock(mutex_);
  report_.records += mapping->records();
  report_.splits += reader.splits();
  report_.stolen += reader.stolen();
  report_.bytes += reader.bytes();
  return Status::ok();
}

// Now and then: is anybody still interested?
void Run::watch(SplitQueue *queue) {
  std::lock_guard lock(mutex_);
  observer_->progress(queue->bytes_claimed(), plan_.streams > 0 ? 0 : plan_.input_bytes);
  if (output_->reader_left()) {
    report_.abandoned = true;
    queue->cancel();
  }
}

void Run::describe_groups() {
  for (const auto &groups : groups_) {
    if (!groups) continue;
    report_.worker_keys += groups->size();
    report_.worker_slots += groups->slots();
    report_.worker_bytes += groups->memory_bytes();
    report_.growths += groups->growths();
  }
}

Status Run::reduce() {
  const int bits = choose_partition_bits(groups_, pool_.size());
  report_.partitions = i64{1} << bits;
  collectors_.resize(static_cast<size_t>(pool_.size()));
  std::atomic<i64> next{0};
  Status status = pool_.run(std::min(pool_.size(), report_.partitions), [&](i64 worker) {
    PartitionReducer reducer(groups_, bits, layout_);
    auto collector = std::make_unique<RowCollector>(layout_, job_.order);
    for (i64 partition; (partition = next.fetch_add(1)) < report_.partitions;) {
      reducer.reduce(partition, collector.get());
    }
    collectors_[static_cast<size_t>(worker)] = std::move(collector);
    return Status::ok();
  });
  for (const auto &collector : collectors_) {
    if (collector) report_.keys += static_cast<i64>(collector->rows()->rows().size());
  }
  return status;
}

Status Run::write(const std::vector<Row> &rows) {
  observer_->writing();
  const std::unique_ptr<Formatter> formatter = make_formatter(job_.shape, layout_, rows);
  Status status = write_rows(rows, *formatter, output_.get(), &pool_);
  if (status.is_ok()) status = output_->commit();
  report_.rows = static_cast<i64>(rows.size());
  report_.abandoned = output_->abandoned();
  return status;
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
