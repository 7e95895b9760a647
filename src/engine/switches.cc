#include "engine/switches.h"

#include "base/size_text.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <vector>

namespace mrc {
namespace {

using Set = bool (*)(std::string_view value, Switches *switches);

bool take_size(std::string_view text, i64 *bytes) {
  const std::optional<i64> size = read_size(text);
  if (size) *bytes = *size;
  return size.has_value();
}

bool read_sampling(std::string_view text, Switches *switches) {
  if (text == "off" || text == "strided") {
    switches->sample = text == "off" ? Sampling::off : Sampling::strided;
    return true;
  }
  if (!text.starts_with("head:") || !text.ends_with("%")) return false;
  text.remove_prefix(5);
  text.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  switches->sample = Sampling::head;
  switches->head = percent / 100;
  return percent > 0 && percent <= 100;
}

struct Known {
  const char *name;
  const char *values;
  Set set;
};

// A switch that is on or off.
template <bool Switches::*flag>
bool set_flag(std::string_view value, Switches *switches) {
  switches->*flag = value == "on";
  return value == "on" || value == "off";
}

bool read_partitions(std::string_view value, Switches *switches) {
  i64 partitions = 0;
  if (!take_size(value, &partitions) || partitions < 1 || partitions > 65536) return false;
  switches->partition_bits = std::bit_width(static_cast<u64>(partitions - 1));
  return true;
}

bool read_hot(std::string_view value, Switches *switches) {
  return take_size(value, &switches->hot_bytes.emplace());
}

bool read_merge(std::string_view value, Switches *switches) {
  switches->merge_tree = value == "tree";
  return value == "tree" || value == "psrs";
}

bool read_schedule(std::string_view value, Switches *switches) {
  switches->static_schedule = value == "static";
  return value == "static" || value == "dynamic";
}

const Known kSwitches[] = {
    {"bypass", "on|off", set_flag<&Switches::bypass>},
    {"drift", "on|off", set_flag<&Switches::drift>},
    {"eager", "on|off", set_flag<&Switches::eager>},
    {"fingerprint", "on|off", set_flag<&Switches::fingerprint>},
    {"hot", "SIZE", read_hot},
    {"merge", "psrs|tree", read_merge},
    {"partitions", "N, up to 65536", read_partitions},
    {"pipeline", "on|off", set_flag<&Switches::pipeline>},
    {"pool", "on|off", set_flag<&Switches::pool>},
    {"prefetch", "on|off", set_flag<&Switches::prefetch>},
    {"reuse", "on|off", set_flag<&Switches::reuse>},
    {"sample", "strided, off, head:P% of the input", read_sampling},
    {"schedule", "dynamic|static", read_schedule},
};

}  // namespace

Status set_switch(std::string_view text, Switches *switches) {
  if (const size_t comma = text.find(','); comma != text.npos) {
    Status status = set_switch(text.substr(0, comma), switches);
    return status.is_ok() ? set_switch(text.substr(comma + 1), switches) : status;
  }
  const size_t sign = text.find('=');
  const std::string_view name = text.substr(0, sign);
  std::vector<std::string_view> names;
  for (const Known &known : kSwitches) {
    names.push_back(known.name);
    if (name != known.name) continue;
    const std::string_view value = sign == text.npos ? "" : text.substr(sign + 1);
    if (known.set(value, switches)) return Status::ok();
    return Status::error(
        fmt::format("{}: \"{}\" is not one of its values: {}", name, value, known.values));
  }
  return Status::error(fmt::format("no switch \"{}\"; there are {}", name, fmt::join(names, ", ")));
}

}  // namespace mrc
