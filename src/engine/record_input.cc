#include "engine/record_input.h"

#include "engine/input_formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Whether the answer would be of nothing but values, and each of these is a bad one.
bool no_value_fits(const Job &job, const BadRecords &all) {
  if (all.values().count() == 0 || job.aggregation.counts_records) return false;
  i64 columns = 0;
  for (const ValueColumn &column : job.map.fields.values) {
    if (column.kind == ValueColumn::Kind::text && !column.expr.bucket) return false;
    columns += column.kind != ValueColumn::Kind::position;
  }
  return all.values().count() == all.used() * columns;
}

}  // namespace

Result<std::unique_ptr<QuotedCuts>> RecordInput::scan_quotes(const std::vector<Split> &splits) {
  if (!has_fields()) return std::unique_ptr<QuotedCuts>();
  std::unique_ptr<QuotedCuts> quoted = make_quoted_cuts(run_.plan, splits);
  const bool files = std::any_of(splits.begin(), splits.end(), [&](const Split &split) {
    return quotes_of(run_.plan, split.source).has_value();
  });
  if (!files) return quoted;
  Status status = run_.pool.run(run_.pool.size(), [&](i64) {
    quoted->scan(run_.plan.io);
    return Status::ok();
  });
  if (!status.is_ok()) return status;
  quoted->join();
  return quoted;
}

void RecordInput::attach(SplitQueue *queue) {
  queue_ = queue;
  if (!has_fields()) return;
  queue->on_stream([this, queue](i64 source, Bytes head,
                                 bool whole) { return begin_stream(queue, source, head, whole); },
                   [this](Bytes head) { return wants_more(run_.job, head); });
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
  if (run_.job.strict && notes->bad->any() &&
      queue_->all_claimed_before(source_of(notes->bad->first_position()))) {
    queue_->cancel();
  }
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
          std::any_of(bad_.begin(), bad_.end(), [](const auto &bad) { return bad->any(); }));
}

Status RecordInput::finish(u64 last_position) {
  if (!stream_problem_.is_ok()) return stream_problem_;
  if (run_.round > 0) return Status::ok();
  BadRecords all(false, run_.job.map.terminator, "");
  std::vector<BadRecords *> of_workers;
  for (const auto &bad : bad_) {
    if (!bad->status().is_ok()) return bad->status();
    if (last_position != ~u64{0}) bad->forget_beyond(last_position);
    all.add(*bad);
    of_workers.push_back(bad.get());
  }
  if (run_.bad_output) {
    // How many others were met until all workers knew of the first is a matter of time.
    const u64 last = all.first_position();
    for (BadRecords *bad : of_workers) {
      if (run_.job.strict) bad->forget_beyond(last);
    }
    Status status = BadRecords::write(of_workers, run_.bad_output.get());
    if (!status.is_ok()) return status;
  }
  if (!all.any()) return Status::ok();
  stream_lines_.seal();
  report(all);
  return verdict(all);
}

void RecordInput::report(const BadRecords &all) {
  auto describe = [this](const Complaint &complaint) {
    return complaint.count() == 0 ? "" : complaint.describe_first(run_.plan.sources, stream_lines_);
  };
  Report &report = run_.report;
  report.bad_records = all.records().count();
  report.first_bad = describe(all.records());
  report.used_records = all.used();
  report.bad_values = all.values().count();
  report.first_bad_value = describe(all.values());
}

// Whether there is an answer nevertheless.
Status RecordInput::verdict(const BadRecords &all) const {
  const Complaint &records = all.records(), &values = all.values();
  const Report &report = run_.report;
  if (run_.job.strict) {
    const bool record_first = records.first_position() <= values.first_position();
    return Status::error(record_first ? report.first_bad : report.first_bad_value);
  }
  const char *advice = has_fields() ? "; mrc fields shows how they are read" : "";
  if (records.count() > 0 && records.count() == report.read_records) {
    return Status::input_error(fmt::format("no record can be used, of {} read; the first: {}{}",
                                           records.count(), report.first_bad, advice));
  }
  if (no_value_fits(run_.job, all)) {
    return Status::input_error(fmt::format("no value can be used, of {} read; the first: {}{}",
                                           values.count(), report.first_bad_value, advice));
  }
  return Status::ok();
}

}  // namespace mrc
