// What a job's map may not do, tried on the author's sample and on lines that are hard on
// programs: batches lie in guarded memory and are gone after each call, and so are the
// arrays of the emitter. That the same records give the same keys and values is tried here,
// too; that the answer does not depend on threads and splits shows when the job runs.
#include "plugin/law_bench.h"
#include "plugin/laws.h"
#include "plugin/settings.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kReadable = 64;  // behind the bytes of records

// What was emitted, as text: for comparing, and for showing.
using Emitted = std::vector<std::string>;

// The emitter of one worker: arrays with guards, whose content is taken on each flush.
class GuardedEmitter : public mrc_emitter {
 public:
  explicit GuardedEmitter(const mrc_job &job)
      : mrc_emitter{},
        job_(job),
        words_(job.value_count),
        keys_(MRC_BATCH * sizeof(mrc_text), "memory beside an emitter's keys"),
        values_(MRC_BATCH * words_ * sizeof(u64), "memory beside an emitter's values") {
    size = sizeof(mrc_emitter);
    width = static_cast<uint32_t>(words_);
    if (job.key_type == MRC_INTEGER) integers = reinterpret_cast<int64_t *>(keys_.data());
    if (job.key_type == MRC_TEXT) keys = reinterpret_cast<mrc_text *>(keys_.data());
    values = reinterpret_cast<uint64_t *>(values_.data());
    flush = [](mrc_emitter *self) { static_cast<GuardedEmitter *>(self)->take(); };
    keep = [](mrc_emitter *self, mrc_text text) {
      auto &kept = static_cast<GuardedEmitter *>(self)->kept_;
      kept.push_back(std::make_unique<GuardedMemory>(text.size, "memory beside a kept text"));
      if (text.size > 0) memcpy(kept.back()->data(), text.data, text.size);
      return mrc_text{reinterpret_cast<const char *>(kept.back()->data()), text.size};
    };
    bad = [](mrc_emitter *, mrc_text, const char *reason) {
      if (reason == nullptr) fail_plugin("called bad() without a reason");
    };
  }

  void take() {
    if (count < 0 || count > MRC_BATCH) {
      fail_plugin(fmt::format("left {} keys in an emitter for {}", count, MRC_BATCH));
      count = 0;
    }
    if (!keys_.intact() || !values_.intact()) fail_plugin("wrote beside the emitter's arrays");
    for (i64 i = 0; i < count; ++i) emitted_.push_back(row(static_cast<size_t>(i)));
    count = 0;
    kept_.clear();
  }
  Emitted take_emitted() { return std::exchange(emitted_, {}); }

 private:
  std::string row(size_t i) const {
    LawValue key{.type = job_.key_type};
    if (integers != nullptr) key.integer = integers[i];
    if (keys != nullptr) key.text.emplace(keys[i].data, keys[i].size);
    std::string text = show_value(key);
    for (size_t j = 0; j < words_; ++j) {
      const u64 word = values[i * words_ + j];
      LawValue value{.type = job_.values[j]};
      value.integer = static_cast<i64>(word);
      value.real = mrc_word_real(word);
      const mrc_text bytes = value.type == MRC_TEXT ? mrc_word_text(word) : mrc_text{};
      if (bytes.data != nullptr) value.text.emplace(bytes.data, bytes.size);
      text += " " + show_value(value);
    }
    return text;
  }

  const mrc_job &job_;
  size_t words_;
  GuardedMemory keys_, values_;
  std::vector<std::unique_ptr<GuardedMemory>> kept_;
  Emitted emitted_;
};

// Where records of a shape end. Words here are what lies between blanks.
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
    if (job.shape == MRC_LINES || size > 0) records.push_back(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size + 1, bytes.size()));
  }
  return records;
}

// A job at work on one thread, between open and close.
class JobBench {
 public:
  JobBench(const std::string &file, const mrc_job &job) : file_(file), job_(job), emitter_(job) {}

  Status open(const Settings &settings) {
    if (job_.open == nullptr) return Status::ok();
    guarded(place("open"), [&] { return job_.open(plugin_host(), settings.all(), &self_); });
    opened_ = !plugin_failed();
    return plugin_status();
  }
  ~JobBench() {
    if (opened_ && job_.close != nullptr) guarded(place("close"), [&] { job_.close(self_); });
  }
  JobBench(const JobBench &) = delete;
  JobBench &operator=(const JobBench &) = delete;

  const void *self() const { return self_; }

