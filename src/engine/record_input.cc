#include "engine/record_input.h"

#include "engine/input_formats.h"

#include <algorithm>
#include <cassert>

namespace mrc {

std::unique_ptr<QuotedCuts> RecordInput::scan_quotes(const std::vector<Split> &splits) {
  if (!has_fields()) return nullptr;
  std::unique_ptr<QuotedCuts> quoted = make_quoted_cuts(run_.plan, splits);
  const bool files = std::any_of(splits.begin(), splits.end(), [&](const Split &split) {
    return quotes_of(run_.plan, split.source).has_value();
  });
  if (!files) return quoted;
  Status status = run_.pool.run(run_.pool.size(), [&](i64) {
    quoted->scan(run_.plan.io);
    return Status::ok();
  });
  assert(status.is_ok());
  quoted->join();
  return quoted;
}

void RecordInput::attach(SplitQueue *queue) {
  queue_ = queue;
  if (!has_fields()) return;
  queue->on_stream([this, queue](i64 source, Bytes head,
                                 bool whole) { return begin_stream(queue, source, head, whole); },
                   head_bytes(run_.job));
}

std::optional<CsvBytes> RecordInput::begin_stream(SplitQueue *queue, i64 source, Bytes head,
                                                  bool whole) {
  Status status = adopt_stream(run_.job, run_.plan, source, head, whole);
  if (status.is_ok()) return quotes_of(run_.plan, source);
  std::lock_guard lock(run_.mutex);
  if (stream_problem_.is_ok()) stream_problem_ = std::move(status);
  queue->cancel();
  return std::nullopt;
}

// Of a limited answer some bad records may be forgotten again, so where they are is kept.
RecordInput::Notes RecordInput::begin_notes() const {
  const Job &job = run_.job;
  const bool limited = job.transform && job.transform->terms().limited();
  return {std::make_unique<BadRecords>(!job.bad_path.empty() || (has_fields() && limited),
                                       job.map.terminator, run_.plan.tmpdir),
          {}};
}

Status RecordInput::note(const Chunk &chunk, Notes *notes) {
  if (!may_be_bad()) return Status::ok();
  if (run_.plan.sources[static_cast<size_t>(chunk.source)].stream) {
    notes->stream_lines.add(chunk, run_.job.map.terminator);
  }
  if (run_.job.strict && notes->bad->count() > 0) queue_->cancel();
  return notes->bad->status();
}

void RecordInput::collect(Notes *notes) {
  std::lock_guard lock(run_.mutex);
  stream_lines_.add(notes->stream_lines);
  bad_.push_back(std::move(notes->bad));
}

bool RecordInput::ended() const {
  return !stream_problem_.is_ok() ||
         (run_.job.strict &&
          std::any_of(bad_.begin(), bad_.end(), [](const auto &bad) { return bad->count() > 0; }));
}

Status RecordInput::finish(u64 last_position) {
  if (!stream_problem_.is_ok()) return stream_problem_;
  if (run_.round > 0) return Status::ok();
  BadRecords all(false, run_.job.map.terminator, "");
  std::vector<BadRecords *> of_workers;
  for (const auto &bad : bad_) {
    if (!bad->status().is_ok()) return bad->status();
    if (last_position != ~u64{0}) bad->forget_behind(last_position);
    all.add(*bad);
    of_workers.push_back(bad.get());
  }
  if (run_.bad_output) {
    Status status = BadRecords::write(of_workers, run_.bad_output.get());
    if (!status.is_ok()) return status;
  }
  run_.report.bad_records = all.count();
  if (all.count() == 0) return Status::ok();
  stream_lines_.seal();
  run_.report.first_bad = all.describe_first(run_.plan.sources, stream_lines_);
  return run_.job.strict ? Status::error(run_.report.first_bad) : Status::ok();
}

}  // namespace mrc
