// The reduce phase: each worker takes the next partition of the hash.
#include "engine/inner/row_collector.h"
#include "engine/sinks/grouping.h"

#include <algorithm>
#include <atomic>

namespace mrc {

class GroupingSink::Reduction {
 public:
  explicit Reduction(GroupingSink *sink)
      : sink_(*sink), run_(sink->run_), partial_(sink->partial_.get()) {
    sink_.staged_ = has_staged_records(sink_.outputs_);
    const std::optional<i64> asked = run_.program.switches.partition_bits;
    bits_ = asked ? static_cast<int>(*asked)
                  : choose_partition_bits(run_.report.tables.keys, run_.pool.size());
    // A partition of staged records can be divided, but not joined with others.
    if (sink_.staged_) bits_ = std::max(bits_, run_.plan.partition_bits);
    // Shared partitions cannot be divided or joined any more.
    if (!sink_.shared_.empty()) bits_ = sink_.shared_[0]->bits();
    run_.report.partitions = i64{1} << bits_;
  }

  Status go() {
    if (sink_.layout_.wants_total() && !partial_) {
      if (Status status = find_total(); !status.is_ok()) return status;
    }
    if (reduces_apart()) {
      if (Status status = reduce_apart(); !status.is_ok()) return status;
    }
    Status status = run_.pool.run(std::min(run_.pool.size(), run_.report.partitions),
                                  [this](i64 worker) { return work(worker); });
    const bool is_empty = run_.report.keys == 0 && !partial_;
    if (status.is_ok() && is_empty && has_one_group()) add_empty_group();
    return status.is_ok() ? report_faults() : status;
  }

 private:
  Status find_total() {
    Result<std::unique_ptr<TotalState>> total =
        total_of_outputs(sink_.outputs_, sink_.shared_, sink_.layout_, &run_.pool);
    if (!total.is_ok()) return total.status();
    sink_.set_total(std::move(*total));
    return Status::ok();
  }

  // True if each group of CPUs reduces its own results first, and these are merged in the end
  // (Phoenix III-A). Staged records are always divided among all workers.
  bool reduces_apart() const {
    return run_.program.switches.groups_apart && run_.plan.topology.size() > 1 && !sink_.staged_ &&
           sink_.shared_.empty();
  }

  // Has the workers of each group of CPUs merge their tables into partitions of the group.
  Status reduce_apart() {
    const i64 groups = run_.plan.topology.size();
    for (i64 group = 0; group < groups; ++group) {
      sink_.shared_.push_back(std::make_unique<SharedPartitions>(
          sink_.layout_, bits_, run_.report.tables.keys / groups, run_.plan.forecast.shares));
    }
    std::vector<std::atomic<i64>> next(static_cast<size_t>(groups));
    Status status = run_.pool.run(run_.pool.size(), [&](i64 worker) {
      const i64 group = group_of(worker);
      while (reduce_within(group, next[static_cast<size_t>(group)].fetch_add(1))) continue;
      return Status::ok();
    });
    for (const auto &output : sink_.outputs_) {
      if (output) output->groups.clear();
    }
    run_.report.apart = groups << bits_;
    return status;
  }
  i64 group_of(i64 output) const {
    return run_.plan.places[static_cast<size_t>(output % run_.pool.size())].group;
  }
  // Merges one partition of a group of CPUs. False: there are no more.
  bool reduce_within(i64 group, i64 partition) {
    SharedPartitions *own = sink_.shared_[static_cast<size_t>(group)].get();
    if (partition >= own->count()) return false;
    for (i64 worker = 0; worker < std::ssize(sink_.outputs_); ++worker) {
      const auto &output = sink_.outputs_[static_cast<size_t>(worker)];
      if (output && group_of(worker) == group) own->merge(partition, output->groups);
    }
    return true;
  }

  // True if there is always one group, because records have fields and no key. So without records,
  // a count is 0, and not missing.
  bool has_one_group() const {
    const Program &program = run_.program;
    return program.map.records == MapSpec::Records::fields && program.map.fields.keys.empty() &&
           !program.counts_rows && !program.plugin;
  }
  void add_empty_group() {
    std::unique_ptr<RowStore> store = make_store(KeyBytes::copied);
    const std::vector<u64> zeros(static_cast<size_t>(sink_.layout_.state_bytes()) / 8 + 1);
    Steps steps(*this, store.get());
    steps.first->take({}, reinterpret_cast<const State *>(zeros.data()));
    steps.first->flush();
    faults_.add(steps.faults);
    run_.report.keys = 1;
    sink_.rows_->add(0, std::move(store));
  }

