// Makes text of chunks, which is written when all text before it is written. Units are claimed in
// the order of the input, for splits and streams alike.
#include "engine/inner/run.h"
#include "engine/inner/text_checkpoints.h"
#include "engine/inner/unit_front.h"
#include "engine/sinks/counted_bad.h"
#include "engine/sinks/ordered_writer.h"
#include "engine/sinks/text_parts.h"
#include "engine/sinks/text_sink.h"

#include <algorithm>
#include <atomic>
#include <optional>

namespace mrc {
namespace {

// Limit for the text that a worker holds back until its turn.
constexpr i64 kLargestShare = i64{8} << 20;
// If more text is held back in all, it has left the cache before it is written.
constexpr i64 kFarAhead = i64{1} << 20;
// Text that a worker process saves at once.
constexpr i64 kPieceBytes = i64{1} << 20;

class TextSink : public StageSink {
 public:
  TextSink(Run *run, const Transformer &transformer)
      : run_(*run),
        transformer_(transformer),
        terms_(transformer_.terms()),
        kept_(terms_, std::ssize(run_.plan.sources)),
        writer_(std::min(run_.worker_share() / 4, kLargestShare), run_.pool.size(),
                sources_with_units(run_.plan), &kept_, run_.output.get()) {
    std::string header;
    transformer_.begin(&header);
    writer_.begin_with(std::move(header));
    if (run_.program.isolation.is_wanted) parts_.emplace(run_.plan.tmpdir);
    if (!terms_.is_late()) return;
    late_.emplace(terms_, run_.plan.memory / 4, run_.plan.tmpdir);
    writer_.write_late(&*late_);
  }

  Status open() override;
  bool in_order() const override { return true; }
  bool is_far_ahead() const override { return writer_.held_bytes() > kFarAhead; }
  void begin(ChunkSource *source) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status take_part(i64, SealedPart part) override { return parts_->take(part); }
  void stop() override;
  Status end(Report *report) override;
  u64 last_position() const override { return kept_.last_position(); }
  Result<Answer> finish() override;

 private:
  class TextHand;
  void leave(i64 source);
  // True if the writer gets all chunks; otherwise records are only counted.
  bool writes() const { return terms_.text || checkpoints_ || parts_; }
  Status write_parts();

  Run &run_;
  const Transformer &transformer_;
  const TransformTerms terms_;
  KeptRecords kept_;
  OrderedWriter writer_;
  std::unique_ptr<TextCheckpoints> checkpoints_;
  std::optional<LateText> late_;
  std::optional<TextParts> parts_;  // set: workers are processes
  ChunkSource *source_ = nullptr;
  std::vector<bool> left_ = std::vector<bool>(run_.plan.sources.size());
  i64 left_sources_ = 0;  // sources of which no more is wanted
  std::atomic<bool> stopped_{false};
};

class TextSink::TextHand : public Hand {
 public:
  TextHand(TextSink *sink, BadRecordSink *bad)
      : sink_(*sink),
        bad_(bad, sink->run_.program.map.terminator),
        transformer_(sink->transformer_.make_worker(sink->run_.readers.get(), &bad_)) {
    transformer_->drain_to([this](TransformedText *text) { return drain(text); });
    if (sink_.parts_) saved_.emplace(sink_.run_.plan.tmpdir);
  }

  Status begin_unit(const Unit &unit) override {
    unit_ = unit;
    return Status::ok();
  }

  // (After a cancel, units that are claimed still count.)
  Status take(const Chunk &chunk, i64 *records) override {
    if (sink_.stopped_ || sink_.kept_.room(chunk.source) <= 0) return Status::ok();
    const Source &source = sink_.run_.plan.sources[static_cast<size_t>(chunk.source)];
    const i64 read = transformer_->transform(chunk, source, &text_);
    *records += read;
    if (!drained_.is_ok()) return drained_;
    note(chunk, read);
    if (sink_.writes()) return put(&text_);
    sink_.kept_.add(chunk.source, text_.records);
    text_.clear();
    return Status::ok();
  }

  Status end_unit(const Unit &unit) override {
    if (saved_) return saved_->add(unit, &text_);
    Status status = Status::ok();
    if (sink_.writes()) status = sink_.writer_.finish(unit, &text_);
    if (sink_.kept_.room(unit.source) <= 0) sink_.leave(unit.source);
    if (sink_.run_.output->abandoned()) {
      sink_.source_->cancel();
      sink_.stop();
    }
    return status;
  }

  Status seal(bool) override { return Status::ok(); }
  Result<SealedPart> seal_part() override { return saved_->seal(); }

