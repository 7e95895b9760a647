#include "base/typed_text.h"
#include "engine/inner/program.h"
#include "reduce/eager_reducer.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

namespace mrc {
namespace {

constexpr i64 kMostBuckets = i64{1} << 24;

bool take_size(std::string_view text, i64 *bytes) {
  const std::optional<i64> size = read_size(text);
  if (size) *bytes = *size;
  return size.has_value();
}

bool take_percent(std::string_view text, double *share) {
  if (!text.ends_with("%")) return false;
  text.remove_suffix(1);
  double percent = 0;
  if (!read_number(text, &percent)) return false;
  *share = percent / 100;
  return percent > 0 && percent <= 100;
}

bool read_sampling(const Switch &, std::string_view text, Switches *switches) {
  if (text == "off" || text == "strided") {
    switches->sample = text == "off" ? Sampling::off : Sampling::strided;
    return true;
  }
  if (!text.starts_with("head:")) return false;
  text.remove_prefix(5);
  switches->sample = Sampling::head;
  return take_percent(text, &switches->head);
}

// Sets a switch of two values.
template <bool Switches::*flag>
bool set_flag(const Switch &row, std::string_view value, Switches *switches) {
  const std::string_view values = row.values;
  const size_t bar = values.find('|');
  const bool is_default = value == values.substr(0, bar);
  switches->*flag = is_default == Switches{}.*flag;
  return is_default || value == values.substr(bar + 1);
}

bool read_partitions(const Switch &, std::string_view value, Switches *switches) {
  i64 partitions = 0;
  if (!take_size(value, &partitions) || partitions < 1 || partitions > 65536) return false;
  switches->partition_bits = std::bit_width(static_cast<u64>(partitions - 1));
  return true;
}

bool read_buckets(const Switch &, std::string_view value, Switches *switches) {
  i64 buckets = 0;
  if (!take_size(value, &buckets) || buckets < 1 || buckets > kMostBuckets) return false;
  switches->buckets = buckets;
  return true;
}

bool read_hot(const Switch &, std::string_view value, Switches *switches) {
  return take_size(value, &switches->hot_bytes.emplace());
}

bool read_runs(const Switch &, std::string_view value, Switches *switches) {
  switches->runs = value == "sort"     ? EagerRuns::sort
                   : value == "reduce" ? EagerRuns::reduce
                                       : EagerRuns::wait;
  return value == "wait" || switches->runs != EagerRuns::wait;
}

bool read_presorted(const Switch &, std::string_view value, Switches *switches) {
  switches->presorted = value == "checked" ? Presorted::checked
                        : value == "off"   ? Presorted::off
                                           : Presorted::sampled;
  return value == "sampled" || switches->presorted != Presorted::sampled;
}

bool read_start(const Switch &, std::string_view value, Switches *switches) {
  return take_size(value, &switches->start) && switches->start >= 1 &&
         switches->start <= EagerReducer::kMostWaiting;
}

bool read_stop(const Switch &, std::string_view value, Switches *switches) {
  return take_percent(value, &switches->stop);
}

bool read_share(const Switch &, std::string_view value, Switches *switches) {
  switches->share_bytes.reset();
  if (value == "auto") return true;
  switches->share_bytes = 0;
  return value == "off" || take_size(value, &*switches->share_bytes);
}

const Switch kSwitches[] = {
    {"backup", "on|off", "give the last slow tasks of worker processes to idle ones, too",
     set_flag<&Switches::backups>},
    {"buckets", "N, up to 16M", "entries of hashtree, or slots that a flat table begins with",
     read_buckets},
    {"bypass", "on|off", "stage without a look-up when hardly any record hits a frozen table",
     set_flag<&Switches::bypass>},
    {"compress", "on|off", "off: partial results of tiles stay apart until all is mapped",
     set_flag<&Switches::compress>},
    {"copartitions", "on|off", "join directories that a hash divides alike part by part",
     set_flag<&Switches::copartitions>},
    {"drift", "on|off", "empty a frozen table whose share of hits has fallen",
     set_flag<&Switches::drift>},
    {"eager", "off|on", "compact staged records while mapping", set_flag<&Switches::eager>},
    {"fingerprint", "on|off", "compare hashes before keys longer than 31 bytes",
     set_flag<&Switches::fingerprint>},
    {"groups", "together|apart", "apart: each group of CPUs reduces by itself before all do",
     set_flag<&Switches::groups_apart>},
    {"hot", "SIZE", "freeze a worker's table at that size; 0: stage all records", read_hot},
    {"index", "on|off", "leave out pages of the input by range indexes",
     set_flag<&Switches::index>},
    {"merge", "psrs|tree", "sort rows by regular sampling, or by merging pairwise",
     set_flag<&Switches::merge_tree>},
    {"output", "async|sync", "sync: sort all rows before the first is written",
     set_flag<&Switches::async_output>},
    {"partitions", "N, up to 65536", "number of partitions, of staged records and of reduce",
     read_partitions},
    {"pipeline", "on|off", "off: workers wait for each other at the end of a tile",
     set_flag<&Switches::pipeline>},
    {"place", "pages|stripes", "deal splits to CPUs near their pages, or each group a stripe",
     set_flag<&Switches::by_pages>},
    {"pool", "on|off", "keep threads from one phase to the next", set_flag<&Switches::pool>},
    {"prefetch", "on|off", "prefetch slots of a table", set_flag<&Switches::prefetch>},
    {"priority", "low|normal", "of threads that reduce runs while others map",
     set_flag<&Switches::low_priority>},
    {"reuse", "on|off", "keep the memory of staged records", set_flag<&Switches::reuse>},
    {"runs", "wait|sort|reduce", "sort or reduce spilled runs while others map", read_runs},
    {"sample", "strided|off|head:P%", "which part of the input predicts the number of keys",
     read_sampling},
    {"schedule", "dynamic|static", "workers claim splits, or are dealt them beforehand",
     set_flag<&Switches::static_schedule>},
    {"share", "auto|off|SIZE", "fold records of all workers into partitions of up to that size",
     read_share},
    {"sorted", "sampled|checked|off", "whether a join merges inputs that are sorted already",
     read_presorted},
    {"stagger", "on|off", "off: runs may be reduced by as many threads as there are workers",
     set_flag<&Switches::stagger>},
    {"start", "N, up to 32", "how many runs wait before they are reduced", read_start},
    {"stop", "P%", "share of the input after which no more runs are reduced early", read_stop},
};

}  // namespace

std::span<const Switch> all_switches() { return kSwitches; }

Status set_switch(std::string_view text, Switches *switches) {
  if (const size_t comma = text.find(','); comma != text.npos) {
    Status status = set_switch(text.substr(0, comma), switches);
    return status.is_ok() ? set_switch(text.substr(comma + 1), switches) : status;
  }
  const size_t sign = text.find('=');
  const std::string_view name = text.substr(0, sign);
  std::vector<std::string_view> names;
  for (const Switch &known : kSwitches) {
    names.push_back(known.name);
    if (name != known.name) continue;
    const std::string_view value = sign == text.npos ? "" : text.substr(sign + 1);
    if (known.set(known, value, switches)) return Status::ok();
    return Status::error(
        fmt::format("{}: \"{}\" is not one of its values: {}", name, value, known.values));
  }
  return Status::error(fmt::format("no switch \"{}\"; there are {}", name, fmt::join(names, ", ")));
}

}  // namespace mrc
