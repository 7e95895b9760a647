#include "combine/value_runs.h"

#include "base/arithmetic.h"
#include "base/varint.h"
#include "combine/figure.h"
#include "combine/inner/wide_sums.h"

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

// A block of a run is one record, which has the values, one after another:
//
//   texts    varint count, varint size, bytes
//   numbers  varint 2 * count, varint difference to the number before (zigzag), or
//            varint 2 * count + 1, a wide number (wide_sums.h)
//
// A merge reads one block of each of its runs at a time, so blocks are small. It takes few runs,
// the smallest first, so that large runs are seldom copied.

constexpr i64 kBlockBytes = i64{16} << 10;
constexpr size_t kMostMerged = 64;  // runs at a time
constexpr i64 kLeast = 256;         // smaller values are never worth a run
constexpr int kScaleBits = 5;

// Rotated by the bits of their scale, words of numbers of one scale differ as their digits do.
u64 turned(Number number) { return std::rotr(number, kScaleBits); }
Number turned_back(u64 word) { return std::rotl(word, kScaleBits); }

}  // namespace

bool is_smaller(const CountedValue &a, const CountedValue &b) {
  if (is_number(a.number) != is_number(b.number)) return is_number(a.number);
  if (is_number(a.number)) {
    const int order = order_of_numbers(a.number, b.number);
    if (order != 0) return order < 0;
  }
  return a.text < b.text;
}

SortedValueStream::SortedValueStream(std::vector<CountedValue> values)
    : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end(), is_smaller);
}

bool SortedValueStream::next(CountedValue *value) {
  if (next_ == values_.size()) return false;
  *value = values_[next_++];
  for (; next_ < values_.size() && !is_smaller(*value, values_[next_]); ++next_) {
    value->count += values_[next_].count;
  }
  return true;
}

MergedValueStream::MergedValueStream(std::vector<std::unique_ptr<ValueStream>> inputs) {
  for (auto &input : inputs) push(std::move(input));
}

// A borrowed value is valid until its stream advances. Therefore the streams that gave the last
// returned value advance only at the next call.
bool MergedValueStream::next(CountedValue *value) {
  for (auto &stream : taken_) push(std::move(stream));
  taken_.clear();
  if (heap_.empty()) return false;
  *value = heap_.front().value;
  value->count = 0;
  while (!heap_.empty() && !is_smaller(*value, heap_.front().value)) {
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    value->count += heap_.back().value.count;
    taken_.push_back(std::move(heap_.back().stream));
    heap_.pop_back();
  }
  return true;
}

void MergedValueStream::push(std::unique_ptr<ValueStream> stream) {
  Input input{std::move(stream), {}};
  if (!input.stream->next(&input.value)) return;
  heap_.push_back(std::move(input));
  std::push_heap(heap_.begin(), heap_.end(), Later());
}

class ValueRunWriter {
 public:
  ValueRunWriter(RunWriter *to, bool texts, ValueRun *run) : to_(to), run_(run) {
    run->texts = texts;
  }

  Status add(const CountedValue &value) {
    run_->texts ? add_text(value) : add_number(value);
    ++run_->distinct;
    total_ += value.count;
    return std::ssize(packed_) < kBlockBytes ? Status::ok() : end_block();
  }

  Status end_block() {
    if (packed_.empty()) return Status::ok();
    const StoredRecord record{.var = packed_};
    const i64 bytes = record_bytes({}, 0, false, std::ssize(packed_));
    stored_.resize(static_cast<size_t>(bytes + kRecordSlack));
    write_record(stored_.data(), {}, record);
    const Bytes payload(reinterpret_cast<const char *>(stored_.data()), static_cast<size_t>(bytes));
    Status status = to_->add_block({.records = 1}, payload);
    if (!status.is_ok()) return status;
    run_->blocks.push_back(to_->blocks().back());
    run_->total_before.push_back(run_->total);
    run_->total += std::exchange(total_, 0);
    packed_.clear();
    before_ = 0;
    return Status::ok();
  }

 private:
  void add_text(const CountedValue &value) {
    append_varint(value.count, &packed_);
    append_varint(value.text.size(), &packed_);
    packed_.append(value.text);
  }
  void add_number(const CountedValue &value) {
    const bool narrow = is_narrow(value.number);
    append_varint(2 * value.count + !narrow, &packed_);
    if (!narrow) return save_wide_number(wide_number(value.number), &packed_);
    const u64 word = turned(value.number);
    append_varint(zigzag(word - std::exchange(before_, word)), &packed_);
  }

  RunWriter *to_;
  ValueRun *run_;
  std::string packed_;
  std::vector<std::byte> stored_;
  u64 before_ = 0;
  u64 total_ = 0;  // sum of the block's counts
};

class ValueRunReader : public ValueStream {
 public:
  ValueRunReader(const ValueRun &run, i64 block, ValueRuns *owner)
      : run_(run), block_(static_cast<size_t>(block)), owner_(owner) {}

