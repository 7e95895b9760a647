#include "engine/sinks/live_groups.h"

#include "engine/sinks/group_product.h"
#include "reduce/state_records.h"

namespace mrc {
namespace {

Status does_not_fit() { return Status::error("the groups do not fit in memory"); }

// A table yields its keys in hash order. In a growing table with the same seed, they would all go
// to the front and collide.
GroupSettings with_another_seed(GroupSettings settings) {
  settings.seed = Seed::random();
  return settings;
}

// Folds copies of states into the groups of a worker.
class StateCopier : public GroupSink {
 public:
  StateCopier(const StateLayout &layout, GroupWorker *into) : block_(layout), into_(*into) {}

  void take(Bytes key, const State *state) override {
    block_.add(0, key, state, [this] { flush(); });
  }
  void flush() override {
    into_.load(block_.bytes(), 0);
    block_.clear();
  }

 private:
  StateRecords block_;
  GroupWorker &into_;
};

}  // namespace

class LiveGroups::GroupLender : public Lender {
 public:
  GroupLender(GroupWorker *worker, const std::unique_ptr<MapOutput> *output)
      : worker_(worker), output_(*output) {}

  void end() override { worker_ = nullptr; }
  // Returns null if some of the worker's records are not in its tables.
  Groups *groups() {
    if (worker_ != nullptr) return worker_->can_show() ? worker_->show() : nullptr;
    return output_ && !output_->has_staged_records() ? &output_->groups : nullptr;
  }

 private:
  GroupWorker *worker_;                       // null: it has handed over its groups
  const std::unique_ptr<MapOutput> &output_;  // these groups; unset before
};

LiveGroups::LiveGroups(GroupingSink *sink)
    : sink_(*sink),
      groups_(std::make_unique<GroupWorker>(sink->layout(), with_another_seed(sink->settings()))) {}

std::unique_ptr<Lender> LiveGroups::make_lender(Product *product, i64 worker) {
  return std::make_unique<GroupLender>(static_cast<GroupProduct *>(product)->grouping(),
                                       &(*sink_.outputs())[static_cast<size_t>(worker)]);
}

i64 LiveGroups::size_of(Lender *lender) {
  const Groups *const groups = static_cast<GroupLender *>(lender)->groups();
  return groups == nullptr ? 0 : groups->usage().keys;
}

void LiveGroups::begin_anew(bool for_good) {
  const i64 keys = for_good || !groups_->can_show() ? 0 : groups_->show()->usage().keys;
  groups_->begin_anew(keys);
}

// True if copies fit in the memory of one worker. Copies of states with spilled values would spill
// them again, so then it is false.
bool LiveGroups::fits() const {
  return groups_->can_show() && groups_->grouped_bytes() < sink_.run().worker_share() &&
         sink_.value_runs().values() == 0;
}

Status LiveGroups::copy(Lender *lender) {
  Groups *const groups = static_cast<GroupLender *>(lender)->groups();
  if (groups == nullptr || !fits()) return does_not_fit();
  StateCopier copier(sink_.layout(), groups_.get());
  take_groups(groups, &copier);
  copier.flush();
  return fits() ? Status::ok() : does_not_fit();
}

Status LiveGroups::show(const Coverage &of) { return sink_.show_interim(groups_->show(), of); }

}  // namespace mrc
