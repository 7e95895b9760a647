// Tests whether threads disturb each other in a job's map, for example by a shared buffer. Each
// worker maps its own sequence of small batches, first alone, then while the others map theirs.
// They begin together, and no two use the same records at once. Many short calls make it likely
// that shared data is overwritten while it is in use, even on one CPU.
#include "check/inner/job_bench.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <latch>
#include <thread>

namespace mrc {
namespace {

constexpr size_t kWorkers = 4;
constexpr size_t kRecords = 16;                       // in a batch
constexpr size_t kPieceBytes = 1000;                  // for MRC_BYTES
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
    const std::vector<LawBatch> all = bench_.batches(inputs, kRecords, kPieceBytes);
    const size_t step = all.size() / kMostBatches + 1;
    for (size_t i = 0; i < all.size(); i += step) {
      batches_.push_back(std::make_unique<LentBatch>(all[i], Filler::input));
    }
  }

  bool idle() const { return batches_.empty(); }

  // `calls`: how many calls; 0: as many as time allows.
  Hashes run(size_t worker, size_t calls) const {
    const auto start = std::chrono::steady_clock::now();
    const auto has_ended = [&](size_t done) {
      if (calls > 0) return done == calls;
      return done == kEnough || std::chrono::steady_clock::now() - start > kLongEnough;
    };
    const size_t first = worker * batches_.size() / kWorkers;
    Hashes hashes;
    JobWorker at_work(bench_, false);
    while (!plugin_failed() && !has_ended(hashes.size())) {
      const LentBatch &batch = *batches_[(first + hashes.size()) % batches_.size()];
      hashes.push_back(at_work.map(batch).hash());
    }
    hashes.push_back(at_work.end().hash());
    return hashes;
  }

  // Describes the input of a call.
  std::string place_of(size_t worker, size_t call) const {
    const size_t first = worker * batches_.size() / kWorkers;
    const mrc_records &records = batches_[(first + call) % batches_.size()]->records();
    return fmt::format("{}, byte {}", records.input_name, records.offset);
  }

 private:
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
    calls = alone[i].size() - 1;
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