  bool next(CountedValue *value) override {
    if (left_.empty() && !read_next_block()) return false;
    wide_.clear();
    value->count = take_varint(&left_);
    run_.texts ? take_text(value) : take_number(value);
    return true;
  }

 private:
  bool read_next_block() {
    if (block_ == run_.blocks.size()) return false;
    const Result<Bytes> records = read_block(*run_.file, {}, run_.blocks[block_++], &buffer_);
    if (!records.is_ok()) return owner_->fail(records.status()), false;
    StoredRecord record;
    read_record(reinterpret_cast<const std::byte *>(records->data()), {}, &record);
    left_ = record.var;
    before_ = 0;
    return true;
  }
  void take_text(CountedValue *value) {
    const u64 size = take_varint(&left_);
    value->text = left_.substr(0, size);
    left_.remove_prefix(size);
    value->number = number_in(value->text, &wide_);
  }
  void take_number(CountedValue *value) {
    const bool narrow = value->count % 2 == 0;
    value->count /= 2;
    value->text = {};
    if (narrow) {
      before_ += unzigzag(take_varint(&left_));
      value->number = turned_back(before_);
      return;
    }
    wide_number_ = load_wide_number(&left_);
    value->number = as_number(wide_number_);
  }

  const ValueRun &run_;
  size_t block_;  // the next block
  ValueRuns *owner_;
  Pages buffer_;
  Bytes left_;  // rest of the block
  u64 before_ = 0;
  Arena wide_;
  alignas(16) WideNumber wide_number_;
};

ValueRuns::ValueRuns(std::string tmpdir, i64 worker_bytes)
    : tmpdir_(std::move(tmpdir)),
      most_saved_(std::max(kLeast, worker_bytes / 64)),
      most_finished_(std::max(kLeast, worker_bytes / 4)) {}

const ValueRun *ValueRuns::write(ValueStream *values, bool texts) {
  ValueRun run;
  Result<File *> file = acquire_file();
  Status status = file.status();
  if (file.is_ok()) {
    run.file = &(*file)->file;
    ValueRunWriter writer(&(*file)->writer, texts, &run);
    for (CountedValue value; status.is_ok() && values->next(&value);) status = writer.add(value);
    if (status.is_ok()) status = writer.end_block();
  }
  if (!status.is_ok()) fail(status);
  std::lock_guard lock(mutex_);
  if (file.is_ok()) (*file)->busy = false;
  values_ += run.distinct;
  run.id = runs_.size();
  return &runs_.emplace_back(std::move(run));
}

std::unique_ptr<ValueStream> ValueRuns::read(const ValueRun &run, i64 block) {
  return std::make_unique<ValueRunReader>(run, block, this);
}

SpilledValues *ValueRuns::make_spilled() {
  std::lock_guard lock(mutex_);
  return &spilled_.emplace_back(this);
}

SpilledValues *ValueRuns::load_spilled(Bytes *saved) {
  SpilledValues *spilled = make_spilled();
  std::lock_guard lock(mutex_);
  for (u64 left = take_varint(saved); left > 0; --left) spilled->add(&runs_[take_varint(saved)]);
  return spilled;
}

Result<ValueRuns::File *> ValueRuns::acquire_file() {
  std::lock_guard lock(mutex_);
  for (File &file : files_) {
    if (!std::exchange(file.busy, true)) return &file;
  }
  Result<RunFile> opened = RunFile::temporary(tmpdir_);
  if (!opened.is_ok()) return opened.status();
  files_.emplace_back(std::move(*opened)).busy = true;
  return &files_.back();
}

void ValueRuns::fail(const Status &status) {
  std::lock_guard lock(mutex_);
  if (status_.is_ok()) status_ = status;
}

Status ValueRuns::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

i64 ValueRuns::values() const {
  std::lock_guard lock(mutex_);
  return static_cast<i64>(values_);
}

i64 ValueRuns::bytes() const {
  std::lock_guard lock(mutex_);
  i64 bytes = 0;
  for (const File &file : files_) bytes += file.writer.bytes();
  return bytes;
}

const ValueRun &SpilledValues::merged() {
  while (runs_.size() > 1) {
    const size_t count = std::min(runs_.size(), kMostMerged);
    std::nth_element(
        runs_.begin(), runs_.begin() + static_cast<i64>(count) - 1, runs_.end(),
        [](const ValueRun *a, const ValueRun *b) { return a->distinct < b->distinct; });
    const ValueRun *run = merge(count);
    runs_.erase(runs_.begin(), runs_.begin() + static_cast<i64>(count));
    runs_.push_back(run);
  }
  return *runs_.front();
}

const ValueRun *SpilledValues::merge(size_t count) {
  std::vector<std::unique_ptr<ValueStream>> inputs;
  for (size_t i = 0; i < count; ++i) inputs.push_back(owner_->read(*runs_[i]));
  MergedValueStream values(std::move(inputs));
  return owner_->write(&values, runs_.front()->texts);
}

void SpilledValues::save(std::string *out) const {
  append_varint(runs_.size(), out);
  for (const ValueRun *run : runs_) append_varint(run->id, out);
}

}  // namespace mrc
