// The reduce phase: partitions of the hash, each by whoever is free.
#include "engine/row_collector.h"
#include "engine/run.h"
#include "plugin/plugin_rows.h"

#include <algorithm>
#include <atomic>

namespace mrc {
namespace {

class ReducePhase {
 public:
  explicit ReducePhase(Run *run) : run_(*run), staged_(has_staged_records(run_.outputs)) {
    bits_ = choose_partition_bits(run_.report.tables.keys, run_.pool.size());
    // A partition of staged records can be divided, but not joined with others.
    if (staged_) bits_ = std::max(bits_, run_.plan.partition_bits);
    run_.report.partitions = i64{1} << bits_;
    run_.rows_own_keys = staged_;
  }

  Status go() {
    Status status = run_.pool.run(std::min(run_.pool.size(), run_.report.partitions),
                                  [this](i64 worker) { return work(worker); });
    if (status.is_ok() && run_.report.keys == 0 && has_one_group()) add_empty_group();
    return status;
  }

 private:
  // Records with fields and no key are one group, also if there are none of them: who asks
  // how many errors there were wants a 0, and not nothing.
  bool has_one_group() const {
    const MapSpec &map = run_.job.map;
    return map.records == MapSpec::Records::fields && map.fields.keys.empty() &&
           run_.job.answer == Job::Answer::rows;
  }
  void add_empty_group() {
    auto store = std::make_unique<RowStore>(run_.row_layout, KeyBytes::copied);
    const std::vector<u64> zeros(static_cast<size_t>(run_.layout.state_bytes()) / 8 + 1);
    RowCollector collector(run_.layout, run_.job.shape.key, run_.order, store.get());
    collector.take({}, reinterpret_cast<const State *>(zeros.data()));
    run_.report.keys = 1;
    run_.stores[0] = std::move(store);
  }

  Status work(i64 worker) {
    // Keys of staged records do not stay where they are, nor do those composed of them.
    const bool passing = staged_ || run_.order.composes();
    auto store = std::make_unique<RowStore>(run_.row_layout,
                                            passing ? KeyBytes::copied : KeyBytes::borrowed);
    RowCollector collector(run_.layout, run_.job.shape.key, run_.order, store.get());
    GroupCounter counter;
    GroupSink *sink = &collector;
    if (run_.job.answer == Job::Answer::number) sink = &counter;
    std::optional<PrintedGroups> printed;
    if (run_.job.drops_rows() && !run_.job.looks_at_rows()) {
      sink = &printed.emplace(*run_.job.plugin, run_.layout, sink);
    }
    std::unique_ptr<GroupTotal> total;
    if (run_.job.total) {
      total = std::make_unique<GroupTotal>(run_.layout, sink, run_.worker_share() / 8);
      sink = total.get();
    }
    PartitionReducer reducer(run_.outputs, run_.layout, &store->arena(), run_.worker_share() / 3);
    auto make_room = [&] {
      Status status = run_.spill_if_large(store.get());
      return status.is_ok() ? run_.value_runs.status() : status;
    };
    for (i64 partition; (partition = next_.fetch_add(1)) < run_.report.partitions;) {
      Status status = reducer.reduce({partition, bits_}, sink, make_room);
      if (!status.is_ok()) return status;
    }
    std::lock_guard lock(run_.mutex);
    run_.report.keys += counter.groups() + collector.groups() + (printed ? printed->dropped() : 0);
    run_.report.divisions += reducer.divisions();
    run_.stores[static_cast<size_t>(worker)] = std::move(store);
    add_total(std::move(total));
    return Status::ok();
  }

  // Which worker comes first makes no difference: that is what reducers promise.
  void add_total(std::unique_ptr<GroupTotal> total) {
    run_.total ? run_.total->merge(total.get()) : void(run_.total = std::move(total));
  }

  Run &run_;
  bool staged_;
  int bits_;
  std::atomic<i64> next_{0};
};

}  // namespace

Status reduce_phase(Run *run) {
  run->timer.begin("reduce");
  return ReducePhase(run).go();
}

}  // namespace mrc
