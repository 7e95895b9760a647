// The number of records per key decides where records are grouped. A table in the map phase pays if
// keys repeat: the second record of a key costs a look-up instead of a staged record. If most keys
// are new, the table only adds cost, as each key is looked up, inserted, visited and merged. Then
// all records are staged and grouped once, partition by partition, in tables that fit in the cache
// (append-group of Metis 3.2).
#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/report.h"
#include "engine/inner/sample.h"
#include "group/array_table.h"
#include "sched/sched.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace mrc {
namespace {

// With fewer records per key, a table costs more than it saves. Measured with 20 million words of
// eight letters, equally frequent (CPU seconds and MiB of wordcount -j2, least of three, on two
// busy CPUs with a cache of 32 MiB; the table has its size from the sample):
//
//     records for each key     1     2    3.3     4     5    10
//     table                  4.08  2.10  1.43  1.28  1.12  0.67
//                            2146  1590   858   806   748   382
//     staged                 2.28  1.31  0.91  0.81  0.77  0.59
//                            1638  1082   830   778   710   594
//
// If some keys are frequent, as in a power law, a table becomes better at about 6. Up to 4, staging
// is better in both cases, except for long keys, which a table stores only once.
constexpr double kFewRepeats = 4, kFewRepeatsOfLong = 2;
constexpr int kUsualBits = 9, kFewestBits = 6, kMostBits = 11;
constexpr int kFewestOfLittleMemory = 4;
constexpr double kMostKeysOfPartition = 16384;
// Tables per worker: the one that it fills, and those that wait to be merged.
constexpr i64 kTablesOfTiles = 4;

std::string with_commas(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (i64 at = std::ssize(digits) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  return digits;
}

// Rounds to three significant digits.
std::string about(double number) {
  const double unit = number < 1000 ? 1 : std::pow(10, std::floor(std::log10(number)) - 2);
  return with_commas(std::round(number / unit) * unit);
}

std::string size_of(i64 bytes) {
  if (bytes % (i64{1} << 20) != 0 && bytes < i64{1} << 20) return fmt::format("{} bytes", bytes);
  return fmt::format("{} MiB", bytes >> 20);
}

std::string why_no_sample(const Program &program, const Plan &plan) {
  if (program.switches.sample == Sampling::off) return "as asked";
  return plan.streams > 0 ? "streams cannot be sampled" : "too little input for a sample";
}

// Describes the shortest class of keys that nearly all keys are in.
std::string lengths(const Forecast &forecast) {
  const auto [shortest, medium, longest] = forecast.shares;
  if (shortest >= kNearlyAll) return fmt::format("{:.0f} % up to 15 bytes", 100 * shortest);
  if (shortest + medium >= kNearlyAll)
    return fmt::format("{:.0f} % up to 31 bytes", 100 * (shortest + medium));
  return fmt::format("{:.0f} % longer than 31 bytes", 100 * longest);
}

std::string describe_keys(const Forecast &forecast) {
  return fmt::format("about {} distinct among {} ({} each), {}", about(forecast.keys),
                     about(forecast.records), about(forecast.repeats), lengths(forecast));
}

// Chooses the number of partitions so that each has 8,192 to 16,384 keys.
int choose_bits(double keys) {
  const double partitions = std::ceil(keys / kMostKeysOfPartition);
  const int bits =
      static_cast<int>(std::bit_width(static_cast<u64>(std::max(partitions, 1.0) - 1)));
  return std::clamp(bits, kFewestBits, kMostBits);
}

// Returns the most partitions, as bits, of which a worker can write blocks of a useful size when
// its records have filled half of its memory.
int most_bits_within(const Plan &plan) {
  constexpr i64 kLeastBlock = i64{4} << 10;
  const i64 blocks = plan.memory / plan.workers / 2 / kLeastBlock;
  return std::max(kFewestOfLittleMemory,
                  static_cast<int>(std::bit_width(static_cast<u64>(blocks))) - 1);
}

void plan_partitions(const Program &program, Plan *plan) {
  const bool known = plan->forecast.keys > 0;
  plan->partition_bits = known ? choose_bits(plan->forecast.keys) : kUsualBits;
  plan->partition_bits = std::min(plan->partition_bits, most_bits_within(*plan));
  if (program.switches.partition_bits)
    plan->partition_bits = static_cast<int>(*program.switches.partition_bits);
}

// An array is faster to look up than a table that has outgrown the fastest cache (count and stats
// -a sum of 20 million numbers on two CPUs, milliseconds with a table and with an array):
//
//     numbers below          200  1000  2000  4000  8000  16000  60000
//     count, table            54    63    73    97    87    102    124
//     count, array            72    75    77    75    76     81     95
//     stats, table           154   159   166   190   199    253    282
//     stats, array           169   174   168   168   172    219    238
constexpr double kManyIndexes = 3000;
constexpr double kNearlyAllIndexes = 0.99;

// Chooses an array only if it takes a small part of the memory, as hot_bytes does not limit it.
void plan_container(const Program &program, Plan *plan) {
  if (program.container != nullptr) plan->container = program.container;
  const bool is_free = program.container == nullptr && !program.switches.hot_bytes &&
                       !program.switches.buckets && plan->most_shared_bytes == 0;
  const Forecast &forecast = plan->forecast;
  const i64 bytes = ArrayTable::bytes_of(slot_bytes(program));
  if (is_free && forecast.indexes >= kNearlyAllIndexes && forecast.worker_keys >= kManyIndexes &&
      !is_of_rare_keys(forecast) && bytes < plan->memory / plan->workers / 8) {
    plan->container = &kArrayContainer;
  }
}

// Warns about a limit that even one batch exceeds: a table takes whole batches of records.
void note_small_table(const Program &program, Plan *plan) {
  const i64 batch = program.map.records == MapSpec::Records::fields ? RecordBatch::kCapacity
                                                                    : Batch<Key16>::kCapacity;
  const i64 slots = static_cast<i64>(std::bit_ceil(static_cast<u64>(batch * 8 / 5)));
  const i64 least = slots * (slot_bytes(program) - i64{sizeof(Key32) - sizeof(Key16)});
  if (plan->hot_bytes == 0 || plan->hot_bytes >= least) return;
  plan->notes.push_back(
      fmt::format("{} hot={}: a table of that size has no room for the keys of {} records, which "
                  "may come together; then all of them are staged; {} bytes have room",
                  setting_name("engine"), plan->hot_bytes, batch, least));
}

void plan_tables(const Program &program, Plan *plan) {
  if (plan->memory < INT64_MAX) {
    plan->hot_bytes = std::max<i64>(1, plan->memory / plan->workers / 3);
  }
  const bool tiled = plan->tile_bytes > 0;
  if (tiled) {
    plan->hot_bytes /= kTablesOfTiles;
  } else {
    plan_sharing(program, plan);
  }
  plan_container(program, plan);
  const bool known = plan->forecast.keys > 0, flat = plan->container == &kFlatContainer;
  std::string table = flat ? "flat table" : plan->container->name;
  std::string reason = flat                ? "one for each worker, growing"
                       : program.container ? "as asked"
                                           : "keys are small numbers";
  if (program.switches.hot_bytes) {
    plan->hot_bytes = *program.switches.hot_bytes;
    if (flat) note_small_table(program, plan);
    table += " of up to " + size_of(plan->hot_bytes);
    reason = "as asked";
  } else if (tiled) {
    reason = "one for each worker and tile";
  } else if (flat && known && is_of_rare_keys(plan->forecast) && !program.live.is_wanted()) {
    plan->hot_bytes = 0;
    reason = fmt::format("keys are rare: {:.1f} records each", plan->forecast.repeats);
  }
  const bool shared = plan->most_shared_bytes > 0;
  if (plan->hot_bytes == 0) {
    table = shared ? "no table; workers share partitions" : "no table; all records are staged";
    if (shared && !program.switches.hot_bytes)
      reason = "tables of workers would have the same keys";
  }
  const i64 expected = tiled ? 0 : static_cast<i64>(plan->forecast.worker_keys);
  plan->expected_keys = std::min(expected, keys_within(program, plan->hot_bytes));
  if (reason != "as asked" && !shared && !tiled) reason += ", merged by partitions of the hash";
  plan->decisions.push_back({"group", table, reason});
  plan->decisions.push_back({"stage", fmt::format("{} partitions", i64{1} << plan->partition_bits),
                             program.switches.partition_bits ? "as asked"
                             : shared ? "workers share them: each key is stored once"
                             : known  ? "by the number of keys"
                                      : "where nothing is known of the keys"});
}

}  // namespace

// A table that has just grown is at least 5/16 full.
i64 keys_within(const Program &program, i64 table_bytes) {
  return table_bytes / slot_bytes(program) * 5 / 16;
}

i64 slot_bytes(const Program &program) {
  i64 bytes = static_cast<i64>(sizeof(Key32) + sizeof(u64));
  for (const Part &part : program.aggregation.parts) bytes += part.reducer->state_bytes;
  return bytes;
}

// Buffers hold at least kFewestTogether records or groups: those of three classes of keys in the
// table, of the emitter and of the code that folds records, and the columns of fields.
i64 bytes_of_wide_records(const Program &program) {
  constexpr i64 kCopiesOfGroup = 12, kCopiesOfValues = 8;
  constexpr i64 kUsual = i64{1} << 20;
  constexpr i64 kBatchesOfProgram = i64{256} << 10;  // of a shared scan
  const i64 values = program.map.value_width() * i64{sizeof(u64)};
  const i64 bytes = kCopiesOfGroup * slot_bytes(program) + kCopiesOfValues * values;
  const i64 programs = program.shared ? std::ssize(program.shared->programs) : 0;
  return std::max<i64>(0, kFewestTogether * bytes - kUsual) + kBatchesOfProgram * programs;
}

bool is_of_rare_keys(const Forecast &forecast) {
  const bool is_short = forecast.shares[0] >= kNearlyAll;
  return forecast.repeats < (is_short ? kFewRepeats : kFewRepeatsOfLong);
}

void plan_memory(const Program &program, i64 cpus, Plan *plan) {
  plan->memory = program.memory ? *program.memory : available_memory(cpus);
  plan->tmpdir = tmpdir_of(program);
}

void describe_memory(const Program &program, Plan *plan) {
  const bool known = plan->memory < INT64_MAX;
  plan->decisions.push_back(
      {"memory", known ? size_of(plan->memory) : "unlimited",
       program.memory ? "as asked"
       : known        ? "60 % of what is available, or less if the control group or ulimit says so"
                      : "the system does not tell what is available"});
}

std::string plan_sample(const Program &program, const Stage &stage, Plan *plan) {
  if (!worth_sampling(program, *plan)) return why_no_sample(program, *plan);
  PhaseTimer timer(&plan->phases);
  timer.begin("sample");
  const Sample sample = take_sample(program, stage, *plan);
  plan->forecast = foretell(program, sample, plan->workers);
  plan->common_prefix = sample.common_prefix;
  foretell_tiles(program, sample, plan);
  const char *found = plan->forecast.keys > 0 ? "" : "none in ";
  return fmt::format("{}{} samples of {} KiB", found, sample.pieces, sample.piece_bytes >> 10);
}

void plan_groups(const Program &program, const std::string &reason, Plan *plan) {
  const bool known = plan->forecast.keys > 0;
  plan->decisions.push_back({"keys", known ? describe_keys(plan->forecast) : "unknown", reason});
  plan_partitions(program, plan);
  plan_tiles(program, plan);
  plan_tables(program, plan);
}

void plan_order(const Program &program, Plan *plan) {
  if (!plan->common_prefix.empty() && program.order.by_key()) {
    plan->decisions.push_back({"prefix", fmt::format("{} bytes", plan->common_prefix.size()),
                               "that all keys sampled share are left out of comparisons"});
  }
  plan->decisions.push_back(
      {"order",
       program.plugin_order          ? "the plugin's"
       : program.order.by_key()      ? "by key"
       : program.order.terms.empty() ? "by value, then key"
                                     : "by composed keys",
       program.order.limit >= 0
           ? fmt::format("the first {} are selected, then sorted", program.order.limit)
           : "parallel sorting by regular sampling"});
}

}  // namespace mrc
