#include "engine/inner/isolated.h"

#include <algorithm>
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

}  // namespace mrc