 private:
  // Takes the text of the unit so far.
  Status put(TransformedText *text) {
    if (!saved_) return sink_.writer_.add(unit_, text);
    return text->bytes() < kPieceBytes ? Status::ok() : saved_->add(unit_, text);
  }

  bool drain(TransformedText *text) {
    if (drained_.is_ok()) {
      drained_ = saved_ ? saved_->add(unit_, text) : sink_.writer_.add(unit_, text);
    }
    const bool is_wanted = !sink_.stopped_ && sink_.kept_.room(unit_.source) > 0;
    return drained_.is_ok() && is_wanted && !sink_.run_.output->abandoned();
  }

  void note(const Chunk &chunk, i64 read) {
    Portion next{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes)};
    next.records = read;
    KeptFlaws flaws;
    bad_.move_to(&next, &flaws);
    if (text_.of.end == 0) text_.of = {.source = next.source, .begin = next.begin};
    text_.of.add(next);
    text_.used += flaws.used;
    if (sink_.checkpoints_ && flaws != KeptFlaws()) sink_.checkpoints_->note_flaws(flaws);
  }

  TextSink &sink_;
  CountedBad bad_;
  std::unique_ptr<ChunkTransformer> transformer_;
  Unit unit_;
  TransformedText text_;
  std::optional<WorkerText> saved_;  // set: this is a worker process
  Status drained_ = Status::ok();
};

std::unique_ptr<Hand> TextSink::make_hand(i64, BadRecordSink *bad) {
  return std::make_unique<TextHand>(this, bad);
}

// Continues after the text of an earlier run.
Status TextSink::open() {
  if (!run_.plan.checkpoint) return Status::ok();
  const CheckpointInputs &inputs = *run_.plan.checkpoint;
  checkpoints_ = std::make_unique<TextCheckpoints>(&run_, &kept_);
  writer_.leave_checkpoints(checkpoints_.get());
  const WrittenText *text = inputs.text();
  if (text == nullptr) return run_.output->go_on_after(0);
  writer_.go_on_after(*text);
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) kept_.add(i, inputs.answered(i));
  return run_.output->go_on_after(text->bytes);
}

// Leaves inputs of which an earlier run has written enough.
void TextSink::begin(ChunkSource *source) {
  source_ = source;
  if (!checkpoints_) return;
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
    if (kept_.room(i) <= 0) leave(i);
  }
}

void TextSink::stop() {
  stopped_ = true;
  writer_.stop();
}

// Ends the reading of an input of which no more is wanted.
void TextSink::leave(i64 source) {
  std::lock_guard lock(run_.mutex);
  if (left_[static_cast<size_t>(source)]) return;
  left_[static_cast<size_t>(source)] = true;
  source_->skip(source);
  if (!kept_.is_full() && ++left_sources_ < std::ssize(left_)) return;
  source_->cancel();
  stop();
}

Status TextSink::write_parts() {
  return parts_->each([this](i64 source, TransformedText *text) {
    return kept_.room(source) > 0 ? writer_.write_now(source, text) : Status::ok();
  });
}

Status TextSink::end(Report *report) {
  if (parts_) {
    if (Status status = write_parts(); !status.is_ok()) return status;
  }
  if (checkpoints_) checkpoints_->finish();
  report->transformed = true;
  report->records = kept_.all();
  if (kept_.is_full()) report->read_records = 0;
  return Status::ok();
}

// Appends the transformer's conclusion about each input, such as a count.
Result<Answer> TextSink::finish() {
  Answer answer{.text = writer_.take_header()};
  if (late_) {
    const Result<i64> written = late_->write_to(run_.output.get());
    if (!written.is_ok()) return written.status();
    run_.report.records = *written;
  }
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
    transformer_.conclude(run_.plan.sources[static_cast<size_t>(i)], kept_.of_source(i),
                          &answer.text);
  }
  return answer;
}

class TextStage : public Stage {
 public:
  explicit TextStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override {
    plan->decisions.push_back({"order", "of the input", "text that is made ahead is held back"});
  }
  bool is_limited() const override { return program_.transform->terms().limited(); }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return make_text_sink(run, *run->program.transform);
  }

 private:
  const Program &program_;
};

}  // namespace

std::unique_ptr<StageSink> make_text_sink(Run *run, const Transformer &transformer) {
  return std::make_unique<TextSink>(run, transformer);
}

constinit const StageType kTextStage = make_stage_type<TextStage>("text", Makes::text);

}  // namespace mrc
