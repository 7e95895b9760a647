// The end of a round: rows are put in order, and a plugin looks at them. The pool of workers
// goes on to the next round, and inputs stay open; only what was made of them goes.
#include "engine/run.h"

namespace mrc {
namespace {

void forget_round(Run *run) {
  run->sorted.reset();
  run->stores.clear();
  run->outputs.clear();
  run->report.keys = 0;
  run->report.tables = {};
}

}  // namespace

Result<bool> round_phase(Run *run) {
  if (!run->job.looks_at_rows() || !run->answers()) return false;
  run->timer.begin("round");
  Result<Rows> rows = sort_rows(run->filled_stores(), run->order, run->row_layout, &run->pool);
  if (!rows.is_ok()) return rows.status();
  run->sorted = std::move(*rows);
  Result<bool> again = run->job.plugin->end_round(run->round, run->report.bytes, *run->sorted,
                                                  run->layout, run->row_layout);
  if (again.is_ok() && *again) forget_round(run);
  return again;
}

}  // namespace mrc
