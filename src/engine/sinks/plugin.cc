// Replaces mrc's map, splits, order, rounds or format by those of a plugin.
//
// At the end of a round, rows are sorted, and the plugin looks at them. For the next round, the
// workers and the open inputs stay; only the results are dropped.
#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/row_collector.h"
#include "engine/sinks/grouping.h"
#include "plugin/own_splits.h"
#include "plugin/plugin_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// If the plugin looks at rows, it sees all of them, in its own order. The user's order and limit
// apply afterwards.
Order order_of_plugin(const Program &program, const PluginSession &session) {
  const bool looks = session.looks_at_rows();
  if (!looks && !program.plugin_order) return program.order;
  return {.limit = looks ? -1 : program.order.limit,
          .custom = session.orders() ? &session : nullptr};
}

// Keeps the session alive as long as the states of groups, which may need it.
Aggregation aggregation_of(const std::shared_ptr<const PluginSession> &session) {
  Aggregation aggregation = session->aggregation(session->self());
  aggregation.contexts.push_back(session);
  return aggregation;
}

// True if the user wants another order of rows than the plugin's.
bool orders_otherwise(const Program &program) {
  const Order &order = program.order;
  return !program.plugin_order && (program.plugin->orders() || !order.by_key() || order.descending);
}

// True if rows for which the plugin prints nothing must be removed before the sort: the limit does
// not count them, and no other format prints them.
bool drops_rows(const Program &program) {
  return program.plugin->formats() && (!program.plugin_format || program.order.limit >= 0);
}

// False for formats that draw numbers, or print only a number and a key.
bool has_columns(const OutputFormat &format) {
  return !format.draws && (format.field_text != nullptr || format.header);
}

// False for pipes and terminals, which can be read only once, and for standard input, whose
// position all readers share.
bool can_be_read_again(const Source &source) { return !source.stream || is_named_file(source); }

class PluginSink : public GroupingSink {
 public:
  PluginSink(Run *run, const std::shared_ptr<const PluginSession> &session)
      : GroupingSink(run, aggregation_of(session), order_of_plugin(run->program, *session)),
        plugin_(*session) {}

  Status open() override;
  Result<ChunkSource *> own_source() override;
  Result<bool> end_round(i64 round) override;
  std::unique_ptr<Mapper> make_mapper(BadRecordSink *bad) const override;
  Status show_interim(Groups *groups, const Coverage &of) override;

 protected:
  i64 value_width() const override { return plugin_.value_width(); }
  Borrowing borrowing() const override {
    return plugin_.values_borrow() ? Borrowing::any : Borrowing::none;
  }
  Status relieve(RowStore *store) override;
  std::unique_ptr<GroupFilter> make_filter(GroupSink *to, ResultFaults *faults) const override;
  std::optional<Rows> sorted() override { return std::exchange(seen_, std::nullopt); }
  std::unique_ptr<GroupFilter> make_interim_filter(GroupSink *to) const override;
  Order interim_order() const override;
  std::unique_ptr<Formatter> make_formatter(const RowShape &shape,
                                            const RowLayout &rows) const override;

 private:
  const char *name() const { return plugin_.functions().name; }
  Status check_inputs() const;
  void drop_rows();
  void order_as_asked();

  const PluginSession &plugin_;           // the layout owns it
  std::vector<InputView> inputs_;         // of the sources
  std::unique_ptr<OwnSplits> splits_;     // replaces the plan's splits
  std::optional<Rows> seen_;              // rows of the last round, if the plugin looked at them
  std::unique_ptr<OrderedRows> of_seen_;  // owns what the states of `seen_` point to
};

// Gives the plugin the inputs before it maps, and opens its own splits.
Status PluginSink::open() {
  if (Status status = GroupingSink::open(); !status.is_ok()) return status;
  for (const Source &source : run_.plan.sources) {
    inputs_.push_back({source.name(), source.argument});
  }
  if (!plugin_.has_own_splits()) return Status::ok();
  if (!run_.plan.unreadable.empty()) {  // the plan says which
    return Status::error(fmt::format("{}: needs all inputs, and cannot do without one", name()));
  }
  Result<std::unique_ptr<OwnSplits>> splits =
      OwnSplits::open(plugin_, run_.plan.sources, std::ssize(run_.program.inputs));
  if (splits.is_ok()) splits_ = std::move(*splits);
  return splits.is_ok() ? Status::ok() : splits.status();
}

Result<ChunkSource *> PluginSink::own_source() {
  if (!splits_) return nullptr;
  if (Status status = splits_->begin_round(); !status.is_ok()) return status;
  return splits_.get();
}

std::unique_ptr<Mapper> PluginSink::make_mapper(BadRecordSink *bad) const {
  if (!plugin_.maps()) return GroupingSink::make_mapper(bad);
  return plugin_.make_mapper({.scanner = *run_.plan.scanner,
                              .inputs = inputs_,
                              .terminator = run_.program.map.terminator,
                              .splits = splits_.get(),
                              .bad = run_.round == 0 ? bad : nullptr,
                              .fields = &run_.program.map.fields,
                              .readers = run_.readers.get()});
}

Status PluginSink::relieve(RowStore *store) {
  const bool compares = rows_->order().compares();
  if (!rows_->is_large(store) || (!compares && !plugin_.looks_at_rows())) {
    return GroupingSink::relieve(store);
  }
  return Status::memory_error(
      fmt::format("{}: rows do not fit in memory, where {} wants them; raise {}", name(),
                  compares ? "its own order" : "the end of a round", setting_name("memory")));
}

