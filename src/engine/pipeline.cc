// A record's life, from top to bottom.
#include "base/setting_name.h"
#include "engine/row_collector.h"
#include "engine/run.h"
#include "engine/sinks/sinks.h"
#include "rows/order_key.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// The job's aggregation, positions with the names of this run.
Aggregation aggregation_of(const Job &job, const PositionNames *names) {
  Aggregation aggregation = job.aggregation;
  for (Column &column : aggregation.columns) {
    if (column.finish == positions_column(names).finish) column.context = names;
  }
  return aggregation;
}

RowLayout row_layout_of(const Job &job, const Order &order, const StateLayout &layout) {
  if (job.sort) return job.sort->layout();
  if (order.composes()) return OrderKeyComposer::layout(layout);
  return {.state_bytes = layout.state_bytes()};
}

Order completed(Order order, const Job &job, const Plan &plan) {
  order.limit = job.order.limit;
  if (!order.composes()) {
    order.common = plan.common_prefix;
  } else {  // composed keys begin with something else
    order.column = -1;
    order.descending = false;
  }
  order.merge_tree = job.switches.merge_tree;
  return order;
}

// Who looks at rows sees all of them, in the order of the plugin: what the user wants to
// see of them is none of its business.
Order order_of(const Job &job, const Plan &plan) {
  if (!job.looks_at_rows()) return completed(job.sort ? job.sort->order() : job.order, job, plan);
  Order order = completed({.custom = job.plugin->orders() ? job.plugin.get() : nullptr}, job, plan);
  order.limit = -1;
  return order;
}

// Both at once: what cannot be written is said before there is work.
Status open_outputs(Run *run) {
  Result<std::unique_ptr<OutputFile>> output = OutputFile::open(run->job.output);
  if (!output.is_ok()) return output.status();
  run->output = std::move(*output);
  if (run->job.bad_path.empty()) return Status::ok();
  Result<std::unique_ptr<OutputFile>> bad = OutputFile::open(run->job.bad_path);
  if (!bad.is_ok()) return bad.status();
  run->bad_output = std::move(*bad);
  return Status::ok();
}

// What a plugin wants to know before it maps.
Status prepare_plugin(Run *run) {
  if (!run->job.plugin) return Status::ok();
  set_plugin_workers(run->pool.size());
  for (const Source &source : run->plan.sources) {
    run->input_views.push_back({source.name(), source.argument});
  }
  if (!run->job.plugin->has_own_splits()) return Status::ok();
  if (!run->plan.unreadable.empty()) {  // whoever asks for the plan has been told which
    return Status::error(fmt::format("{}: needs all inputs, and cannot do without one",
                                     run->job.plugin->functions().name));
  }
  Result<std::unique_ptr<OwnSplits>> splits =
      OwnSplits::open(*run->job.plugin, run->plan.sources, std::ssize(run->job.inputs));
  if (splits.is_ok()) run->own_splits = std::move(*splits);
  return splits.is_ok() ? Status::ok() : splits.status();
}

std::unique_ptr<Sink> make_sink(Run *run) {
  const Job &job = run->job;
  if (job.transform) return make_text_sink(run);
  if (job.sort) return job.sort->check ? make_check_sink(run) : make_sort_sink(run);
  return job.answer == Job::Answer::estimate ? make_sketch_sink(run) : make_group_sink(run);
}

Status write_answer(Run *run, Sink *sink) {
  run->observer->writing();
  Status status = run->job.plugin ? flush_plugin_prints() : Status::ok();
  if (status.is_ok()) status = sink->write();
  if (status.is_ok() && plugin_failed()) status = plugin_status();
  if (status.is_ok()) status = run->value_runs.status();
  run->report.spilled_values = run->value_runs.values();
  run->report.spilled_value_bytes = run->value_runs.bytes();
  if (status.is_ok()) status = run->output->commit();
  run->report.abandoned |= run->output->abandoned();
  return status;
}

Result<Report> go(Run *run) {
  run->report.phases = run->plan.phases;
  run->timer.begin("open");
  if (Status status = open_outputs(run); !status.is_ok()) return status;
  if (Status status = prepare_plugin(run); !status.is_ok()) return status;

  std::unique_ptr<Sink> sink;
  for (bool again = true; again; ++run->round) {
    sink = make_sink(run);
    run->timer.begin(sink->in_order() ? "transform" : "map");
    if (Status status = scan_input(run, sink.get()); !status.is_ok()) return status;
    // Beyond this point, no new key will appear.

    if (run->answers()) {
      if (Status status = sink->reduce(); !status.is_ok()) return status;
    }
    // Beyond this point, rows exist and states of workers do not count any more.

    Result<bool> verdict = round_phase(run);
    if (!verdict.is_ok()) return verdict.status();
    again = *verdict;
  }

  if (sink->writes() && run->answers()) {
    if (Status status = write_answer(run, sink.get()); !status.is_ok()) return status;
  }
  run->timer.end();
  return std::move(run->report);
}

}  // namespace

Run::Run(const Job &the_job, const Plan &the_plan, Observer *the_observer)
    : job(the_job),
      plan(the_plan),
      observer(the_observer),
      value_runs(plan.tmpdir, worker_share()),
      layout(aggregation_of(job, &names), &value_runs),
      order(order_of(job, plan)),
      row_layout(row_layout_of(job, order, layout)),
      pool(plan.workers, job.switches.pool),
      runs(order, row_layout, job.sort ? nullptr : &layout, plan.tmpdir, worker_share()) {}

void Run::order_as_asked() {
  const Order wanted = completed(job.order, job, plan);
  const RowLayout layout_wanted = row_layout_of(job, wanted, layout);
  auto store = std::make_unique<RowStore>(layout_wanted, KeyBytes::copied);
  RowCollector collector(layout, job.shape.key, wanted, store.get());
  for (const Row &row : *sorted) collector.take(row_layout.payload(row), row_layout.state(row));
  sorted.reset();
  seen_stores = std::move(stores);
  stores.clear();
  stores.push_back(std::move(store));
  order = wanted;
  row_layout = layout_wanted;
}

Status Run::spill_if_large(RowStore *store) {
  if (store->used_bytes() <= worker_share() / 2) return Status::ok();
  if (order.compares() || job.looks_at_rows()) {
    return Status::memory_error(fmt::format(
        "{}: rows do not fit in memory, where {} wants them; raise {}",
        job.plugin->functions().name, order.compares() ? "its own order" : "the end of a round",
        setting_name("memory")));
  }
  return runs.spill(store);
}

std::vector<RowStore *> Run::filled_stores() {
  std::vector<RowStore *> all;
  for (const auto &store : stores) {
    if (store) all.push_back(store.get());
  }
  return all;
}

Result<Report> run(const Job &job, const Plan &plan, Observer *observer) {
  std::optional<AffinityKeeper> keeper;  // worker 0 is this thread
  if (job.pin) keeper.emplace();
  try {
    Run run(job, plan, observer);
    return go(&run);
  } catch (const std::bad_alloc &) {
    return Status::out_of_memory();
  }
}

}  // namespace mrc
