#include "check/inner/job_bench.h"

#include "base/hash.h"
#include "base/text.h"
#include "plugin/plugin_emitter.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr size_t kReadable = 64;         // bytes after those of records
constexpr size_t kMostBytes = 4u << 20;  // bytes of an input that are used

// Splits bytes into records. Words here are separated by blanks.
std::vector<Bytes> records_of(const mrc_job &job, Bytes bytes) {
  std::vector<Bytes> records;
  if (job.shape == MRC_FIXED) {
    const auto size = static_cast<size_t>(job.record_bytes);
    for (; bytes.size() >= size; bytes.remove_prefix(size))
      records.push_back(bytes.substr(0, size));
    return records;
  }
  const Bytes ends = job.shape == MRC_WORDS ? " \t\r\n" : "\n";
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.find_first_of(ends), bytes.size());
    const char *begin = bytes.data(), *end = begin + bytes.size();
    if (job.shape == MRC_LINES || job.shape == MRC_ROWS) {
      records.push_back(line_of(begin, begin + size, end, '\n'));
    } else if (size > 0) {
      records.push_back(bytes.substr(0, size));
    }
    bytes.remove_prefix(std::min(size + 1, bytes.size()));
  }
  return records;
}

// Returns the first `size` bytes or more, up to a line end.
Bytes beginning_of(Bytes bytes, size_t size) {
  if (bytes.size() <= size) return bytes;
  const size_t end = bytes.find('\n', size - 1);
  return bytes.substr(0, end == Bytes::npos ? bytes.size() : end + 1);
}

char filler_byte(Filler filler) { return filler == Filler::letters ? 'a' : '7'; }

// Returns the bytes of all texts in the rows, each between bytes that do not belong to it.
std::string bytes_of_texts(std::span<const LawRecord> rows, char between) {
  std::string bytes(kReadable, between);
  for (const LawRecord &row : rows) {
    for (const LawValue &value : row) bytes += value.text.value_or("") + between;
  }
  return bytes + std::string(kReadable, between);
}

size_t count_values(std::span<const LawRecord> rows) { return rows.size() * rows[0].size(); }

}  // namespace

LentValues::LentValues(std::span<const LawRecord> rows, char between)
    : width_(std::ssize(rows[0])),
      content_(bytes_of_texts(rows, between)),
      bytes_(content_.size(), "memory beside the texts of fields"),
      texts_(count_values(rows) * sizeof(mrc_text), "memory beside the texts of fields"),
      words_(count_values(rows) * sizeof(u64), "memory beside the values of fields") {
  memcpy(bytes_.data(), content_.data(), content_.size());
  const char *at = reinterpret_cast<const char *>(bytes_.data()) + kReadable;
  auto *text = reinterpret_cast<mrc_text *>(texts_.data());
  for (const LawRecord &row : rows) {
    for (const LawValue &value : row) {
      *text = {value.text ? at : nullptr, value.text ? value.text->size() : 0};
      at += text->size + 1;
      own_words_.push_back(value.type == MRC_TEXT   ? mrc_text_word(text)
                           : value.type == MRC_REAL ? mrc_real_word(value.real)
                                                    : static_cast<u64>(value.integer));
      ++text;
    }
  }
  memcpy(words_.data(), own_words_.data(), words_.size());
}

mrc_values LentValues::values() const {
  return {reinterpret_cast<const uint64_t *>(words_.data()), width_};
}

bool LentValues::intact() const {
  return memcmp(bytes_.data(), content_.data(), content_.size()) == 0 &&
         memcmp(words_.data(), own_words_.data(), words_.size()) == 0;
}

