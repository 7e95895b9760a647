#include "engine/inner/input_watch.h"

#include "base/setting_name.h"
#include "base/signals.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan_steps.h"
#include "kept/merge_partials.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// True if the job only computes with values, and every value is malformed. A plugin may do anything
// with its records.
bool no_value_fits(const Program &program, const BadRecords &all) {
  if (all.values().count() == 0 || program.aggregation.counts_records) return false;
  if (program.plugin) return false;
  i64 columns = 0;
  for (const ValueColumn &column : program.map.fields.values) {
    if (column.kind == ValueColumn::Kind::text && !column.expr.bucket) return false;
    columns += column.kind != ValueColumn::Kind::position;
  }
  return all.values().count() == all.used() * columns;
}

}  // namespace

Result<std::unique_ptr<ScannedCuts>> InputWatch::scan_cuts(const std::vector<Split> &splits) {
  if (!has_fields()) return std::unique_ptr<ScannedCuts>();
  std::unique_ptr<ScannedCuts> cuts = make_scanned_cuts(run_.plan, splits);
  const bool files = std::any_of(splits.begin(), splits.end(), [&](const Split &split) {
    return cut_rule_of(*run_.readers, split.source).has_value();
  });
  if (!files || run_.cuts_lines) return cuts;
  Status status = run_.pool.run(run_.pool.size(), [&](i64) {
    cuts->scan(run_.plan.io);
    return Status::ok();
  });
  if (!status.is_ok()) return status;
  cuts->join();
  return cuts;
}

void InputWatch::attach(SplitQueue *queue) {
  queue_ = queue;
  if (!has_fields()) return;
  queue->on_stream(
      [this](i64 source, Bytes head, bool whole) { return begin_stream(source, head, whole); },
      [this](Bytes head, bool is_slow) {
        return is_slow ? wants_more_records(run_.program, head) : wants_more(run_.program, head);
      });
}

std::optional<CutRule> InputWatch::begin_stream(i64 source, Bytes head, bool whole) {
  Status status = adopt_stream(run_.program, source, head, whole, run_.readers.get());
  if (status.is_ok()) return cut_rule_of(*run_.readers, source);
  status = status.within(run_.plan.sources[static_cast<size_t>(source)].name());
  status = first_problem(run_.program, run_.plan, source, status, run_.readers.get());
  std::lock_guard lock(run_.mutex);
  if (stream_problem_.is_ok()) stream_problem_ = std::move(status);
  source_->cancel();
  return std::nullopt;
}

FollowedFormat InputWatch::begin_followed(i64 source, Bytes head) {
  if (!has_fields()) return {.groups = run_.program.map.groups};
  if (run_.readers->dialect(source) == nullptr) begin_stream(source, head, true);
  const Dialect *dialect = run_.readers->dialect(source);
  return {quotes_of(*run_.readers, source), dialect != nullptr && dialect->header,
          groups_of(*run_.readers, source)};
}

void InputWatch::note(const std::string &message) {
  std::lock_guard lock(run_.mutex);
  run_.observer->note(message);
}

void InputWatch::complain(const Source &source, const Status &what) {
  std::lock_guard lock(run_.mutex);
  run_.damaged.insert(source.path);
  unread_.push_back({place_of(source), source.path, what.message()});
  const bool may_not_count = run_.stage->is_limited() && !run_.program.follows;
  if (!may_not_count) report_unread();
}

void InputWatch::end_reading(u64 last_position) {
  std::lock_guard lock(run_.mutex);
  std::ranges::stable_sort(unread_, {}, &Unread::place);
  if (last_position != ~u64{0}) {
    const auto last = static_cast<size_t>(source_of(last_position));
    const auto beyond =
        std::ranges::lower_bound(unread_, place_of(run_.plan.sources[last]), {}, &Unread::place);
    for (auto each = beyond; each != unread_.end(); ++each) run_.damaged.erase(each->path);
    unread_.erase(beyond, unread_.end());
  }
  report_unread();
}