  // The steps that turn groups into rows in the store, or only count them if it is null.
  struct Steps {
    Steps(const Reduction &of, RowStore *store)
        : rows(of.sink_.layout_, of.run_.program.shape.key, of.sink_.rows_->order(), store,
               &faults),
          filter(of.sink_.make_filter(&rows, &faults)),
          first(filter ? static_cast<GroupSink *>(filter.get()) : &rows) {}
    i64 dropped() const { return filter ? filter->dropped() : 0; }

    ResultFaults faults;
    RowCollector rows;
    const std::unique_ptr<GroupFilter> filter;
    GroupSink *const first;
  };

  // True if rows must copy keys: keys of staged records, and keys composed for the order, do not
  // stay in memory.
  bool passing() const { return sink_.staged_ || sink_.rows_->order().composes(); }

  std::unique_ptr<RowStore> make_store(KeyBytes key_bytes) const {
    return std::make_unique<RowStore>(sink_.rows_->layout(), key_bytes);
  }
  Status work(i64 worker) {
    if (partial_) return seal(worker);
    std::unique_ptr<RowStore> store = make_store(passing() ? KeyBytes::copied : KeyBytes::borrowed);
    Steps steps(*this, run_.program.counts_rows ? nullptr : store.get());
    GroupSink *to = steps.first;
    std::unique_ptr<GroupTotal> total;
    if (run_.program.total) {
      total = std::make_unique<GroupTotal>(sink_.layout_, to, run_.worker_share() / 16);
      to = total.get();
    }
    if (Status status = reduce_partitions(to, store.get()); !status.is_ok()) return status;
    std::lock_guard lock(run_.mutex);
    run_.report.keys += steps.rows.groups() + steps.dropped();
    run_.report.dropped_keys += steps.dropped();
    sink_.rows_->add(worker, std::move(store));
    add_total(std::move(total));
    faults_.add(steps.faults);
    return Status::ok();
  }

  Status report_faults() {
    if (faults_.count() == 0) return Status::ok();
    const std::string first = faults_.describe_first(run_.program.shape.key);
    if (run_.program.strict) return Status::error("a result cannot be computed: " + first);
    run_.report.bad_results = faults_.count();
    run_.report.first_bad_result = first;
    return Status::ok();
  }

  // Reduces partitions to groups of the partial, instead of rows.
  Status seal(i64 worker) {
    Arena states;
    SealedGroups *const groups = partial_->begin_sealing(worker);
    Status status = reduce_partitions(groups, &states, [&] {
      states.clear();
      return groups->status();
    });
    return status.is_ok() ? groups->status() : status;
  }

  Status reduce_partitions(GroupSink *to, RowStore *store) {
    return reduce_partitions(to, &store->arena(), [=, this] {
      Status status = sink_.relieve(store);
      return status.is_ok() ? sink_.value_runs_.status() : status;
    });
  }
  Status reduce_partitions(GroupSink *to, Arena *states,
                           const PartitionReducer::MakeRoom &make_room) {
    PartitionReducer reducer(sink_.outputs_, sink_.shared_, sink_.layout_, states,
                             run_.worker_share() / 4);
    for (i64 partition; (partition = next_.fetch_add(1)) < run_.report.partitions;) {
      Status status = reducer.reduce({partition, bits_}, to, make_room);
      if (!status.is_ok()) return status;
    }
    std::lock_guard lock(run_.mutex);
    run_.report.divisions += reducer.divisions();
    return Status::ok();
  }

  // Reducers guarantee that the order of merges makes no difference.
  void add_total(std::unique_ptr<GroupTotal> total) {
    std::unique_ptr<GroupTotal> &all = sink_.total_;
    all ? all->merge(total.get()) : void(all = std::move(total));
  }

  GroupingSink &sink_;
  Run &run_;
  PartialGroups *const partial_;  // null: groups become rows
  int bits_;
  std::atomic<i64> next_{0};
  ResultFaults faults_;  // guarded by the run's mutex
};

Status GroupingSink::reduce() {
  if (Status status = adopt_results(); !status.is_ok()) return status;
  run_.timer.begin("reduce");
  return Reduction(this).go();
}

}  // namespace mrc