LentBatch::LentBatch(const LawBatch &batch, Filler filler)
    : content_(batch.bytes),
      bytes_(batch.bytes.size() + kReadable, "memory beside a batch"),
      views_(batch.records.size() * sizeof(mrc_text), "memory beside the records of a batch") {
  Bytes after = batch.input->bytes;
  after.remove_prefix(static_cast<size_t>(batch.offset()) + batch.bytes.size());
  content_ += after.substr(0, kReadable);
  content_.resize(batch.bytes.size() + kReadable);
  if (filler == Filler::digits) fill(batch, '7');
  if (filler == Filler::letters) fill(batch, 'a');
  memcpy(bytes_.data(), content_.data(), content_.size());
  const char *const copy = reinterpret_cast<const char *>(bytes_.data());
  auto *const texts = reinterpret_cast<mrc_text *>(views_.data());
  for (size_t i = 0; i < batch.records.size(); ++i) {
    texts[i] = {copy + (batch.records[i].data() - batch.bytes.data()), batch.records[i].size()};
  }
  records_.size = sizeof records_;
  records_.input_name = batch.input->name.c_str();
  records_.input = batch.number;
  records_.offset = batch.offset();
  records_.bytes = {copy, batch.bytes.size()};
  records_.records = batch.records.empty() ? nullptr : texts;
  records_.count = std::ssize(batch.records);
  records_.split = batch.split;
  records_.split_number = batch.split_number;
  if (batch.rows.empty()) return;
  values_.emplace(batch.rows, filler_byte(filler));
  records_.values = values_->values();
}

void LentBatch::fill(const LawBatch &batch, char with) {
  std::string filled(content_.size(), with);
  const auto keep = [&](Bytes part) {
    const auto at = static_cast<size_t>(part.data() - batch.bytes.data());
    filled.replace(at, part.size(), part);
  };
  if (batch.records.empty()) keep(batch.bytes);
  for (Bytes record : batch.records) keep(record);
  content_ = std::move(filled);
}

bool LentBatch::intact() const {
  return memcmp(bytes_.data(), content_.data(), content_.size()) == 0 &&
         (!values_ || values_->intact());
}

LawEmitter::LawEmitter(const mrc_job &job, bool shows)
    : mrc_emitter{},
      job_(job),
      shows_(shows),
      words_(job.value_count),
      keys_(MRC_BATCH * sizeof(mrc_text), "memory beside an emitter's keys"),
      integers_(MRC_BATCH * sizeof(int64_t), "memory beside an emitter's integers"),
      values_(MRC_BATCH * words_ * sizeof(u64), "memory beside an emitter's values"),
      row_(1 + words_) {
  size = sizeof(mrc_emitter);
  width = static_cast<uint32_t>(words_);
  keys = reinterpret_cast<mrc_text *>(keys_.data());
  integers = reinterpret_cast<int64_t *>(integers_.data());
  values = reinterpret_cast<uint64_t *>(values_.data());
  count = MRC_BATCH;
  forget();
  flush = [](mrc_emitter *self) { static_cast<LawEmitter *>(self)->take(); };
  keep = [](mrc_emitter *self, mrc_text text) {
    return static_cast<LawEmitter *>(self)->kept(text);
  };
  bad = [](mrc_emitter *self, mrc_text record, const char *reason) {
    if (reason == nullptr) return fail_plugin("called bad() without a reason");
    auto *emitter = static_cast<LawEmitter *>(self);
    LawValue text, why;
    if (record.data != nullptr) text.text.emplace(record.data, record.size);
    why.text = reason;
    emitter->add(std::array{text, why});
  };
}

mrc_text LawEmitter::kept(mrc_text text) {
  if (!shows_) {
    const Bytes copy = kept_[keeping_].plain.copy(Bytes(text.data, text.size));
    return {copy.data(), copy.size()};
  }
  auto &guarded = kept_[keeping_].guarded;
  guarded.push_back(std::make_unique<GuardedMemory>(text.size, "memory beside a kept text"));
  if (text.size > 0) memcpy(guarded.back()->data(), text.data, text.size);
  return {reinterpret_cast<const char *>(guarded.back()->data()), text.size};
}

// Makes the values missing that the next emits do not set.
void LawEmitter::forget() {
  for (i64 i = 0; i < count; ++i) {
    keys[i] = {};
    for (size_t j = 0; j < words_; ++j) {
      values[static_cast<size_t>(i) * words_ + j] = missing_word(job_.values[j]);
    }
  }
  count = 0;
}

