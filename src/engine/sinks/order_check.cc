// Checks if the input is in order already, without sorting it.
#include "engine/inner/plan_steps.h"
#include "engine/inner/positions.h"
#include "engine/inner/run.h"
#include "input/input.h"
#include "output/encode.h"
#include "rows/record_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace mrc {
namespace {

// The order of the input as seen by one worker, or by several after a merge. The inputs form one
// sequence, in the order of their names. Not thread safe.
class OrderCheck {
 public:
  // `least` is shared by all checks and outlives them: the position of the earliest chunk in which
  // they have found disorder, ~0 at first. Later chunks are not checked any more. `fields` reads
  // records with fields for this worker; null: records are lines or have a fixed size.
  OrderCheck(const SortSpec &spec, std::atomic<u64> *least, KeyedRecords *fields = nullptr);

  // Checks a chunk and returns the number of records. REQUIRES: chunks of one split come in order
  i64 add(const Chunk &chunk);
  // True if a record inside a chunk is out of order.
  bool found() const { return disorder_.has_value(); }

  // Adds the results of another worker.
  void add(OrderCheck *other);
  // Returns the first record that is out of order, as "NAME:NUMBER: disorder: RECORD", or "".
  // REQUIRES: all input before it was added to one of the merged checks
  std::string first_disorder(std::span<const Source> sources);

 private:
  // A record and its position: `number` in the chunk at `chunk`, from 0. If records have fields, it
  // is the number of the record's first line.
  struct Place {
    u64 chunk = 0;
    u64 number = 0;
    std::string record;
  };
  // A contiguous part of the input that is in order, with its first and last key.
  struct Piece {
    u64 begin = 0, end = 0;  // positions
    Place first;
    std::string first_key, last_key;
  };

  // The piece of a chunk, while its records are checked.
  struct Walk {
    const Chunk &chunk;
    Piece piece;
    i64 records = 0;         // records in order so far
    Bytes last;              // key of the last of these records
    std::string buffers[2];  // two consecutive keys
  };

  i64 walk_lines(Walk *walk);
  i64 walk_fields(Walk *walk);
  // Checks one record. False if it is out of order.
  bool take(Bytes record, Bytes key, Walk *walk);
  u64 number_of(Bytes record, const Walk &walk) const;
  // Returns the key, which `buffer` stores if it is not the record itself.
  Bytes key_of(Bytes record, std::string *buffer) const;
  void complete_key(Bytes record, std::string *key) const;
  bool in_order(Bytes before, Bytes after) const;
  void add_piece(Piece piece);
  void note(Place place);

  const SortSpec &spec_;
  SortKeyEncoder encoder_;
  bool plain_;
  std::atomic<u64> *least_;
  KeyedRecords *fields_;
  std::optional<Place> disorder_;  // earliest one known
  std::vector<Piece> pieces_;
  LineTable lines_;
};

}  // namespace

// Input is in order if every chunk is, and every border between two chunks. Workers check chunks as
// they come, and keep the first and the last key of each. When all are known, the borders are
// checked one after another. Adjacent chunks, such as those of a split, form one piece, so that few
// keys are kept.
//
// The result is the first disorder. This is the earliest one inside a chunk, unless a border before
// it is out of order. So chunks after the earliest known one are not checked.

OrderCheck::OrderCheck(const SortSpec &spec, std::atomic<u64> *least, KeyedRecords *fields)
    : spec_(spec), encoder_(spec.key), plain_(spec.is_plain()), least_(least), fields_(fields) {}

// Completes a key: records with equal keys are ordered as whole records, unless the order is stable
// or repeated keys are errors.
void OrderCheck::complete_key(Bytes record, std::string *key) const {
  if (!spec_.has_key() || !(spec_.stable || spec_.unique)) key->append(record);
}

Bytes OrderCheck::key_of(Bytes record, std::string *buffer) const {
  if (plain_) return record;
  buffer->clear();
  if (spec_.range) {
    buffer->append(spec_.range->of(record));
  } else if (!spec_.key.fields.empty()) {
    encoder_.append(record, buffer);
  }
  complete_key(record, buffer);
  return *buffer;
}

bool OrderCheck::in_order(Bytes before, Bytes after) const {
  const int order = before.compare(after);
  if (order == 0) return !spec_.unique;
  return spec_.reverse ? order > 0 : order < 0;
}

i64 OrderCheck::add(const Chunk &chunk) {
  const u64 position = position_of(chunk.source, chunk.offset);
  if (position > least_->load(std::memory_order_relaxed)) return 0;
  if (spec_.record_bytes == 0) lines_.add(chunk, spec_.terminator);
  Walk walk{chunk, {position, position + chunk.bytes.size(), {position, 0, ""}, "", ""}, 0, {}, {}};
  const i64 records = fields_ != nullptr ? walk_fields(&walk) : walk_lines(&walk);
  if (walk.records == 0) return records;
  walk.piece.last_key = walk.last;
  add_piece(std::move(walk.piece));
  return records;
}

i64 OrderCheck::walk_lines(Walk *walk) {
  const char *at = walk->chunk.bytes.data(), *end = at + walk->chunk.bytes.size();
  while (at < end) {
    const char *record_end = end;
    if (spec_.record_bytes > 0) {
      if (end - at < spec_.record_bytes) break;
      record_end = at + spec_.record_bytes;
    } else if (const void *found = memchr(at, spec_.terminator, static_cast<size_t>(end - at))) {
      record_end = static_cast<const char *>(found);
    }
    const Bytes record(at, static_cast<size_t>(record_end - at));
    if (!take(record, key_of(record, &walk->buffers[walk->records % 2]), walk)) break;
    at = record_end + (spec_.record_bytes == 0);
  }
  return walk->records;
}

