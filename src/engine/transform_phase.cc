// The transform phase, of jobs that print text in the order of the input: workers claim
// splits in that order, and what they make of them is written as soon as all before it is.
//
// Splits of files and blocks of streams are numbered apart, and streams come after files
// in a queue: where the input has both, each run of neighbours of one kind is a queue of
// its own, one after the other. So is each compressed file, which has a lane of its own.
#include "engine/ordered_writer.h"
#include "engine/record_input.h"
#include "engine/run.h"

#include <algorithm>
#include <atomic>

namespace mrc {
namespace {

// Of the text that is made ahead of its turn.
constexpr i64 kLargestShare = i64{8} << 20;

class TransformPhase {
 public:
  explicit TransformPhase(Run *run)
      : run_(*run),
        input_(run),
        transformer_(*run_.job.transform),
        terms_(transformer_.terms()),
        kept_(terms_, std::ssize(run_.plan.sources)),
        writer_(std::min(run_.worker_share() / 4, kLargestShare), run_.pool.size(), &kept_,
                run_.output.get()) {}

  Status go();

 private:
  Status transform_sources(i64 begin, i64 end);
  Status work(i64 worker);
  Status transform(i64 worker);
  struct Hand;
  Status transform_units(ChunkReader *reader, i64 worker, Hand *hand);
  Status take(const Chunk &chunk, i64 unit, Hand *hand);
  bool is_enough() const { return kept_.is_full() || finished_ == std::ssize(run_.plan.sources); }
  void leave_source(i64 source);
  void stop();
  void watch();
  Status conclude();

  Run &run_;
  RecordInput input_;
  const Transformer &transformer_;
  const TransformTerms terms_;
  KeptRecords kept_;
  OrderedWriter writer_;
  SplitQueue *queue_ = nullptr;
  i64 bytes_before_ = 0;  // of earlier queues
  i64 unread_sources_ = 0;
  std::atomic<i64> finished_{0};  // inputs of which no more is wanted
  std::atomic<bool> stopped_{false};
};

// What one worker has for the chunks of a queue.
struct TransformPhase::Hand {
  Hand(const Run &run, const RecordInput &input, const Transformer &of_job)
      : notes(input.begin_notes()),
        transformer(of_job.make_worker(run.plan.readers.get(), notes.bad.get())) {}