std::unique_ptr<GroupFilter> PluginSink::make_filter(GroupSink *to, ResultFaults *) const {
  if (!drops_rows(run_.program) || plugin_.looks_at_rows()) return nullptr;
  return std::make_unique<PrintedGroups>(plugin_, layout_, to);
}

// Makes the plugin's rows of fields if another format prints them and the columns have names.
std::unique_ptr<Formatter> PluginSink::make_formatter(const RowShape &shape,
                                                      const RowLayout &rows) const {
  if (run_.program.plugin_format) return plugin_.make_formatter(layout_, rows, shape.header);
  if (plugin_.formats() && has_columns(*shape.format)) {
    const std::vector<std::string> names = names_of_formatted(plugin_);
    if (!names.empty()) return make_formatted_rows(plugin_, layout_, rows, shape, names);
  }
  return GroupingSink::make_formatter(shape, rows);
}

std::unique_ptr<GroupFilter> PluginSink::make_interim_filter(GroupSink *to) const {
  if (!drops_rows(run_.program)) return nullptr;
  return std::make_unique<PrintedGroups>(plugin_, layout_, to);
}

Order PluginSink::interim_order() const {
  if (orders_otherwise(run_.program)) return run_.program.order;
  Order order = rows_->order();
  order.limit = run_.program.order.limit;
  return order;
}

// Shows all rows to the plugin, in its own order, and the printed ones to the user.
Status PluginSink::show_interim(Groups *groups, const Coverage &of) {
  if (plugin_.functions().show != nullptr) {
    auto rows = interim_rows(groups, rows_->order(), false);
    if (!rows.is_ok()) return rows.status();
    Status status = plugin_.show_interim(of.bytes, (*rows)->rows, layout_, rows_->layout());
    if (!status.is_ok()) return status;
  }
  return GroupingSink::show_interim(groups, of);
}

// Fails if an input cannot be read in another round. Jobs with splits of their own have all inputs
// in memory.
Status PluginSink::check_inputs() const {
  const std::vector<Source> &sources = run_.plan.sources;
  const auto lost = std::find_if_not(sources.begin(), sources.end(), can_be_read_again);
  if (splits_ || lost == sources.end() || run_.report.bytes == 0) return Status::ok();
  return Status::error(
      fmt::format("{}: {} wants another round, for which it cannot be read again; name a file",
                  lost->name(), name()));
}

// Removes rows that are not printed; rounds have looked at all rows.
void PluginSink::drop_rows() {
  PrintedGroups groups(plugin_, layout_, nullptr);
  const RowLayout &layout = rows_->layout();
  const auto end = std::remove_if(seen_->begin(), seen_->end(), [&](const Row &row) {
    return !groups.prints(layout.payload(row), layout.state(row));
  });
  seen_->truncate(end - seen_->begin());
}

// Sorts rows in the user's order, when the plugin has seen the last of them.
void PluginSink::order_as_asked() {
  of_seen_ = std::move(rows_);
  rows_ = std::make_unique<OrderedRows>(rows_in(run_.program.order), run_.pool.size());
  auto store = std::make_unique<RowStore>(rows_->layout(), KeyBytes::copied);
  RowCollector collector(layout_, run_.program.shape.key, rows_->order(), store.get());
  const RowLayout &layout = of_seen_->layout();
  for (const Row &row : *seen_) collector.take(layout.payload(row), layout.state(row));
  collector.flush();
  seen_.reset();
  rows_->add(0, std::move(store));
}

Result<bool> PluginSink::end_round(i64 round) {
  if (!plugin_.looks_at_rows()) return false;
  run_.timer.begin("round");
  Result<Rows> rows = rows_->sort(&run_.pool);
  if (!rows.is_ok()) return rows.status();
  seen_ = std::move(*rows);
  Result<bool> again =
      plugin_.end_round(round, run_.report.bytes, *seen_, layout_, rows_->layout());
  if (!again.is_ok()) return again;
  if (*again) {
    if (Status status = check_inputs(); !status.is_ok()) return status;
    seen_.reset();
    forget();
    return again;
  }
  if (drops_rows(run_.program)) drop_rows();
  if (orders_otherwise(run_.program)) order_as_asked();
  return again;
}

class PluginStage : public GroupStage {
 public:
  explicit PluginStage(const Program &program) : GroupStage(program) {}

  bool can_start_over() const override { return false; }

  void plan(Plan *plan) const override {
    if (!program_.plugin->maps()) return GroupStage::plan(plan);
    plan_groups(program_, "a plugin maps each record once", plan);
    plan_order(program_, plan);
  }
  bool makes_units() const override { return program_.plugin->has_own_splits(); }
  bool may_reject() const override { return true; }
  bool counts_records() const override {
    return program_.plugin->functions().shape < MRC_BYTES || program_.plugin->reads_fields();
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    Result<std::shared_ptr<PluginSession>> session = PluginSession::open(*program_.plugin);
    if (!session.is_ok()) return session.status().within(program_.plugin->functions().name);
    return std::unique_ptr<StageSink>(std::make_unique<PluginSink>(run, std::move(*session)));
  }
};

}  // namespace

constinit const StageType kPluginStage = make_stage_type<PluginStage>("plugin", Makes::groups);

}  // namespace mrc
