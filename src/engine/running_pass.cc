#include "engine/inner/running_pass.h"

#include "base/setting_name.h"
#include "engine/inner/ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

RunningPass::RunningPass(Does does, const RunningFields &fields, const InputReaders &readers,
                         const std::vector<Source> &sources, CutBytes cuts, i64 memory,
                         RunningGroups *groups)
    : does_(does),
      fields_(fields),
      readers_(readers),
      sources_(sources),
      cuts_(cuts),
      records_ahead_(does == Does::compute ? fields.ahead() : 0),
      memory_(memory),
      turns_(sources_with_units(sources)),
      groups_(*groups) {}

void RunningPass::stop() {
  std::lock_guard lock(mutex_);
  turns_.stop();
}

bool RunningPass::wait(const Unit &unit) {
  std::unique_lock lock(mutex_);
  return turns_.wait(unit, &lock);
}

void RunningPass::pass(const Unit &unit) {
  std::lock_guard lock(mutex_);
  turns_.pass(unit);
  turns_.wake();
}

Status RunningPass::Worker::read(const Chunk &chunk) {
  scan_.read(chunk, &input_);
  return pass_.records_ahead_ == 0 ? Status::ok() : ahead_.read(chunk, &scan_, &input_);
}

Status RunningPass::Worker::compute() {
  Status status = pass_.does_ == Does::gather
                      ? pass_.groups_.gather(input_)
                      : pass_.groups_.compute(input_, bad_, &values_, &texts_);
  if (!status.is_ok()) return status;
  if (pass_.groups_.used_bytes() <= pass_.memory_) return Status::ok();
  return Status::memory_error(fmt::format(
      "functions of other records keep more than {} bytes of {} groups; more memory is {}",
      pass_.memory_, std::max<i64>(1, pass_.groups_.groups()), setting_name("memory")));
}

Status RunningPass::Worker::prepare(Chunk *chunk) {
  if (has_passed_) return Status::error("a unit goes on after its end");
  texts_.clear();
  values_.begins.clear();
  if (Status status = read(*chunk); !status.is_ok()) return status;
  chunk->running = &values_;
  if (!pass_.wait(unit_)) return Status::ok();
  Status status = compute();
  has_passed_ = chunk->offset + std::ssize(chunk->bytes) >= unit_.end;
  if (has_passed_) pass_.pass(unit_);
  return status;
}

void RunningPass::Worker::end_unit() {
  if (!has_passed_ && pass_.wait(unit_)) pass_.pass(unit_);
}

}  // namespace mrc
