// Tests a job's map on the author's sample and on lines that are hard on programs. It is called
// again and again for the same records: the bytes around them, and other threads, must not change
// what it emits. A run of the job shows if the answer depends on how the input is split.
#include "check/check.h"
#include "check/inner/job_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <latch>
#include <thread>

namespace mrc {
namespace {

constexpr size_t kPieceBytes = 61;  // for MRC_BYTES: small, so that there are many ends

// All that one thread emits, by batch; the last is from `end`.
struct Mapped {
  struct Batch {
    std::string what;  // "\"12\" (points.txt, byte 34)"
    Emitted emitted;
  };
  std::vector<Batch> batches;
  std::string failure;   // "": none
  bool refused = false;  // the plugin itself reported it
};

std::string describe(const LawBatch &batch) {
  LawValue text;
  text.text = batch.records.empty() ? batch.bytes : batch.records.front();
  return fmt::format("{}{} ({}, byte {})", show_value(text),
                     batch.records.size() > 1 ? " and the records after it" : "", batch.input->name,
                     batch.offset());
}

// Returns at most `most` batches, evenly spaced, to save time.
std::vector<LawBatch> thinned(std::vector<LawBatch> batches, size_t most) {
  const size_t step = (batches.size() + most - 1) / most;
  std::vector<LawBatch> some;
  for (size_t i = 0; i < batches.size(); i += step) some.push_back(std::move(batches[i]));
  return some;
}

std::string take_failure() {
  const Status status = plugin_status();
  forget_plugin_failure();
  return status.is_ok() ? "" : status.message();
}

// Describes the first difference in lines.
std::string first_difference(const Mapped &one, const Mapped &other, const std::string &first,
                             const std::string &second) {
  size_t i = 0;
  const size_t both = std::min(one.batches.size(), other.batches.size());
  while (i < both && one.batches[i].emitted == other.batches[i].emitted) ++i;
  if (i == both) return fmt::format("  {}: {}\n", second, other.failure);
  const Emitted &a = one.batches[i].emitted, &b = other.batches[i].emitted;
  size_t row = 0;
  while (row < a.hashes.size() && row < b.hashes.size() && a.hashes[row] == b.hashes[row]) ++row;
  const auto shown = [&](const Emitted &of, const std::string &failure) {
    return row < of.rows.size() ? of.rows[row] : failure.empty() ? "nothing more" : failure;
  };
  return fmt::format("  {}\n  {}: {}\n  {}: {}\n", one.batches[i].what, first,
                     shown(a, one.failure), second, shown(b, other.failure));
}

class MapTrials {
 public:
  MapTrials(const std::string &file, const mrc_job &job, const LawSample &sample,
            const Settings &settings, LawReport *report)
      : file_(file), job_(job), sample_(sample), settings_(settings), report_(*report) {}

  void go() {
    const Mapped plain = map(MRC_BATCH, Filler::input);
    if (!plain.failure.empty()) return fail(plain);
    compare("the same records do not give the same keys and values", plain,
            map(MRC_BATCH, Filler::input), "once", "again");
    check_surroundings(1, map(1, Filler::input));
    check_surroundings(MRC_BATCH, plain);
    for (int pass = 0; pass < 3 && report_.violations.empty(); ++pass) check_threads();
  }

 private:
  void fail(const Mapped &mapped) {
    if (job_.shape == MRC_ROWS && mapped.refused) {
      report_.notes.push_back("refuses generated rows, which only a run may replace: " +
                              mapped.failure);
      report_.trials = 0;
    } else if (sample_.generated && mapped.refused) {
      report_.untried = mapped.failure;
      report_.refused = true;
    } else {
      report_.violations.push_back({mapped.failure, ""});
    }
  }

