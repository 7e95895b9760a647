// A record's life, from top to bottom.
#include "engine/run.h"
#include "sort/order_key.h"

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

RowLayout row_layout_of(const Job &job, const StateLayout &layout) {
  if (job.sort) return job.sort->layout();
  if (!job.order.terms.empty()) return OrderKeyComposer::layout(layout);
  return {.state_bytes = layout.state_bytes()};
}

Order order_of(const Job &job, const Plan &plan) {
  Order order = job.sort ? job.sort->order() : job.order;
  order.limit = job.order.limit;
  if (order.terms.empty()) {
    order.common = plan.common_prefix;
  } else {  // composed keys begin with something else
    order.column = -1;
    order.descending = false;
  }
  order.merge_tree = job.switches.merge_tree;
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

Result<Report> go(Run *run) {
  run->report.phases = run->plan.phases;
  run->timer.begin("open");
  if (Status status = open_outputs(run); !status.is_ok()) return status;

  if (run->job.transform) {
    run->timer.begin("transform");
    Status status = transform_phase(run);
    run->timer.end();
    return status.is_ok() ? Result<Report>(std::move(run->report)) : status;
  }
  run->timer.begin("map");
  if (Status status = map_phase(run); !status.is_ok()) return status;
  // Beyond this point, no new key will appear.

  const bool answers = !run->report.abandoned && !run->report.unread;
  if (answers && !run->outputs.empty()) {
    run->timer.begin("reduce");
    if (Status status = reduce_phase(run); !status.is_ok()) return status;
  }
  // Beyond this point, rows exist and states of workers do not count any more.

  if (run->only_checks()) {
    run->observer->writing();
    run->report.disorder = run->order_check->first_disorder(run->plan.sources);
  } else if (answers) {
    if (Status status = write_phase(run); !status.is_ok()) return status;
  }
  run->timer.end();
  return std::move(run->report);
}

}  // namespace

Run::Run(const Job &the_job, const Plan &the_plan, Observer *the_observer)
    : job(the_job),
      plan(the_plan),
      observer(the_observer),
      layout(aggregation_of(job, &names)),
      row_layout(row_layout_of(job, layout)),
      order(order_of(job, plan)),
      pool(plan.workers, job.switches.pool),
      runs(order, row_layout, job.sort ? nullptr : &layout, plan.tmpdir, worker_share()) {}

Status Run::spill_if_large(RowStore *store) {
  return store->used_bytes() > worker_share() / 2 ? runs.spill(store) : Status::ok();
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
    return Status::error("out of memory");
  }
}

}  // namespace mrc