void LawEmitter::take() {
  if (count < 0 || count > MRC_BATCH) {
    fail_plugin(fmt::format("left {} keys in an emitter for {}", count, MRC_BATCH));
    count = 0;
  }
  if (!keys_.intact() || !integers_.intact() || !values_.intact()) {
    fail_plugin("wrote beside the emitter's arrays");
  }
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    row_[0] = key_of(i);
    for (size_t j = 0; j < words_; ++j) row_[1 + j] = value_of(i, j);
    add(row_);
  }
  forget();
  keeping_ = 1 - keeping_;
  kept_[keeping_].guarded.clear();
  kept_[keeping_].plain.clear();
}

Emitted LawEmitter::take_emitted() { return std::exchange(emitted_, {}); }

LawValue LawEmitter::key_of(size_t i) const {
  LawValue key{.type = job_.key_type};
  if (job_.key_type == MRC_INTEGER) key.integer = integers[i];
  if (job_.key_type == MRC_TEXT) key.text.emplace(keys[i].data, keys[i].size);
  return key;
}

LawValue LawEmitter::value_of(size_t i, size_t column) const {
  const u64 word = values[i * words_ + column];
  LawValue value{.type = job_.values[column]};
  value.integer = static_cast<i64>(word);
  value.real = mrc_word_real(word);
  const mrc_text bytes = value.type == MRC_TEXT ? mrc_word_text(word) : mrc_text{};
  if (bytes.data != nullptr) value.text.emplace(bytes.data, bytes.size);
  return value;
}

void LawEmitter::add(std::span<const LawValue> row) {
  u64 hash = row.size();
  std::string shown;
  for (const LawValue &value : row) {
    const u64 own = value.text               ? checksum_bytes(*value.text)
                    : value.type == MRC_REAL ? mrc_real_word(value.real)
                    : value.type == MRC_TEXT ? 0
                                             : static_cast<u64>(value.integer);
    hash = fold_multiply(hash ^ own, kFixedSeed.a) + 1;
    if (shows_) shown += (shown.empty() ? "" : " ") + show_value(value);
  }
  emitted_.hashes.push_back(hash);
  if (shows_) emitted_.rows.push_back(std::move(shown));
}

u64 Emitted::hash() const {
  return checksum_bytes(
      Bytes(reinterpret_cast<const char *>(hashes.data()), hashes.size() * sizeof(u64)));
}

Status JobBench::open(const Settings &settings, i64 workers) {
  PluginRun::current()->workers = workers;
  if (job_.open != nullptr) {
    guarded(place("open"), [&] { return job_.open(plugin_host(), settings.all(), &self_); });
  }
  opened_ = !plugin_failed();
  return plugin_status();
}

JobBench::~JobBench() {
  if (opened_ && job_.close != nullptr) guarded(place("close"), [&] { job_.close(self_); });
}

std::vector<LawBatch> JobBench::batches(std::span<const LawInput> inputs, size_t most_records,
                                        size_t piece_bytes) {
  if (job_.shape == MRC_SPLITS) return own_splits(inputs);
  std::vector<LawBatch> all;
  if (job_.shape == MRC_ROWS) {
    make_rows();
    inputs = {&row_texts_, 1};
  }
  for (size_t number = 0; number < inputs.size(); ++number) {
    const LawInput &input = inputs[number];
    LawBatch batch{.input = &input, .number = static_cast<i64>(number), .bytes = {}};
    Bytes bytes = beginning_of(input.bytes, kMostBytes);
    for (; job_.shape == MRC_BYTES && !bytes.empty(); bytes.remove_prefix(batch.bytes.size())) {
      batch.bytes = beginning_of(bytes, piece_bytes);
      all.push_back(batch);
    }
    const std::vector<Bytes> records = records_of(job_, bytes);
    for (size_t at = 0; at < records.size(); at += most_records) {
      const size_t end = std::min(at + most_records, records.size());
      const auto first = records.begin() + static_cast<i64>(at);
      batch.records.assign(first, records.begin() + static_cast<i64>(end));
      const Bytes last = batch.records.back();
      if (job_.shape == MRC_ROWS) batch.rows = std::span(rows_).subspan(at, end - at);
      batch.bytes = Bytes(first->data(), static_cast<size_t>(last.end() - first->data()));
      all.push_back(batch);
    }
  }
  return all;
}

