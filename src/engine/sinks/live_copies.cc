#include "engine/sinks/live_copies.h"

#include "engine/inner/row_collector.h"
#include "engine/sinks/group_conduct.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/worker_rows.h"
#include "output/output.h"
#include "reduce/state_writer.h"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

class RowLender : public Lender {
 public:
  explicit RowLender(RowProduct *product) : product_(product), store_(*product->store()) {}

  void end() override {
    had_spilled_ = product_->has_spilled();
    product_ = nullptr;
  }
  bool has_spilled() const { return product_ == nullptr ? had_spilled_ : product_->has_spilled(); }
  RowStore &store() { return store_; }

 private:
  RowProduct *product_;  // null: it has handed over its rows
  RowStore &store_;      // valid even after that
  bool had_spilled_ = false;
};

}  // namespace

LiveRows::LiveRows(Run *run, const OrderedRows &rows) : run_(*run), rows_(rows) {}

std::unique_ptr<Lender> LiveRows::make_lender(Product *product, i64) {
  return std::make_unique<RowLender>(static_cast<RowProduct *>(product));
}

i64 LiveRows::size_of(Lender *lender) {
  return std::min(static_cast<RowLender *>(lender)->store().rows().size(), rows_.order().limit);
}

void LiveRows::begin_anew(bool) {
  copies_ = std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied);
}

Status LiveRows::copy(Lender *lender) {
  auto *const lent = static_cast<RowLender *>(lender);
  if (lent->has_spilled()) return Status::error("the first rows do not fit in memory");
  const Order &order = rows_.order();
  if (lent->store().rows().size() > order.limit) lent->store().keep_first(order.limit, order);
  for (const Row &row : lent->store().rows()) copies_->add_copy(row);
  return Status::ok();
}

Status LiveRows::show(const Coverage &of) {
  Order order = rows_.order();
  const i64 room = run_.observer->room().rows;
  if (room >= 0) order.limit = std::min(order.limit, room);
  OrderedRows ordered({.order = std::move(order), .layout = rows_.layout()}, 1);
  ordered.add(0, std::move(copies_));
  WorkerPool pool(1);
  const Result<Rows> rows = ordered.sort(&pool);
  if (!rows.is_ok()) return rows.status();
  const auto formatter =
      make_record_formatter(run_.program.shape, rows_.layout(), record_header(run_));
  run_.observer->interim(
      {text_of(std::vector<Row>(rows->begin(), rows->end()), formatter.get()), of});
  return Status::ok();
}

// Interim answers of a job that makes rows of keys.

namespace {

// The value of "progress" in JSON.
std::string progress_of(const Coverage &of) {
  return of.share ? fmt::format("{:.4g}", *of.share) : "null";
}

// Limits the order to the rows that the user has room to see.
Order within(const Room &room, Order order) {
  if (room.rows < 0) return order;
  order.limit = order.limit < 0 ? room.rows : std::min(order.limit, room.rows);
  return order;
}

}  // namespace

RowShape GroupingSink::interim_shape(const Coverage &of) const {
  RowShape shape = run_.program.shape;
  if (!shape.progress.empty()) shape.progress = progress_of(of);
  const Room room = run_.observer->room();
  if (room.width > 0) shape.width = room.width;
  return shape;
}

Result<std::unique_ptr<InterimRows>> GroupingSink::interim_rows(Groups *groups, Order order,
                                                                bool printed) {
  auto made = std::make_unique<InterimRows>(rows_in(std::move(order)));
  const bool stay = !made->ordered.order().composes();  // keys of rows may stay in the groups
  auto store = std::make_unique<RowStore>(made->ordered.layout(),
                                          stay ? KeyBytes::borrowed : KeyBytes::copied);
  const KeyShape &key = run_.program.shape.key;
  RowCollector rows(layout_, key, made->ordered.order(), store.get());
  GroupSink *to = &rows;
  const std::unique_ptr<GroupFilter> filter = printed ? make_interim_filter(to) : nullptr;
  if (filter) to = filter.get();
  std::optional<GroupTotal> total;
  if (run_.program.total && printed) to = &total.emplace(layout_, to, run_.worker_share() / 16);
  take_groups(groups, to);
  made->ordered.add(0, std::move(store));
  Result<Rows> sorted = made->ordered.sort(&made->pool);
  if (!sorted.is_ok()) return sorted.status();
  made->rows.assign(sorted->begin(), sorted->end());
  const i64 limit = made->ordered.order().limit;
  if (limit >= 0 && limit < std::ssize(made->rows)) made->rows.resize(static_cast<size_t>(limit));
  if (total) {
    made->last = std::make_unique<RowStore>(made->ordered.layout(), KeyBytes::copied);
    add_total_row(made->ordered.order(), total->state(), made->last.get());
    made->rows.push_back(*made->last->rows().begin());
  }
  return made;
}

Status GroupingSink::show_interim(Groups *groups, const Coverage &of) {
  Interim interim;
  interim.of = of;
  if (layout_.wants_total()) set_total(total_of_groups(groups, layout_));
  if (run_.program.counts_rows) {
    const i64 keys = groups->usage().keys;
    interim.text = fmt::format("{}{}", keys, run_.program.shape.terminator);
  } else {
    auto rows = interim_rows(groups, within(run_.observer->room(), interim_order()), true);
    if (!rows.is_ok()) return rows.status();
    const auto formatter = make_formatter(interim_shape(of), (*rows)->ordered.layout());
    interim.text = text_of((*rows)->rows, formatter.get());
  }
  if (Status status = failure(); !status.is_ok()) return status;
  run_.observer->interim(interim);
  return Status::ok();
}

}  // namespace mrc
