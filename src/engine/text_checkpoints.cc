#include "engine/inner/text_checkpoints.h"

#include <chrono>

namespace mrc {
namespace {

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

TextCheckpoints::TextCheckpoints(Run *run, const KeptRecords *kept)
    : run_(*run),
      inputs_(*run->plan.checkpoint),
      kept_(*kept),
      saved_at_(now()),
      bytes_before_(inputs_.text() == nullptr ? 0 : inputs_.text()->bytes),
      saver_(complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

// Text of another source marks the source before as finished.
bool TextCheckpoints::note(i64 source, const TransformedText &text) {
  if (source_ != source && source_ >= 0) marks_[source_].finished = true;
  source_ = source;
  CheckpointInputs::Mark &mark = marks_[source];
  mark.mapped.add(text.of);
  mark.answered = kept_.of_source(source);
  has_bad_ |= text.of.has_bad();
  used_ += text.used;
  read_ += text.of.end - text.of.begin;
  const KeepSpec &spec = run_.program.keep;
  if (read_ == 0) return false;
  return read_ >= spec.every_bytes ||
         (spec.every_seconds > 0 && now() - saved_at_ >= static_cast<double>(spec.every_seconds));
}

// False after input that ends the job: damaged input, a malformed record with --strict, or the last
// record that is wanted. A resumed job must meet it again.
bool TextCheckpoints::may_save() const {
  if (kept_.is_full() || (has_bad_ && run_.program.strict)) return false;
  const std::lock_guard lock(run_.mutex);
  return run_.damaged.empty();
}

void TextCheckpoints::save(WrittenText text) {
  read_ = 0;
  saved_at_ = now();
  if (saver_.has_failed() || !may_save()) return;
  CheckpointInputs::Checkpoint at{
      .marks = marks_, .text = std::move(text), .flaws = flaws_written()};
  saver_.save([this, at = std::move(at)] { return commit(at); });
}

void TextCheckpoints::note_flaws(const KeptFlaws &flaws) {
  const std::lock_guard lock(mutex_);
  flaws_.add(flaws);
}

// Text is in the order of the input. So if the first fault lies after the written part, that part
// has no faults.
KeptFlaws TextCheckpoints::flaws_written() {
  const u64 end = position_of(source_, marks_[source_].mapped.end);
  const std::lock_guard lock(mutex_);
  KeptFlaws written{.used = used_, .record = {}, .value = {}};
  if (flaws_.record.position < end) written.record = flaws_.record;
  if (flaws_.value.position < end) written.value = flaws_.value;
  return written;
}

Status TextCheckpoints::commit(CheckpointInputs::Checkpoint at) {
  if (Status status = run_.output->sync(); !status.is_ok()) return status;
  ++made_;
  bytes_ = at.text->bytes - bytes_before_;
  return inputs_.commit(std::move(at));
}

void TextCheckpoints::finish() {
  saver_.finish();
  run_.report.checkpoints = made_;
  run_.report.sealed_bytes = bytes_;
}

}  // namespace mrc