void InputWatch::report_unread() {
  for (const Unread &each : unread_) {
    if (run_.complaints.insert(each.message).second) run_.observer->complain(each.message);
  }
  unread_sources_ += std::ssize(unread_);
  unread_.clear();
}

// Notes of one worker about its chunks. A limited answer may exclude some malformed records later,
// so their positions are kept.
class InputWatch::WorkerNotes : public Watch::Notes {
 public:
  explicit WorkerNotes(InputWatch *watch)
      : watch_(*watch),
        checks_(&watch->run_.plan.left_out),
        bad_(!program().bad_path.empty() || (watch->has_fields() && is_limited()),
             program().map.record_end(), watch->run_.plan.tmpdir) {}

  BadRecordSink *bad() override { return &bad_; }

  Status note(const Chunk &chunk) override {
    watch_.complain_of_rest(chunk);
    checks_.take(chunk);
    if (!watch_.may_be_bad()) return Status::ok();
    const Source &source = watch_.run_.plan.sources[static_cast<size_t>(chunk.source)];
    if (source.stream || source.followed) {
      stream_lines_.add(chunk, program().map.terminator);
    }
    return bad_.status();
  }

  void look_back() override {
    if (bad_.has_open_quote()) watch_.end_at_open_quote();
    if (program().strict && bad_.any()) watch_.end_at(bad_.first_position());
  }

  Status move_to(std::string *message) {
    stream_lines_.move_to(message);
    checks_.move_to(message);
    return bad_.move_to(message);
  }
  void take(Bytes *message) {
    stream_lines_.add(message);
    checks_.take(message);
    bad_.take(message);
  }
  BadRecords *records() { return &bad_; }
  const LineTable &stream_lines() const { return stream_lines_; }
  const PageChecks &checks() const { return checks_; }

 private:
  const Program &program() const { return watch_.run_.program; }
  bool is_limited() const { return watch_.run_.stage->is_limited(); }

  InputWatch &watch_;
  PageChecks checks_;
  BadRecords bad_;
  LineTable stream_lines_;  // to number bad records of streams, which cannot be read again
};

Result<std::unique_ptr<Watch::Notes>> InputWatch::begin(i64 worker) {
  if (Status status = bind(run_.plan.places[static_cast<size_t>(worker)]); !status.is_ok()) {
    return status;
  }
  return std::unique_ptr<Notes>(std::make_unique<WorkerNotes>(this));
}

// Complains of an incomplete last record in an input whose records have a fixed size, unless their
// reader does.
void InputWatch::complain_of_rest(const Chunk &chunk) {
  if (has_fields()) return;
  const i64 size = run_.stage->record_bytes();
  const i64 rest = size == 0 ? 0 : std::ssize(chunk.bytes) % size;
  if (rest == 0 || queue_ == nullptr || queue_->cancelled()) return;
  const Source &source = run_.plan.sources[static_cast<size_t>(chunk.source)];
  queue_->complain(chunk.source,
                   Status::error(fmt::format("{}: {} bytes are left over: records have {}",
                                             source.name(), rest, size)));
}

void InputWatch::end_at_open_quote() {
  if (!run_.cuts_lines) return;
  run_.cut_in_quotes = true;
  source_->cancel();
}

void InputWatch::end_at(u64 bad) {
  for (u64 first = first_bad_; bad < first && !first_bad_.compare_exchange_weak(first, bad);) {
  }
  end_at_first_bad();
}

// Cancels the source at a malformed record, but only when all input before it is claimed, as the
// message names the first malformed record of the input.
void InputWatch::end_at_first_bad() {
  if (run_.program.isolation.is_wanted) return;  // claimed tasks may have to be mapped again
  const u64 first = first_bad_;
  if (first != ~u64{0} && source_->all_claimed_before(source_of(first))) source_->cancel();
}