// Makes rows of values that are hard on programs.
void JobBench::make_rows() {
  constexpr int kKinds = 40;
  constexpr size_t kRowsOfKind = 20;
  constexpr u64 kSeed = 1;
  if (!rows_.empty()) return;
  std::vector<mrc_type> types;
  for (size_t i = 0; i < job_.fields.count; ++i) types.push_back(job_.fields.at[i].type);
  LawValues values(types, {}, kSeed);
  for (int kind = 0; kind < kKinds; ++kind) {
    std::ranges::move(values.many(kRowsOfKind), std::back_inserter(rows_));
  }
  row_texts_.name = "generated rows";
  for (size_t row = 0; row < rows_.size(); ++row) {
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string name = job_.fields.at[i].name;
      row_texts_.bytes +=
          fmt::format("{}{}: {}", i > 0 ? ", " : "", name, show_value(rows_[row][i]));
    }
    row_texts_.bytes += '\n';
  }
}

std::vector<LawBatch> JobBench::own_splits(std::span<const LawInput> inputs) {
  struct Collector : mrc_splits {
    std::vector<mrc_split> *splits;
  } collector{};
  collector.splits = &splits_;
  collector.add = [](mrc_splits *self, const mrc_split *split, size_t bytes) {
    mrc_split whole{};
    memcpy(&whole, split, std::min(bytes, sizeof whole));
    static_cast<Collector *>(self)->splits->push_back(whole);
  };
  std::vector<mrc_input> views;
  for (const LawInput &input : inputs) {
    views.push_back({input.name.c_str(), {input.bytes.data(), input.bytes.size()}});
  }
  splits_.clear();
  guarded(place("split"), [&] {
    return job_.split(self_, {views.data(), views.size(), sizeof(mrc_input)}, &collector);
  });
  std::vector<LawBatch> all;
  for (const mrc_split &split : splits_) {
    if (plugin_failed()) return {};
    const LawInput *input = split.input >= 0 && split.input < std::ssize(inputs)
                                ? &inputs[static_cast<size_t>(split.input)]
                                : nullptr;
    if (input == nullptr || split.begin < 0 || split.end < split.begin ||
        split.end > std::ssize(input->bytes)) {
      return {};  // the job reports this when it runs
    }
    const Bytes bytes = input->bytes;
    all.push_back({.input = input,
                   .number = split.input,
                   .bytes = bytes.substr(static_cast<size_t>(split.begin),
                                         static_cast<size_t>(split.end - split.begin)),
                   .split = &split,
                   .split_number = &split - splits_.data()});
  }
  return all;
}

JobWorker::JobWorker(const JobBench &bench, bool shows)
    : bench_(bench), emitter_(bench.job_, shows) {
  if (bench.job_.begin == nullptr) return;
  begun_ =
      guarded(bench.place("begin"), [&] { return bench.job_.begin(bench.self_, &worker_); }) == 0;
}

Emitted JobWorker::map(const LentBatch &batch) {
  const mrc_records &records = batch.records();
  guarded(bench_.place("map", records.input_name, records.offset), [&] {
    const int result = bench_.job_.map(bench_.self_, worker_, &records, &emitter_);
    emitter_.take();
    if (!batch.intact()) fail_plugin("changed the bytes that it was given");
    return result;
  });
  return emitter_.take_emitted();
}

Emitted JobWorker::end() {
  if (bench_.job_.end == nullptr || !begun_) return {};
  guarded(bench_.place("end"), [&] {
    const int result = bench_.job_.end(bench_.self_, worker_, &emitter_);
    emitter_.take();
    return result;
  });
  return emitter_.take_emitted();
}

}  // namespace mrc
