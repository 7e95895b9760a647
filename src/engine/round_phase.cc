// The end of a round: rows are put in order, and a plugin looks at them. The pool of workers
// goes on to the next round, and inputs stay open; only what was made of them goes.
#include "engine/run.h"
#include "plugin/plugin_rows.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

// Pipes and terminals give what they have once, and standard input has one place for all.
bool can_be_read_again(const Source &source) {
  struct stat info;
  if (!source.stream) return true;
  return source.path != "-" && stat(source.path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// Jobs that make splits of their own have all inputs in memory.
Status check_inputs(const Run &run) {
  const std::vector<Source> &sources = run.plan.sources;
  const auto lost = std::find_if_not(sources.begin(), sources.end(), can_be_read_again);
  if (run.own_splits || lost == sources.end() || run.report.bytes == 0) return Status::ok();
  return Status::error(
      fmt::format("{}: {} wants another round, for which it cannot be read again; name a file",
                  lost->name(), run.job.plugin->functions().name));
}

// Rounds have looked at all rows; the answer has those that are printed.
void drop_rows(Run *run) {
  PrintedGroups groups(*run->job.plugin, run->layout, nullptr);
  Rows &rows = *run->sorted;
  const auto end = std::remove_if(rows.begin(), rows.end(), [&](const Row &row) {
    return !groups.prints(run->row_layout.payload(row), run->row_layout.state(row));
  });
  rows.truncate(end - rows.begin());
}

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
  if (again.is_ok() && !*again && run->job.drops_rows()) drop_rows(run);
  if (again.is_ok() && !*again && run->job.orders_otherwise()) run->order_as_asked();
  if (!again.is_ok() || !*again) return again;
  if (Status status = check_inputs(*run); !status.is_ok()) return status;
  forget_round(run);
  return again;
}

}  // namespace mrc
