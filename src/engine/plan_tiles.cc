// A tile is as large as possible while the groups that the workers of a group of CPUs make of it
// stay in the last-level cache. The sample predicts how many keys each worker meets in its part of
// a tile.
#include "engine/inner/plan_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

constexpr i64 kUnknownCache = i64{8} << 20;
constexpr double kShareOfCache = 0.75;  // the rest is for the partitions that are merged
constexpr i64 kWindowBytes = i64{256} << 10;
constexpr double kSlotsOfKey = 2.3;  // a table is 7/16 full on average
constexpr i64 kLeastTile = i64{1} << 20, kMostTile = i64{64} << 30;
constexpr i64 kUnitsOfWorker = 2;  // workers share the units of a tile
constexpr i64 kKeysOfPartition = 8192;
constexpr i64 kPartitionsOfUnknown = 256;  // if the keys are unknown
constexpr int kFewestTileBits = 4, kMostTileBits = 11;

i64 cache_of(const Plan &plan) {
  i64 least = INT64_MAX;
  for (const CpuGroup &group : plan.topology.groups()) {
    least = std::min(least, group.cache_bytes > 0 ? group.cache_bytes : kUnknownCache);
  }
  return least;
}

i64 workers_of_group(const Plan &plan) {
  return (plan.workers + plan.topology.size() - 1) / plan.topology.size();
}

// Predicts the bytes that a group of workers uses for a tile of this size.
double working_set(const Program &program, const Sample &sample, i64 tile_bytes, i64 workers) {
  const double of_sample =
      static_cast<double>(tile_bytes) / static_cast<double>(workers * sample.bytes);
  const double records = of_sample * static_cast<double>(sample.records);
  // If the part is smaller than the sample: counts each record as a new key, up to the keys of the
  // sample.
  const double keys = of_sample < 1 ? std::min(records, static_cast<double>(sample.counts.keys()))
                                    : predict_distinct(sample.counts, records).distinct_total;
  const double table = keys * kSlotsOfKey * static_cast<double>(slot_bytes(program));
  return static_cast<double>(workers) * (table + static_cast<double>(kWindowBytes));
}

i64 least_tile(const Plan &plan) {
  const i64 split = plan.splits.empty() ? kLeastTile : plan.splits[0].end - plan.splits[0].begin;
  return std::max(kLeastTile, kUnitsOfWorker * workers_of_group(plan) * split);
}

// If records are folded into a flat table, or staged, as they come, reducing each tile costs more
// than it saves (seconds of wordcount, 300 MB, on two CPUs with a cache of 32 MiB):
//
//     container                    flat  hashtree  tree  fixed  append-sort  append-group
//     all input is one tile        0.49      2.07  8.71  16.08         6.92          7.40
//     tiles that fit in the cache  0.76      2.63  3.62   7.26         3.68          3.59
bool tiles_pay(const Program &program) {
  return program.container != nullptr && program.container->slows_down;
}

struct TileChoice {
  i64 bytes;
  std::string reason;
};

TileChoice choose(const Program &program, const Plan &plan) {
  if (program.tiling == Tiling::fixed) return {program.tile_bytes, "as asked"};
  const i64 fitting = plan.fitting_tile_bytes;
  const std::string cache = fmt::format("a cache of {} MiB", cache_of(plan) >> 20);
  const bool is_wanted = program.tiling == Tiling::cache || tiles_pay(program);
  if (fitting > 0 && is_wanted) {
    return {fitting, "by the sample, what workers make of it fits in " + cache};
  }
  if (program.tiling == Tiling::cache) {
    return {std::max(least_tile(plan), cache_of(plan) / 4),
            "a quarter of the cache, as there is no sample"};
  }
  if (fitting == 0) return {0, "nothing is known of the keys"};
  return {0, fmt::format("what is made of {} MiB fits in {}; that saves nothing", fitting >> 20,
                         cache)};
}

}  // namespace

void foretell_tiles(const Program &program, const Sample &sample, Plan *plan) {
  if (sample.counts.keys() == 0 || sample.bytes == 0) return;
  const i64 workers = workers_of_group(*plan);
  const double room = kShareOfCache * static_cast<double>(cache_of(*plan));
  const i64 most = std::min(kMostTile, plan->input_bytes);
  i64 tile = least_tile(*plan);
  while (2 * tile <= most && working_set(program, sample, 2 * tile, workers) <= room) tile *= 2;
  plan->fitting_tile_bytes = tile;
}

void plan_tiles(const Program &program, Plan *plan) {
  const bool keeps = plan->state || plan->checkpoint;
  if (keeps || program.follows || program.switches.static_schedule) return;
  if (program.isolation.is_wanted || program.partial.moves_states()) return;
  if (program.live.is_wanted()) return;    // interim answers need tables that keep growing
  if (program.map.fields.running) return;  // units are claimed in the order of the input
  const TileChoice choice = choose(program, *plan);
  plan->tile_bytes = choice.bytes;
  const std::string value =
      choice.bytes > 0 ? fmt::format("{} bytes", choice.bytes) : "all input is one";
  plan->decisions.push_back({"tiles", value, choice.reason});
  if (plan->tile_bytes == 0) return;
  plan->most_tiled_bytes = plan->memory / 4;
  // A table of this many keys can still grow once before it becomes a run; otherwise each run would
  // have one tile.
  const i64 room = keys_within(program, plan->most_tiled_bytes / plan->topology.size() / 2);
  plan->tiled_keys = std::min(static_cast<i64>(plan->forecast.keys), room);
  if (program.switches.partition_bits) return;
  const i64 wanted =
      plan->forecast.keys > 0 ? plan->tiled_keys / kKeysOfPartition : kPartitionsOfUnknown;
  const i64 partitions =
      std::max(std::min(wanted, room / kKeysOfPartition), 4 * workers_of_group(*plan));
  const int bits = static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1)));
  plan->partition_bits = std::clamp(bits, kFewestTileBits, kMostTileBits);
}

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
constexpr double kSharedSlotsOfKey = 1.5;     // a third of the slots are free
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
constexpr int kFewestSharedBits = 4, kMostSharedBits = 8;

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
  const double shared =
      kSharedSlotsOfKey * forecast.keys * static_cast<double>(slot_bytes(program));
  if (shared > static_cast<double>(plan.memory / kShareOfMemory)) return false;
  const double tables = forecast.worker_keys * static_cast<double>(plan.workers);
  const double repeats = forecast.records / tables;
  if (plan.workers == 2) return repeats < kFewRecordsOfTwo && forecast.shares[0] > kNearlyAll;
  return repeats < kFewRecordsOfWorker ||
         (tables > 2 * forecast.keys &&
          static_cast<i64>(kSharedSlotsOfKey * tables) * slot_bytes(program) > kLargeTables);
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
  plan->partition_bits =
      std::clamp(static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1))),
                 kFewestSharedBits, kMostSharedBits);
}

}  // namespace mrc