  void compare(const char *law, const Mapped &one, const Mapped &other, const std::string &first,
               const std::string &second) {
    const auto same = [](const Mapped::Batch &a, const Mapped::Batch &b) {
      return a.emitted == b.emitted;
    };
    const bool equal = one.failure.empty() == other.failure.empty() &&
                       std::equal(one.batches.begin(), one.batches.end(), other.batches.begin(),
                                  other.batches.end(), same);
    if (equal || !report_.violations.empty()) return;
    report_.violations.push_back({law, first_difference(one, other, first, second)});
  }

  // Maps all inputs with one worker of a newly opened job.
  Mapped map(size_t most_records, Filler filler) {
    constexpr size_t kMostBatches = 1000;
    Mapped mapped;
    ++report_.trials;
    {
      JobBench bench(file_, job_);
      if (bench.open(settings_, 1).is_ok()) {
        const std::vector<LawBatch> batches =
            thinned(bench.batches(sample_.inputs, most_records, kPieceBytes), kMostBatches);
        JobWorker worker(bench, true);
        for (const LawBatch &batch : batches) {
          if (plugin_failed()) break;
          mapped.batches.push_back({describe(batch), worker.map(LentBatch(batch, filler))});
        }
        mapped.batches.push_back({"what end emits", worker.end()});
      }
    }
    mapped.refused = plugin_refused();
    mapped.failure = take_failure();
    return mapped;
  }

  void check_surroundings(size_t most_records, const Mapped &plain) {
    const char *law = job_.shape == MRC_ROWS   ? "map reads past the end of a text"
                      : job_.shape < MRC_BYTES ? "map reads past the end of a record"
                                               : "map reads past the end of its bytes";
    for (const auto &[filler, followed] : {std::pair{Filler::digits, "followed by 7777"},
                                           std::pair{Filler::letters, "followed by aaaa"}}) {
      if (!report_.violations.empty()) return;
      compare(law, plain, map(most_records, filler), "as it is in the input", followed);
    }
  }

  void check_threads() {
    ++report_.trials;
    const std::string found = try_threads(file_, job_, sample_.inputs, settings_);
    if (!found.empty()) report_.violations.push_back({"threads disturb each other", found});
  }

  const std::string &file_;
  const mrc_job &job_;
  const LawSample &sample_;
  const Settings &settings_;
  LawReport &report_;
};

// Returns the settings of the job. Without valid settings, nothing can be tried.
Result<Settings> settings_of(const mrc_job &job, const LawSample &sample, LawReport *report) {
  explain_crashes(explain_address);
  forget_plugin_failure();
  Result<Settings> settings = Settings::parse(job, sample.settings);
  if (!settings.is_ok()) report->untried = settings.status().message();
  return settings;
}

}  // namespace

LawReport check_job_laws(const std::string &file, const mrc_job &job, const LawSample &sample) {
  LawReport report;
  const Result<Settings> settings = settings_of(job, sample, &report);
  if (!settings.is_ok()) return report;
  {
    JobBench bench(file, job);
    if (Status status = bench.open(*settings, 1); !status.is_ok())
      report.untried = status.message();
  }
  forget_plugin_failure();
  const bool maps = job.map != nullptr && job.acquire == nullptr;
  if (maps && report.untried.empty()) MapTrials(file, job, sample, *settings, &report).go();
  return report;
}

LawReport check_job_reducer(const std::string &file, const mrc_job &job, const LawSample &sample,
                            const mrc_reducer &reducer, u64 seed) {
  LawReport report;
  const Result<Settings> settings = settings_of(job, sample, &report);
  if (!settings.is_ok()) return report;
  JobBench bench(file, job);
  if (!bench.open(*settings, 1).is_ok()) return report;
  return check_reducer_laws(file, reducer, bench.self(), sample.lines, seed);
}

// Tests whether threads disturb each other in a job's map, for example by a shared buffer. Each
// worker maps its own sequence of small batches, first alone, then while the others map theirs.
// They begin together, and no two use the same records at once. Many short calls make it likely
// that shared data is overwritten while it is in use, even on one CPU.

namespace {

constexpr size_t kWorkers = 4;
constexpr size_t kRecords = 16;                       // in a batch
constexpr size_t kThreadPieceBytes = 1000;            // for MRC_BYTES
constexpr size_t kMostBatches = 512;                  // of all inputs together
constexpr size_t kEnough = 20000;                     // calls of a worker ...
constexpr std::chrono::milliseconds kLongEnough(50);  // ... or fewer, if they take this long

// A hash for each call of map, and one for `end`.
using Hashes = std::vector<u64>;

// An open job, and the batches that its workers share.
class Team {
 public:
  Team(const std::string &file, const mrc_job &job, std::span<const LawInput> inputs,
       const Settings &settings)
      : bench_(file, job) {
    if (!bench_.open(settings, kWorkers).is_ok()) return;
    const std::vector<LawBatch> all = bench_.batches(inputs, kRecords, kThreadPieceBytes);
    const size_t step = all.size() / kMostBatches + 1;
    for (size_t i = 0; i < all.size(); i += step) {
      batches_.push_back(std::make_unique<LentBatch>(all[i], Filler::input));
    }
  }

