#include "engine/switches.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <vector>

namespace mrc {
namespace {

using Set = bool (*)(std::string_view value, Switches *switches);

bool read_size(std::string_view text, i64 *bytes) {
  constexpr std::string_view kUnits = "KMGT";
  int shift = 0;
  if (const size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.back());
      unit != kUnits.npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    text.remove_suffix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *bytes);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (*bytes < 0 || *bytes > INT64_MAX >> shift) return false;
  *bytes <<= shift;
  return true;
}

bool read_flag(std::string_view text, bool *flag) {
  *flag = text == "on";
  return text == "on" || text == "off";
}

struct Known {
  const char *name;
  const char *values;
  Set set;
};

const Known kSwitches[] = {
    {"bypass", "on|off", [](std::string_view v, Switches *s) { return read_flag(v, &s->bypass); }},
    {"drift", "on|off", [](std::string_view v, Switches *s) { return read_flag(v, &s->drift); }},
    {"hot", "SIZE",
     [](std::string_view v, Switches *s) { return read_size(v, &s->hot_bytes.emplace()); }},
    {"partitions", "N, up to 65536",
     [](std::string_view v, Switches *s) {
       i64 partitions = 0;
       if (!read_size(v, &partitions) || partitions < 1 || partitions > 65536) return false;
       s->partition_bits = std::bit_width(static_cast<u64>(partitions - 1));
       return true;
     }},
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
