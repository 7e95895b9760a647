#include "engine/inner/plan_sharing.h"

#include "engine/inner/plan_keys.h"

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

// If a worker has fewer records for each of its keys, merging the tables of workers costs more than
// folding records into one table that all share, since most tables have the same keys (user CPU
// seconds and MiB of count and wordcount on two CPUs, tables of workers against shared partitions):
//
//     workers                       8     8     8     8    64    64    64    64
//     records for each key        2.7    12    31    32     2     2    13     6
//     seconds with tables        0.67  0.83  0.31  2.27  1.22  1.40  0.38  2.99
//     seconds with partitions    0.40  0.65  0.41  1.78  0.53  0.79  0.53  2.09
//     MiB with tables             600   620    88   309  1151  1015   183  1917
//     MiB with partitions          84   153    28    53   122   180    83    88
constexpr double kFewRecordsOfWorker = 16;
constexpr i64 kLittleInput = i64{32} << 20;
// The threshold for two workers: they have less to merge. They do not share long keys, which would
// be copied twice.
constexpr double kFewRecordsOfTwo = 12;
constexpr double kSlotsOfKey = 1.5;           // a third of the slots are free
constexpr i64 kLargeTables = i64{128} << 20;  // for larger tables, the cache is too small
constexpr i64 kShareOfMemory = 4;             // shared partitions may take 1/kShareOfMemory
constexpr i64 kLargestShared = 1024;  // bytes of a group: buffers have many records of each part
constexpr i64 kLeastMemoryOfSharing = i64{16} << 20;  // per worker: buffers take some of it
// If the keys are unknown, tables that stay smaller share nothing.
constexpr i64 kHotBytesOfUnknown = i64{2} << 20;
// With many CPUs, workers would compete for the partitions of the most frequent keys, so tables of
// workers hold these keys. With few CPUs, a look-up costs more than it saves.
constexpr i64 kFewCpus = 8, kHotBytesOfMany = i64{128} << 10;
constexpr double kFewHits = 0.8;  // hit rate below which tables are bypassed, with few CPUs
constexpr i64 kPartitionsOfCpu = 8;
constexpr int kFewestBits = 4, kMostBits = 8;

// True if most staged records would be states, each made for one value only to be merged.
bool borrows(const Program &program) {
  if (program.plugin && program.plugin->maps()) return program.plugin->values_borrow();
  return program.map.borrowing() == Borrowing::any;
}

bool sharing_pays(const Program &program, const Plan &plan) {
  const Forecast &forecast = plan.forecast;
  const bool tight = plan.memory / plan.workers < kLeastMemoryOfSharing;
  if (plan.workers == 1 || tight || borrows(program)) return false;
  if (slot_bytes(program) > kLargestShared) return false;
  // Tables that stay small never use shared partitions.
  if (forecast.keys == 0) {
    return plan.workers > 2 && (plan.streams > 0 || plan.input_bytes > kLittleInput);
  }
  if (is_of_rare_keys(forecast)) return false;
  // Groups that do not fit in shared partitions are staged in the end, which is slower.
  const double shared = kSlotsOfKey * forecast.keys * static_cast<double>(slot_bytes(program));
  if (shared > static_cast<double>(plan.memory / kShareOfMemory)) return false;
  const double tables = forecast.worker_keys * static_cast<double>(plan.workers);
  const double repeats = forecast.records / tables;
  if (plan.workers == 2) return repeats < kFewRecordsOfTwo && forecast.shares[0] > kNearlyAll;
  return repeats < kFewRecordsOfWorker ||
         (tables > 2 * forecast.keys &&
          static_cast<i64>(kSlotsOfKey * tables) * slot_bytes(program) > kLargeTables);
}

}  // namespace

void plan_sharing(const Program &program, Plan *plan) {
  if (program.live.is_wanted()) return;  // interim answers cannot show shared partitions
  if (program.isolation.is_wanted) return;
  if (program.container != nullptr && program.container != &kFlatContainer) return;
  const std::optional<i64> asked = program.switches.share_bytes;
  if (asked ? *asked == 0 : !sharing_pays(program, *plan)) return;
  const i64 cpus = std::min(plan->workers, plan->topology.cpus());
  plan->most_shared_bytes = asked.value_or(plan->memory / kShareOfMemory);
  if (cpus <= kFewCpus) plan->few_hits = kFewHits;
  const i64 hot_bytes = plan->forecast.keys == 0 ? kHotBytesOfUnknown
                        : cpus <= kFewCpus       ? 0
                                                 : kHotBytesOfMany;
  plan->hot_bytes = std::min(plan->hot_bytes, hot_bytes);
  if (program.switches.partition_bits) return;
  const i64 partitions = kPartitionsOfCpu * cpus;
  plan->partition_bits = std::clamp(
      static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1))), kFewestBits, kMostBits);
}

}  // namespace mrc
