#include "engine/sinks/checkpoint_rows.h"

#include <algorithm>
#include <utility>

namespace mrc {

CheckpointRows::CheckpointRows(Run *run, OrderedRows *rows)
    : run_(*run),
      inputs_(*run->plan.checkpoint),
      rows_(*rows),
      checkpoints_(&inputs_, run->program.keep, run->pool.size(), complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

Status CheckpointRows::save(RowStore *store, Part *part) {
  if (store->rows().empty()) return Status::ok();
  if (!part->saved) {
    Result<std::shared_ptr<StatePart>> created = checkpoints_.create();
    if (!created.is_ok()) return created.status();
    part->saved = std::move(*created);
    part->runs = rows_.lend(&part->saved->file);
    const std::lock_guard lock(mutex_);
    saved_.push_back(part->saved);
  }
  return rows_.save(store, part->runs);
}

Status CheckpointRows::make_room(RowStore *store, Part *part) {
  if (!checkpoints_.has_failed()) {
    const Status saved = save(store, part);
    if (saved.is_ok()) return saved;
    checkpoints_.fail(saved);
  }
  return rows_.relieve(store);
}

Result<std::shared_ptr<StatePart>> CheckpointRows::take(RowStore *store, Part *part) {
  Status status = save(store, part);
  if (status.is_ok() && part->runs != nullptr) status = RowRuns::finish(part->runs);
  if (!status.is_ok()) return status;
  return std::exchange(*part, {}).saved;
}

Status CheckpointRows::load() {
  checkpoints_.finish();
  run_.report.checkpoints = checkpoints_.made();
  run_.report.sealed_bytes = checkpoints_.bytes();
  const std::vector<i64> &numbers = inputs_.parts();
  earlier_.resize(numbers.size());
  return run_.pool.run_each(std::ssize(numbers), [&](i64 i) {
    std::unique_ptr<RunFile> &earlier = earlier_[static_cast<size_t>(i)];
    Result<RunFile> file = inputs_.directory().open_run(numbers[static_cast<size_t>(i)]);
    if (!file.is_ok()) return file.status();
    earlier = std::make_unique<RunFile>(std::move(*file));
    if (Status status = rows_.adopt(earlier.get()); !status.is_ok()) return status;
    earlier->rest();
    return Status::ok();
  });
}

}  // namespace mrc
