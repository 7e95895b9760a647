// Merges copies, because merging may take over memory that a state owns, and the group still needs
// it.
#include "reduce/grand_total.h"

#include <cstring>
#include <vector>

namespace mrc {

TotalState::TotalState(const StateLayout &layout)
    : layout_(layout),
      words_(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1),
      copy_(words_.size()) {
  for (const Part &part : layout.aggregation().parts) {
    if (part.wants_total) parts_.push_back(&part);
  }
}

void TotalState::add(ValueRows values) {
  State *const state = state_in(&words_);
  ReducerArena memory(&arena_);
  for (const Part *part : parts_) part->reducer->add(part, &state, values, 1, &memory);
}

void TotalState::merge(const State *state) {
  State *copy = state_in(&copy_);
  ReducerArena memory(&copies_);
  for (const Part *part : parts_) {
    const auto bytes = static_cast<size_t>(part->reducer->state_bytes);
    std::memcpy(copy + part->offset, state + part->offset, bytes);
    if (part->reducer->save == nullptr) continue;
    saved_.clear();
    TextOut out(&saved_);
    part->reducer->save(part, state, &out);
    if (saved_.empty()) continue;
    std::memset(copy + part->offset, 0, bytes);
    part->reducer->load(part, copy, {saved_.data(), saved_.size()}, &memory);
  }
  merge_copy();
}

void TotalState::merge(const State *state, Bytes saved) {
  State *copy = state_in(&copy_);
  for (const Part *part : parts_) {
    std::memcpy(copy + part->offset, state + part->offset,
                static_cast<size_t>(part->reducer->state_bytes));
  }
  if (!saved.empty()) layout_.load_totals(copy, saved, &copies_);
  merge_copy();
}

// Frees the copies' memory after the merge: reducers that want totals fold it, and do not keep it.
void TotalState::merge_copy() {
  State *const into = state_in(&words_), *const from = state_in(&copy_);
  ReducerArena memory(&arena_);
  for (const Part *part : parts_) part->reducer->merge(part, &into, &from, 1, &memory);
  copies_.clear();
}

// The total does not need states by key: they are folded in any order, and those on disk are read
// once more.

namespace {

class AddToTotal : public GroupSink {
 public:
  explicit AddToTotal(TotalState *total) : total_(*total) {}
  void take(Bytes, const State *state) override { total_.merge(state); }

 private:
  TotalState &total_;
};

class AddRecords {
 public:
  AddRecords(const OverflowBuffer &from, const StateLayout &layout, TotalState *total)
      : from_(from),
        state_(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1),
        values_(static_cast<size_t>(from.shape().raw_bytes) / sizeof(u64)),
        layout_(layout),
        total_(*total) {}

  Status add_all() {
    for (i64 partition = 0; partition < i64{1} << from_.partition_bits(); ++partition) {
      Status status = from_.each(partition, &block_, [&](const auto *begin, const auto *end) {
        StoredRecord record;
        while (begin < end) {
          begin = read_record(begin, from_.shape(), &record);
          record.is_state ? add_state(record) : add_values(record);
        }
        return true;
      });
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  void add_state(const StoredRecord &record) {
    std::memcpy(state_.data(), record.fixed, static_cast<size_t>(layout_.state_bytes()));
    total_.merge(reinterpret_cast<const State *>(state_.data()), record.var);
  }
  void add_values(const StoredRecord &record) {
    if (!values_.empty()) {
      std::memcpy(values_.data(), record.fixed, values_.size() * sizeof(u64));
    }
    total_.add(ValueRows{{values_.data(), std::ssize(values_)}});
  }

  const OverflowBuffer &from_;
  std::vector<u64> state_, values_;
  const StateLayout &layout_;
  TotalState &total_;
  Pages block_;
};

Status add_output(MapOutput *output, const StateLayout &layout, TotalState *total) {
  AddToTotal add(total);
  take_groups(&output->groups, &add);
  if (!output->has_staged_records()) return Status::ok();
  return AddRecords(*output->overflow, layout, total).add_all();
}

}  // namespace

Result<std::unique_ptr<TotalState>> total_of_outputs(
    std::span<const std::unique_ptr<MapOutput>> outputs,
    std::span<const std::unique_ptr<SharedPartitions>> shared, const StateLayout &layout,
    WorkerPool *pool) {
  auto all = std::make_unique<TotalState>(layout);
  std::vector<std::unique_ptr<TotalState>> totals(outputs.size());
  Status status = pool->run_each(std::ssize(outputs), [&](i64 i) {
    const auto at = static_cast<size_t>(i);
    if (!outputs[at]) return Status::ok();
    totals[at] = std::make_unique<TotalState>(layout);
    return add_output(outputs[at].get(), layout, totals[at].get());
  });
  if (!status.is_ok()) return status;
  for (const auto &total : totals) {
    if (total) all->merge(*total);
  }
  for (const auto &partitions : shared) {
    for (i64 i = 0; i < partitions->count(); ++i) {
      partitions->tables(i)->each_slot([&](const auto &slot) { all->merge(slot.state()); });
    }
  }
  return all;
}

std::unique_ptr<TotalState> total_of_groups(Groups *groups, const StateLayout &layout) {
  auto total = std::make_unique<TotalState>(layout);
  AddToTotal add(total.get());
  take_groups(groups, &add);
  return total;
}

}  // namespace mrc