void InputWatch::look() {
  end_at_first_bad();
  std::lock_guard lock(run_.mutex);
  const Plan &plan = run_.plan;
  const bool known = plan.streams == plan.packed && !run_.program.follows;
  const i64 total = known ? plan.input_bytes + plan.packed_bytes : 0;
  // Each round of a join reads other input. Bytes of workers that have ended count twice until its
  // end.
  const i64 before = run_.program.join && known ? run_.report.bytes : 0;
  const i64 mapped = source_->bytes_claimed() + before;
  run_.observer->progress(known ? std::min(mapped, total) : mapped, total);
  // A state must cover all of its input.
  if (interrupted() && !run_.plan.state) source_->end_input();
  if (!sink_->answers() || !run_.output->reader_left()) return;
  run_.report.abandoned = true;
  source_->cancel();
  sink_->stop();
}

void InputWatch::end(std::unique_ptr<Notes> notes, const ReadCounts &counts, i64 records) {
  std::lock_guard lock(run_.mutex);
  Report &report = run_.report;
  records_ += records;
  report.records += records;
  report.splits += counts.units;
  report.stolen += counts.stolen;
  report.bytes += counts.bytes;
  report.placed_bytes += counts.placed_bytes;
  report.near_bytes += counts.near_bytes;
  const auto &of_worker = static_cast<const WorkerNotes &>(*notes);
  stream_lines_.add(of_worker.stream_lines());
  checks_.add(of_worker.checks());
  notes_.push_back(std::move(notes));
}

Status InputWatch::move_notes(Notes *notes, std::string *message) {
  return static_cast<WorkerNotes *>(notes)->move_to(message);
}

void InputWatch::add_notes(Bytes message, const ReadCounts &counts, i64 records) {
  auto notes = std::make_unique<WorkerNotes>(this);
  notes->take(&message);
  if (run_.program.strict && notes->records()->any()) {
    first_bad_ = std::min<u64>(first_bad_, notes->records()->first_position());
  }
  end(std::move(notes), counts, records);
}

std::vector<BadRecords *> InputWatch::bad_of_workers() const {
  std::vector<BadRecords *> all;
  for (const auto &notes : notes_) {
    all.push_back(static_cast<WorkerNotes *>(notes.get())->records());
  }
  return all;
}

Status InputWatch::finish(u64 last_position) {
  if (!stream_problem_.is_ok()) return stream_problem_;
  if (run_.round > 0 && !run_.program.join) return Status::ok();  // the first round has reported
  if (run_.program.partial.merged) return finish_merged();
  if (Status status = check_pages(); !status.is_ok()) return status;
  BadRecords all(false, run_.program.map.record_end(), "");
  for (const LeftOut::Pages &pages : run_.plan.left_out.of_sources) {
    all.add(pages.counts, {.record = pages.flaw, .value = {}});
  }
  const std::vector<BadRecords *> of_workers = bad_of_workers();
  for (BadRecords *bad : of_workers) {
    if (!bad->status().is_ok()) return bad->status();
    if (last_position != ~u64{0}) bad->forget_beyond(last_position);
    all.add(*bad);
  }
  if (run_.plan.checkpoint) {  // results of earlier runs count as if this run had read the input
    const CheckpointInputs &inputs = *run_.plan.checkpoint;
    all.add(inputs.known_records(), inputs.known_flaws());
  }
  if (run_.bad_output) {
    // Later ones are dropped: how many workers met before they all knew of the first is chance.
    const u64 last = all.first_position();
    for (BadRecords *bad : of_workers) {
      if (run_.program.strict) bad->forget_beyond(last);
    }
    Status status = BadRecords::write(of_workers, run_.bad_output.get());
    if (!status.is_ok()) return status;
  }
  Status status = Status::ok();
  // How many records were looked at beyond the last one is chance.
  if (last_position == ~u64{0}) run_.report.used_records = all.used();
  for (const auto &[name, is_there] : all.fields()) {
    if (!is_there) run_.report.missing_fields.push_back(name);
  }
  if (has_fields() && std::ranges::any_of(run_.readers->dialects(), is_by_numbers)) {
    run_.observer->note(
        fmt::format("numbers of fields count what blanks separate; {} lines reads whole lines",
                    setting_name("from")));
  }
  if (all.any()) {
    stream_lines_.seal();
    report(all);
    // Other partials may have records that can be used.
    if (!run_.program.partial.is_wanted || run_.program.strict) status = verdict(all);
  }
  const bool more_follow = run_.program.join && run_.round == 0 && status.is_ok();
  if (!run_.bad_output || more_follow) return status;
  const Status kept = run_.bad_output->commit();
  return kept.is_ok() ? status : kept;
}