  // What a worker emits of an input. Ask plugin_failed() afterwards.
  Emitted map(const LawInput &input) {
    void *worker = nullptr;
    if (job_.begin != nullptr) guarded(place("begin"), [&] { return job_.begin(self_, &worker); });
    const Bytes bytes = input.bytes;
    const std::vector<Bytes> records =
        job_.shape == MRC_BYTES ? std::vector<Bytes>{bytes} : records_of(job_, bytes);
    for (size_t at = 0; at < records.size() && !plugin_failed(); at += MRC_BATCH) {
      const size_t end = std::min(at + MRC_BATCH, records.size());
      map_batch(input, {records.data() + at, end - at}, worker);
    }
    if (job_.end != nullptr) {
      guarded(place("end"), [&] {
        const int result = job_.end(self_, worker, &emitter_);
        emitter_.take();
        return result;
      });
    }
    return emitter_.take_emitted();
  }

 private:
  PluginPlace place(const char *function, const char *input = nullptr, i64 offset = -1) const {
    return {file_.c_str(), "job", job_.name, function, input, offset};
  }

  void map_batch(const LawInput &input, std::span<const Bytes> batch, void *worker) {
    const char *begin = batch.front().data(), *end = batch.back().data() + batch.back().size();
    const auto size = static_cast<size_t>(end - begin);
    GuardedMemory bytes(size + kReadable, "memory beside a batch");
    memcpy(bytes.data(), begin, size);
    GuardedMemory views(batch.size() * sizeof(mrc_text), "memory beside the records of a batch");
    const char *const copy = reinterpret_cast<const char *>(bytes.data());
    auto *const texts = reinterpret_cast<mrc_text *>(views.data());
    for (size_t i = 0; i < batch.size(); ++i) {
      texts[i] = {copy + (batch[i].data() - begin), batch[i].size()};
    }
    const i64 offset = begin - input.bytes.data();
    mrc_records records{};
    records.size = sizeof records;
    records.input_name = input.name.c_str();
    records.offset = offset;
    records.bytes = {copy, size};
    if (job_.shape != MRC_BYTES) records.records = texts;
    if (job_.shape != MRC_BYTES) records.count = std::ssize(batch);
    guarded(place("map", input.name.c_str(), offset), [&] {
      const int result = job_.map(self_, worker, &records, &emitter_);
      emitter_.take();
      return result;
    });
    if (memcmp(begin, copy, size) != 0) fail_plugin("map changed the bytes that it was given");
  }

  const std::string &file_;
  const mrc_job &job_;
  GuardedEmitter emitter_;
  void *self_ = nullptr;
  bool opened_ = false;
};

// The first thing that is not the same, as lines.
std::string first_difference(const Emitted &one, const Emitted &other) {
  size_t i = 0;
  while (i < one.size() && i < other.size() && one[i] == other[i]) ++i;
  const auto shown = [&](const Emitted &of) { return i < of.size() ? of[i] : "nothing more"; };
  return fmt::format("  once: {}\n  again: {}\n", shown(one), shown(other));
}

// Maps an input twice.
void check_map(JobBench *bench, const LawInput &input, bool may_fail, LawReport *report) {
  const Emitted once = bench->map(input);
  report->trials += 1;
  if (plugin_failed()) {
    const std::string why = plugin_status().message();
    forget_plugin_failure();
    if (may_fail) report->notes.push_back("refuses what was generated: " + why);
    if (!may_fail) report->violations.push_back({why, ""});
    return;
  }
  const Emitted again = bench->map(input);
  forget_plugin_failure();
  if (once == again) return;
  report->violations.push_back(
      {"the same records do not give the same keys and values", first_difference(once, again)});
}

}  // namespace

LawReport check_job_laws(const std::string &file, const mrc_job &job, const LawSample &sample,
                         std::span<const std::string> lines, u64 seed) {
  explain_crashes(explain_address);
  forget_plugin_failure();
  LawReport report;
  const Result<Settings> settings = Settings::parse(job, sample.settings);
  if (!settings.is_ok()) {
    report.notes.push_back("was not tried: " + settings.status().message());
    return report;
  }
  JobBench bench(file, job);
  if (Status status = bench.open(*settings); !status.is_ok()) {
    forget_plugin_failure();
    report.notes.push_back("was not tried: " + status.message());
    return report;
  }
  if (job.map != nullptr && job.shape != MRC_SPLITS) {
    for (const LawInput &input : sample.inputs) check_map(&bench, input, sample.generated, &report);
  }
  for (size_t i = 0; i < job.reductions.count; ++i) {
    const mrc_reduction &reduction = job.reductions.at[i];
    if (reduction.builtin != nullptr) continue;
    const std::string name = reduction.reducer->name;
    LawReport of = check_reducer_laws(file, *reduction.reducer, bench.self(), lines, seed);
    report.trials += of.trials;
    for (Violation &violation : of.violations) {
      report.violations.push_back({name + ": " + violation.law, violation.example});
    }
    for (const std::string &note : of.notes) report.notes.push_back(name + ": " + note);
  }
  return report;
}

}  // namespace mrc