i64 OrderCheck::walk_fields(Walk *walk) {
  return fields_->each(walk->chunk, [&](Bytes record, std::string *key) {
    std::string *kept = &walk->buffers[walk->records % 2];
    kept->swap(*key);
    complete_key(record, kept);
    return take(record, *kept, walk);
  });
}

bool OrderCheck::take(Bytes record, Bytes key, Walk *walk) {
  if (walk->records == 0) {
    walk->piece.first = {walk->piece.begin, number_of(record, *walk), std::string(record)};
    walk->piece.first_key = key;
  } else if (!in_order(walk->last, key)) {
    note({walk->piece.begin, number_of(record, *walk), std::string(record)});
    return false;
  }
  walk->last = key;
  ++walk->records;
  return true;
}

u64 OrderCheck::number_of(Bytes record, const Walk &walk) const {
  if (fields_ == nullptr) return static_cast<u64>(walk.records);
  const char *begin = walk.chunk.bytes.data();
  if (spec_.record_bytes > 0) return static_cast<u64>((record.data() - begin) / spec_.record_bytes);
  return static_cast<u64>(std::count(begin, record.data(), spec_.terminator));
}

void OrderCheck::add_piece(Piece piece) {
  if (pieces_.empty() || pieces_.back().end != piece.begin) {
    pieces_.push_back(std::move(piece));
    return;
  }
  Piece &before = pieces_.back();
  if (!in_order(before.last_key, piece.first_key)) note(std::move(piece.first));
  before.end = piece.end;
  before.last_key = std::move(piece.last_key);
}

void OrderCheck::note(Place place) {
  auto is_before = [](const Place &a, const Place &b) {
    return a.chunk != b.chunk ? a.chunk < b.chunk : a.number < b.number;
  };
  if (disorder_ && is_before(*disorder_, place)) return;
  u64 least = least_->load(std::memory_order_relaxed);
  while (place.chunk < least &&
         !least_->compare_exchange_weak(least, place.chunk, std::memory_order_relaxed)) {
  }
  disorder_ = std::move(place);
}

void OrderCheck::add(OrderCheck *other) {
  if (other->disorder_) note(std::move(*other->disorder_));
  std::move(other->pieces_.begin(), other->pieces_.end(), std::back_inserter(pieces_));
  lines_.add(other->lines_);
}

std::string OrderCheck::first_disorder(std::span<const Source> sources) {
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < pieces_.size(); ++i) {
    if (disorder_ && pieces_[i].begin > disorder_->chunk) break;
    if (in_order(pieces_[i - 1].last_key, pieces_[i].first_key)) continue;
    note(std::move(pieces_[i].first));
    break;
  }
  if (!disorder_) return "";
  const Source &source = sources[static_cast<size_t>(source_of(disorder_->chunk))];
  i64 number = static_cast<i64>(disorder_->number) + 1;
  if (spec_.record_bytes > 0) {
    number += (offset_of(disorder_->chunk) - source.begin) / spec_.record_bytes;
  } else {
    lines_.seal();
    number = lines_.line(disorder_->chunk + disorder_->number);
  }
  std::string text = fmt::format("{}:{}: disorder: ", source.name(), number);
  append_visible(disorder_->record, &text);
  return text;
}

// Checks if the input is in order already, without sorting it.

namespace {

class CheckSink : public StageSink {
 public:
  explicit CheckSink(Run *run) : run_(*run), spec_(*run->program.sort), all_(spec_, &least_) {}

  void begin(ChunkSource *source) override { source_ = source; }
  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<CheckHand>(this, bad);
  }
  Status end(Report *report) override {
    report->disorder = all_.first_disorder(run_.plan.sources);
    return Status::ok();
  }
  bool answers() const override { return false; }

 private:
  class CheckHand : public Hand {
   public:
    CheckHand(CheckSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          fields_(fields_of(*sink, bad)),
          check_(sink->spec_, &sink->least_, fields_.get()) {}

    Status take(const Chunk &chunk, i64 *records) override {
      *records += check_.add(chunk);
      const u64 least = sink_.least_;
      if (check_.found() && sink_.source_->all_claimed_before(source_of(least))) {
        sink_.source_->cancel();
      }
      return Status::ok();
    }
    Status seal(bool) override {
      std::lock_guard lock(sink_.run_.mutex);
      sink_.all_.add(&check_);
      return Status::ok();
    }

   private:
    static std::unique_ptr<KeyedRecords> fields_of(const CheckSink &sink, BadRecordSink *bad) {
      if (!sink.spec_.fields) return nullptr;
      const Run &run = sink.run_;
      return std::make_unique<KeyedRecords>(*sink.spec_.fields, run.program.map.fields,
                                            *run.readers, bad);
    }

    CheckSink &sink_;
    std::unique_ptr<KeyedRecords> fields_;
    OrderCheck check_;
  };

  Run &run_;
  const SortSpec &spec_;
  ChunkSource *source_ = nullptr;
  std::atomic<u64> least_{~u64{0}};  // shared by all checks: see OrderCheck
  OrderCheck all_;
};

class CheckStage : public Stage {
 public:
  explicit CheckStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.sort->record_bytes; }
  void plan(Plan *plan) const override { plan_order(program_, plan); }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<CheckSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kCheckStage = make_stage_type<CheckStage>("check", Makes::verdict);

}  // namespace mrc
