#include "engine/inner/isolated.h"

#include "base/seconds.h"
#include "base/varint.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace mrc {
namespace {

// Runs in a worker process, and saves its product whenever the worker seals. The parent ends that
// process, so nothing is handed over.
class IsolatedHand : public PlainHand {
 public:
  using PlainHand::PlainHand;

  Result<SealedPart> seal_part() override {
    SealedPart sealed;
    Result<std::shared_ptr<SavedPart>> part = product().save(&sealed.emptied);
    if (!part.is_ok()) return part.status();
    if (*part) sealed.states.emplace(std::move((*part)->file));
    product().move_notes(&sealed.notes);
    return sealed;
  }
};

}  // namespace

std::unique_ptr<Hand> Isolated::make_hand(i64 worker, BadRecordSink *bad) {
  return std::make_unique<IsolatedHand>(products_.make_product(worker, bad, this));
}

Result<std::shared_ptr<SavedPart>> Isolated::create() {
  Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
  if (!file.is_ok()) return file.status();
  return std::make_shared<SavedPart>(-1, std::move(*file));
}

Status Isolated::take_part(i64 worker, SealedPart part) {
  products_.take_notes(part.notes);
  std::erase_if(parts_, [=](const Part &its) { return its.worker == worker; });
  if (!part.states) return Status::ok();
  parts_.push_back(
      {part.emptied ? kStays : worker, std::make_shared<SavedPart>(-1, std::move(*part.states))});
  return parts_.size() <= kMostOpen ? Status::ok() : join_those_that_stay();
}

void Isolated::end_worker(i64 worker) {
  for (Part &part : parts_) {
    if (part.worker == worker) part.worker = kStays;
  }
}

// Moves the blocks of all parts that stay to one file, to which later parts are added, too.
Status Isolated::join_those_that_stay() {
  for (const Part &part : parts_) {
    if (part.worker != kStays) continue;
    if (Status status = join(part.saved->file); !status.is_ok()) return status;
  }
  std::erase_if(parts_, [](const Part &part) { return part.worker == kStays; });
  return Status::ok();
}