  RecordInput::Notes notes;
  std::unique_ptr<ChunkTransformer> transformer;
  TransformedText text;
  i64 records = 0;  // of chunks
};

Status TransformPhase::go() {
  const std::vector<Source> &sources = run_.plan.sources;
  const i64 size = std::ssize(sources);
  std::string header;
  transformer_.begin(&header);
  writer_.begin_with(std::move(header));
  Status status = Status::ok();
  for (i64 begin = 0, end = 0; begin < size && status.is_ok(); begin = end) {
    const Source &first = sources[static_cast<size_t>(begin)];
    auto goes_with_first = [&](const Source &other) {
      return other.stream == first.stream && first.codec == Codec::none &&
             other.codec == Codec::none;
    };
    do {
      ++end;
    } while (end < size && goes_with_first(sources[static_cast<size_t>(end)]));
    if (run_.report.abandoned || is_enough() || input_.ended()) break;
    status = transform_sources(begin, end);
  }
  Report &report = run_.report;
  report.workers = run_.pool.size();
  report.transformed = true;
  report.records = kept_.all();
  report.partial = !run_.plan.unreadable.empty() || unread_sources_ > 0;
  report.unread = report.bytes == 0 && unread_sources_ == size;
  if (kept_.is_full()) report.read_records = 0;
  if (status.is_ok()) status = input_.finish(kept_.last_position());
  if (!status.is_ok() || report.unread) return status;
  return conclude();
}

Status TransformPhase::transform_sources(i64 begin, i64 end) {
  std::vector<Source> sources = run_.plan.sources;
  std::vector<Split> splits;
  auto is_inside = [&](i64 source) { return source >= begin && source < end; };
  for (i64 i = 0; i < std::ssize(sources); ++i) {
    if (!is_inside(i)) sources[static_cast<size_t>(i)].stream = false;
  }
  for (const Split &split : run_.plan.splits) {
    if (is_inside(split.source)) splits.push_back(split);
  }
  std::sort(splits.begin(), splits.end(), [](const Split &a, const Split &b) {
    return position_of(a.source, a.begin) < position_of(b.source, b.begin);
  });
  auto complain = [this](const Source &, const Status &what) {
    std::lock_guard lock(run_.mutex);
    ++unread_sources_;
    run_.observer->complain(what.message());
  };
  Result<std::unique_ptr<QuotedCuts>> quoted = input_.scan_quotes(splits);
  if (!quoted.is_ok()) return quoted.status();
  SplitQueue queue(std::move(sources), std::move(splits), cuts_of(run_.job), complain, {},
                   quoted->get());
  input_.attach(&queue);
  queue.be_prompt([this] { watch(); });
  queue_ = &queue;
  writer_.begin_again();
  Status status = run_.pool.run(run_.pool.size(), [this](i64 worker) { return work(worker); });
  bytes_before_ += queue.bytes_claimed();
  return status;
}

Status TransformPhase::work(i64 worker) {
  Status status = guarded([&] { return transform(worker); });
  if (!status.is_ok()) stop();
  return status;
}

Status TransformPhase::transform(i64 worker) {
  Status status = bind(run_.plan.places[static_cast<size_t>(worker)]);
  ChunkReader reader(queue_, run_.plan.io);
  Hand hand(run_, input_, transformer_);
  if (status.is_ok()) status = transform_units(&reader, worker, &hand);
  input_.collect(&hand.notes);
  std::lock_guard lock(run_.mutex);
  run_.report.splits += reader.splits();
  run_.report.bytes += reader.bytes();
  run_.report.read_records += hand.records;
  return status;
}

Status TransformPhase::transform_units(ChunkReader *reader, i64 worker, Hand *hand) {
  Status status = Status::ok();
  while (status.is_ok() && reader->claim()) {
    i64 source = -1;
    for (;;) {
      Result<std::optional<Chunk>> chunk = reader->next_of_unit();
      if (!chunk.is_ok()) return chunk.status();
      if (!*chunk) break;
      source = (*chunk)->source;
      if (status = take(**chunk, reader->unit(), hand); !status.is_ok()) return status;
      if (worker == 0) watch();
    }
    if (terms_.text) status = writer_.finish(reader->unit(), source, &hand->text);
    if (source >= 0 && kept_.room(source) <= 0) leave_source(source);
    if (run_.output->abandoned()) stop();
  }
  return status;
}

// (Where the queue is just cancelled, what is claimed still counts.)
Status TransformPhase::take(const Chunk &chunk, i64 unit, Hand *hand) {
  if (stopped_ || kept_.room(chunk.source) <= 0) return Status::ok();
  if (Status status = input_.note(chunk, &hand->notes); !status.is_ok()) return status;
  const Source &source = run_.plan.sources[static_cast<size_t>(chunk.source)];
  TransformedText *text = &hand->text;
  hand->records += hand->transformer->transform(chunk, source, text);
  if (terms_.text) return writer_.add(unit, chunk.source, text);
  kept_.add(chunk.source, text->records);
  text->clear();
  return Status::ok();
}

void TransformPhase::leave_source(i64 source) {
  std::lock_guard lock(run_.mutex);
  if (queue_->skipped(source)) return;
  queue_->skip(source);
  ++finished_;
  if (is_enough()) stop();
}

void TransformPhase::stop() {
  stopped_ = true;
  queue_->cancel();
  writer_.stop();
}

// Now and then: is anybody still interested?
void TransformPhase::watch() {
  std::lock_guard lock(run_.mutex);
  run_.observer->progress(bytes_before_ + queue_->bytes_claimed(),
                          run_.plan.streams > 0 ? 0 : run_.plan.input_bytes);
  if (!run_.output->reader_left()) return;
  run_.report.abandoned = true;
  stop();
}

// What is said of each input as a whole.
Status TransformPhase::conclude() {
  run_.observer->writing();
  std::string text = writer_.take_header();
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
    transformer_.conclude(run_.plan.sources[static_cast<size_t>(i)], kept_.of_source(i), &text);
  }
  Status status = run_.output->write(text);
  if (status.is_ok()) status = run_.output->commit();
  run_.report.abandoned |= run_.output->abandoned();
  return status;
}

}  // namespace

Status transform_phase(Run *run) { return TransformPhase(run).go(); }

}  // namespace mrc
