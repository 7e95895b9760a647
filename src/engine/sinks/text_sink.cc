// Makes text of chunks, which is written when all text before it is written. Units are claimed in
// the order of the input, for splits and streams alike.
#include "engine/inner/bad_records.h"
#include "engine/inner/ledger.h"
#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "engine/sinks/ordered_writer.h"
#include "engine/sinks/text_product.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>

namespace mrc {
namespace {

// Limit for the text that a worker holds back until its turn.
constexpr i64 kLargestShare = i64{8} << 20;
// If more text is held back in all, it has left the cache before it is written.
constexpr i64 kFarAhead = i64{1} << 20;

class TextSink : public StageSink, public Products {
 public:
  TextSink(Run *run, const Transformer &transformer)
      : run_(*run),
        transformer_(transformer),
        terms_(transformer_.terms()),
        kept_(terms_, std::ssize(run_.plan.sources)),
        writer_(std::min(run_.worker_share() / 4, kLargestShare), run_.pool.size(),
                sources_with_units(run_.plan.sources), &kept_, run_.output.get()) {
    std::string header;
    transformer_.begin(&header);
    writer_.begin_with(std::move(header));
    writer_.name_inputs([this](i64 source, std::string *text) {
      transformer_.append_name(run_.plan.sources[static_cast<size_t>(source)], text);
    });
    writer_.skip(terms_.skipped);
    if (terms_.has_around()) {
      writer_.write_around(terms_, run_.plan.memory / 4, run_.program.follows);
    }
    if (run_.plan.state || run_.program.isolation.is_wanted) conduct_ = make_conduct(run, this);
    if (terms_.draws()) {
      drawn_.emplace(terms_.drawn, terms_.seed, run_.plan.memory / 4);
      writer_.write_drawn(&*drawn_);
    } else if (terms_.is_late()) {
      late_.emplace(terms_, run_.plan.memory / 4, run_.plan.tmpdir);
      writer_.write_late(&*late_);
    }
  }

  Status open() override;
  bool in_order() const override { return true; }
  bool is_far_ahead() const override { return writer_.held_bytes() > kFarAhead; }
  void begin(ChunkSource *source) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status take_part(i64 worker, SealedPart part) override {
    return conduct_->take_part(worker, std::move(part));
  }
  void end_worker(i64 worker) override { conduct_->end_worker(worker); }
  void stop() override;
  Status end(Report *report) override;
  Status reduce() override;
  u64 last_position() const override { return kept_.last_position(); }
  Result<Answer> finish() override;

  std::unique_ptr<Product> make_product(i64, BadRecordSink *bad, PartFiles *files) override {
    return std::make_unique<TextProduct>(&run_, transformer_, bad, files);
  }
  Status adopt(SavedParts others, SavedParts own) override;
  RecordShape kept_shape() const override { return kTextShape; }
  Status seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) override;
  Status merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
               SealedBlocks *written) override;
  Status load(std::span<const KeptStretch> tiles) override;

 private:
  class TextHand;
  void leave(i64 source);
  i64 answered() const { return std::max<i64>(0, kept_.all() - terms_.skipped); }
  // True if the writer gets all chunks; otherwise records are only counted.
  bool writes() const { return terms_.text || checkpoints_; }
  Status write_block(i64 source, const StoredBlock &block);

  Run &run_;
  const Transformer &transformer_;
  const TransformTerms terms_;
  KeptRecords kept_;
  OrderedWriter writer_;
  std::unique_ptr<TextCheckpoints> checkpoints_;
  std::optional<LateText> late_;
  std::optional<DrawnText> drawn_;
  std::unique_ptr<Conduct> conduct_;  // null: text is written while the input is mapped
  Pages buffer_;                      // for saved text
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
    if (sink_.writes()) return sink_.writer_.add(unit_, &text_);
    sink_.kept_.add(chunk.source, text_.records);
    text_.clear();
    return Status::ok();
  }

  Status end_unit(const Unit &unit) override {
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

 private:
  bool drain(TransformedText *text) {
    if (drained_.is_ok()) drained_ = sink_.writer_.add(unit_, text);
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
  Status drained_ = Status::ok();
};

std::unique_ptr<Hand> TextSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (conduct_) return conduct_->make_hand(worker, bad);
  return std::make_unique<TextHand>(this, bad);
}

// Continues after the text of an earlier run, unless that is kept by tiles.
Status TextSink::open() {
  if (conduct_) return conduct_->open();
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
  if (conduct_) conduct_->begin(source);
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

// Writes a block of saved text, which is next in the input.
Status TextSink::write_block(i64 source, const StoredBlock &block) {
  if (kept_.room(source) <= 0 || run_.output->abandoned()) return Status::ok();
  Result<TransformedText> text = read_text(block, &buffer_);
  return text.is_ok() ? writer_.write_now(source, &*text) : text.status();
}

// Text of one chunk may be in several blocks of one file.
Status TextSink::adopt(SavedParts others, SavedParts) {
  std::vector<StoredBlock> all;
  for (const auto &part : others) {
    const Result<RunReader> reader = RunReader::open(&part->file);
    if (!reader.is_ok()) return reader.status();
    for (const BlockInfo &info : reader->blocks()) all.push_back({&part->file, info});
  }
  sort_by_place(&all);
  for (const StoredBlock &block : all) {
    Status status = write_block(source_of(block.info.lo), block);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status TextSink::seal(TileProducts parts, u64, SealedRun *run, SealedBlocks *written) {
  std::vector<StoredBlock> all;
  for (const auto &part : parts) {
    const auto &tile = static_cast<const TextTile &>(*part);
    for (const BlockInfo &info : tile.blocks) all.push_back({&tile.part->file, info});
  }
  sort_by_place(&all);
  return run->copy(all, written);
}

Status TextSink::merge(std::span<const KeptStretch> tiles, u64, SealedRun *run,
                       SealedBlocks *written) {
  std::vector<StoredBlock> all;
  for (const KeptStretch &tile : tiles) {
    std::ranges::copy(tile.blocks, std::back_inserter(all));
  }
  return run->copy(all, written);
}

Status TextSink::load(std::span<const KeptStretch> tiles) {
  for (const KeptStretch &tile : tiles) {
    for (const StoredBlock &block : tile.blocks) {
      Status status = write_block(tile.portion.source, block);
      if (!status.is_ok()) return status;
    }
  }
  return Status::ok();
}

// Malformed records after the last record in the answer do not count, so text of worker processes
// is written before they are reported.
Status TextSink::end(Report *report) {
  if (run_.program.isolation.is_wanted) {
    if (Status status = conduct_->adopt(); !status.is_ok()) return status;
  }
  writer_.end_input();
  if (checkpoints_) checkpoints_->finish();
  report->transformed = true;
  report->records = answered();
  if (kept_.is_full()) report->read_records = 0;
  return Status::ok();
}

Status TextSink::reduce() {
  if (!run_.plan.state) return Status::ok();
  Status status = conduct_->adopt();
  writer_.end_input();
  run_.report.records = answered();
  return status;
}

// Appends the transformer's conclusion about each input, such as a count.
Result<Answer> TextSink::finish() {
  Answer answer{.text = writer_.take_header()};
  if (late_ || drawn_) {
    OutputFile *const file = run_.output.get();
    const Result<i64> written = late_ ? late_->write_to(file) : drawn_->write_to(file);
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

  i64 record_bytes() const override { return program_.map.record_bytes; }
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