Status Isolated::join(const RunFile &file) {
  Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return reader.status();
  if (!joined_) {
    Result<std::shared_ptr<SavedPart>> created = create();
    if (!created.is_ok()) return created.status();
    joined_ = std::move(*created);
    RunHeader header = reader->header();
    header.order = RunOrder::raw;
    writer_ = std::make_unique<RunWriter>(&joined_->file, header);
  }
  Pages buffer;
  for (const BlockInfo &block : reader->blocks()) {
    const Result<Bytes> records = reader->read_block(block, &buffer);
    if (!records.is_ok()) return records.status();
    if (Status status = writer_->add_block(block, *records); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status Isolated::adopt() {
  run_.timer.begin("load");
  SavedParts parts;
  for (Part &part : std::exchange(parts_, {})) parts.push_back(std::move(part.saved));
  if (joined_) {
    if (Status status = writer_->finish(); !status.is_ok()) return status;
    writer_.reset();
    parts.push_back(std::exchange(joined_, nullptr));
  }
  return products_.adopt(std::move(parts), {});
}

namespace {

// A death loses what the worker has made since its last seal. Sealing takes at most this share of
// the time, and happens at most this often.
constexpr double kShareOfSealing = 0.04, kLeastSeconds = 1;

// Passes messages on to the parent process.
class RemoteObserver : public Observer {
 public:
  using Say = std::function<void(Word, Bytes)>;
  explicit RemoteObserver(Say say) : say_(std::move(say)) {}

  void complain(const std::string &message) override { say_(Word::warning, message); }
  void note(const std::string &message) override { say_(Word::remark, message); }
  void progress(i64, i64) override {}
  void writing() override {}

 private:
  const Say say_;
};

ReadCounts operator-(const ReadCounts &all, const ReadCounts &before) {
  ReadCounts since;
  since.units = all.units - before.units;
  since.bytes = all.bytes - before.bytes;
  return since;
}

}  // namespace

std::string SealedCounts::to_text() const {
  std::string text;
  for (const i64 number :
       {read.units, read.bytes, records, packed_bytes, i64{emptied}, sink_notes}) {
    append_varint(static_cast<u64>(number), &text);
  }
  return text;
}

SealedCounts SealedCounts::from_text(Bytes text) {
  SealedCounts counts;
  const auto take = [&text] { return static_cast<i64>(take_varint(&text)); };
  counts.read.units = take();
  counts.read.bytes = take();
  counts.records = take();
  counts.packed_bytes = take();
  counts.emptied = take() != 0;
  counts.sink_notes = take();
  return counts;
}

// Ends a forked copy of this process: the channel belongs to the original.
void IsolatedWorker::end_if_second() const {
  if (getpid() != id_) end_copy("a second process came out of the work of a worker process");
}

void IsolatedWorker::say(Word word, Bytes text, std::span<const int> files) const {
  end_if_second();
  std::string message(1, static_cast<char>(word));
  message.append(text.substr(0, Channel::kMostBytes - 1));
  if (!channel_.send(message, files)) _exit(1);  // the parent is gone
}

void IsolatedWorker::work(i64 number) {
  RemoteObserver observer([this](Word word, Bytes text) { say(word, text); });
  run_.observer = &observer;
  try {
    end(map_all(number));
  } catch (const std::bad_alloc &) {
    say(Word::fault, "its memory was not enough");
    _exit(1);
  }
}

// Reports why the worker stopped claiming tasks. At the regular end of the input, it is killed
// instead, so something is wrong.
void IsolatedWorker::end(const Status &status) const {
  if (run_.plugins.failed() && !run_.plugins.refused()) {
    say(Word::fault, run_.plugins.status().message());
  } else if (!watch_.stream_problem().is_ok()) {
    say(Word::error, watch_.stream_problem().message());
  } else {
    say(Word::error, status.is_ok() ? "a worker process found nothing to do" : status.message());
  }
  _exit(1);
}

Status IsolatedWorker::map_all(i64 number) {
  Result<std::unique_ptr<Watch::Notes>> notes = watch_.begin(number);
  if (!notes.is_ok()) return notes.status();
  queue_.claim_by([this] { return next(); });
  queue_.complain_to([this](const Source &source, const Status &what) {
    std::string text;
    append_varint(static_cast<u64>(&source - queue_.sources().data()), &text);
    say(Word::complaint, text + what.message());
  });
  const std::unique_ptr<ChunkSource::Reader> reader = queue_.make_reader(number);
  const std::unique_ptr<Hand> hand = sink_.make_hand(number, (*notes)->bad());
  part_ = {reader.get(), hand.get(), notes->get()};
  sealed_at_ = seconds_now();
  say(Word::begun);
  return take_units(&part_);
}

// Returns the next task. The reader calls this when it has handed out all of the one before.
SplitQueue::Claim IsolatedWorker::next() {
  if (is_mapping_) {
    say(Word::mapped);
    if (should_seal()) {
      if (const Status status = seal(); !status.is_ok()) end(status);
    }
  }
  is_mapping_ = false;
  return obey();
}

bool IsolatedWorker::should_seal() const {
  return seconds_now() - sealed_at_ > std::max(kLeastSeconds, seconds_to_seal_ / kShareOfSealing);
}

SplitQueue::Claim IsolatedWorker::obey() {
  end_if_second();
  Channel::Message message;
  while (channel_.receive(&message, true) == Channel::Got::message) {
    Bytes text = message.text;
    const auto command = static_cast<Command>(text[0]);
    text.remove_prefix(1);
    if (command == Command::map) {
      is_mapping_ = true;
      return claims_[take_varint(&text)];
    }
    if (const Status status = seal(); !status.is_ok()) end(status);
  }
  _exit(0);
}

Status IsolatedWorker::seal() {
  const double began = seconds_now();
  Result<SealedPart> part = part_.hand->seal_part();
  if (!part.is_ok()) return part.status();
  if (Status status = flush_plugin_prints(); !status.is_ok()) return status;
  SealedCounts counts;
  counts.read = part_.reader->counts() - read_;
  counts.records = part_.records - records_;
  counts.packed_bytes = queue_.packed_bytes() - packed_bytes_;
  counts.emptied = part->emptied;
  counts.sink_notes = std::ssize(part->notes);
  if (Status status = watch_.move_notes(part_.notes, &part->notes); !status.is_ok()) return status;
  for (Bytes rest = part->notes; !rest.empty();) {
    const Bytes piece = rest.substr(0, Channel::kMostBytes - 1);
    say(Word::notes, piece);
    rest.remove_prefix(piece.size());
  }
  const int file = part->states ? part->states->fd() : -1;
  say(Word::sealed, counts.to_text(), {&file, part->states ? 1u : 0u});
  read_ = part_.reader->counts();
  records_ = part_.records;
  packed_bytes_ = queue_.packed_bytes();
  sealed_at_ = seconds_now();
  seconds_to_seal_ = sealed_at_ - began;
  return Status::ok();
}

}  // namespace mrc