  bool idle() const { return batches_.empty(); }

  // No two workers map the same split, which may have memory of its own in the job. `calls`: how
  // many calls; 0: as many as time allows.
  Hashes run(size_t worker, size_t calls) const {
    const auto start = std::chrono::steady_clock::now();
    const auto has_ended = [&](size_t done) {
      if (calls > 0) return done == calls;
      return done == kEnough || std::chrono::steady_clock::now() - start > kLongEnough;
    };
    Hashes hashes;
    JobWorker at_work(bench_, false);
    while (worker < batches_.size() && !plugin_failed() && !has_ended(hashes.size())) {
      hashes.push_back(at_work.map(batch_of(worker, hashes.size())).hash());
    }
    hashes.push_back(at_work.end().hash());
    return hashes;
  }

  // Describes the input of a call.
  std::string place_of(size_t worker, size_t call) const {
    const mrc_records &records = batch_of(worker, call).records();
    return fmt::format("{}, byte {}", records.input_name, records.offset);
  }

 private:
  // The worker has every kWorkers-th batch, again and again. REQUIRES: worker < batches_.size()
  const LentBatch &batch_of(size_t worker, size_t call) const {
    const size_t own = (batches_.size() - worker + kWorkers - 1) / kWorkers;
    return *batches_[worker + call % own * kWorkers];
  }

  JobBench bench_;
  std::vector<std::unique_ptr<LentBatch>> batches_;
};

// Describes the first call that emitted something else.
std::string difference(const Team &team, size_t worker, const Hashes &alone,
                       const Hashes &together) {
  for (size_t call = 0; call < std::min(alone.size(), together.size()); ++call) {
    if (alone[call] == together[call]) continue;
    const bool end = call + 1 == alone.size();
    return fmt::format("  {} emits other keys or values while {} threads map\n",
                       end ? "end" : fmt::format("map ({})", team.place_of(worker, call)),
                       kWorkers);
  }
  return "";
}

}  // namespace

std::string try_threads(const std::string &file, const mrc_job &job,
                        std::span<const LawInput> inputs, const Settings &settings) {
  std::array<Hashes, kWorkers> alone, together;
  size_t calls = 0;
  for (size_t i = 0; i < kWorkers && !plugin_failed(); ++i) {
    const Team team(file, job, inputs, settings);
    if (team.idle()) break;
    alone[i] = team.run(i, calls);
    calls = std::max(calls, alone[i].size() - 1);
  }
  if (calls == 0 || plugin_failed()) {
    forget_plugin_failure();
    return "";
  }
  const Team team(file, job, inputs, settings);
  std::latch start(kWorkers);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kWorkers; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      together[i] = team.run(i, calls);
    });
  }
  for (std::thread &thread : threads) thread.join();
  const Status status = plugin_status();
  forget_plugin_failure();
  if (!status.is_ok()) return fmt::format("  it fails only then: {}\n", status.message());
  for (size_t i = 0; i < kWorkers; ++i) {
    std::string found = difference(team, i, alone[i], together[i]);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace mrc