// Returns an error if a page has changed although the file seems as it was.
Status InputWatch::check_pages() const {
  const i64 changed = checks_.changed_source();
  if (changed < 0) return Status::ok();
  const Source &source = run_.plan.sources[static_cast<size_t>(changed)];
  if (run_.program.partial.listed) return changed_since_listed(source);
  return Status::error(source.name() +
                       ": has changed since it was indexed, but not its time; index it again");
}

void InputWatch::report(const BadRecords &all) {
  auto describe = [this](const Complaint &complaint) {
    return complaint.count() == 0 ? "" : complaint.describe_first(run_.plan.sources, stream_lines_);
  };
  Report &report = run_.report;
  report.bad_records += all.records().count();
  if (report.first_bad.empty()) report.first_bad = describe(all.records());
  report.first_bad_at = all.records().first_position();
  report.bad_values = all.values().count();
  report.first_bad_value = describe(all.values());
  report.first_bad_value_at = all.values().first_position();
}

// Reports the malformed records of other processes as if this run had met them.
Status InputWatch::finish_merged() {
  const MergedPartials &merged = *run_.program.partial.merged;
  const PartialFlaw records = merged.bad_records(), values = merged.bad_values();
  Report &report = run_.report;
  report.bad_records = records.count;
  report.first_bad = records.said;
  report.used_records = merged.used();
  report.bad_values = values.count;
  report.first_bad_value = values.said;
  for (const PartialPiece &piece : merged.whole.pieces) {
    report.partial |= !piece.unread.empty();
    for (const std::string &message : piece.unread) {
      run_.observer->complain("when a partial was made: " + message);
    }
  }
  // A partial names its units; missing ones matter only to the job that makes rows.
  const bool makes_rows = !run_.program.partial.is_wanted;
  report.partial |= makes_rows && !merged.missing.empty();
  for (const std::string &message : merged.missing) {
    makes_rows ? run_.observer->complain(message) : run_.observer->note(message);
  }
  BadRecords all(false, run_.program.map.record_end(), "");
  KeptFlaws flaws;
  flaws.used = report.used_records;
  flaws.record.position = records.position;
  flaws.value.position = values.position;
  all.add({.bad_records = records.count, .bad_values = values.count}, flaws);
  return all.any() && !run_.program.partial.is_wanted ? verdict(all) : Status::ok();
}

// Returns an error if there can be no answer.
Status InputWatch::verdict(const BadRecords &all) const {
  const Complaint &records = all.records(), &values = all.values();
  const Report &report = run_.report;
  if (run_.program.strict) {
    const bool record_first = records.first_position() <= values.first_position();
    return Status::error(record_first ? report.first_bad : report.first_bad_value);
  }
  // Input of earlier runs gives an answer, and its malformed records are not counted here.
  if (run_.plan.state && run_.plan.state->known_sources() > 0) return Status::ok();
  const LineFormat *format = run_.program.map.fields.format.format;
  const bool are_rows = format == &LineFormat::rows || format == &LineFormat::row_objects;
  const char *advice = has_fields() && !are_rows ? "; mrc fields shows how they are read" : "";
  const i64 read = run_.program.join ? records_ : report.read_records;
  if (records.count() > 0 && records.count() == read) {
    return Status::input_error(fmt::format("no record can be used, of {} read; the first: {}{}",
                                           records.count(), report.first_bad, advice));
  }
  if (no_value_fits(run_.program, all)) {
    return Status::input_error(fmt::format("no value can be used, of {} read; the first: {}{}",
                                           values.count(), report.first_bad_value, advice));
  }
  return Status::ok();
}

}  // namespace mrc
