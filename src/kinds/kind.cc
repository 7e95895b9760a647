#include "kinds/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

constexpr std::array<const char *, kKinds> kNames = {"unknown",   "number", "duration", "time",
                                                     "address",   "level",  "truth",    "text",
                                                     "structure", "version"};

struct UnitName {
  std::string_view ending;
  i64 nanoseconds;
};
constexpr i64 kMicro = 1'000, kMilli = 1'000'000, kWholeSecond = 1'000'000'000;
constexpr UnitName kEndings[] = {{"_ns", 1},
                                 {"_nanos", 1},
                                 {"_us", kMicro},
                                 {"_micros", kMicro},
                                 {"_ms", kMilli},
                                 {"_millis", kMilli},
                                 {"_s", kWholeSecond},
                                 {"_sec", kWholeSecond},
                                 {"_secs", kWholeSecond},
                                 {"_seconds", kWholeSecond}};

std::string_view unit_name(i64 nanoseconds) {
  switch (nanoseconds) {
    case 1: return "ns";
    case kMicro: return "us";
    case kMilli: return "ms";
    default: return "s";
  }
}

}  // namespace

std::string_view kind_name(ValueKind kind) { return kNames[static_cast<size_t>(kind)]; }

ValueKind kind_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  return found == std::end(kNames) ? ValueKind::unknown
                                   : static_cast<ValueKind>(found - std::begin(kNames));
}

std::string kind_text(const FieldKind &kind) {
  if (kind.kind == ValueKind::time && is_settled(kind.dates)) {
    return kind.dates == DateOrder::day_first ? "time (day first)" : "time (month first)";
  }
  if (kind.unit_ns == 0) return std::string(kind_name(kind.kind));
  return fmt::format("{} ({})", kind_name(kind.kind), unit_name(kind.unit_ns));
}

std::string_view date_order_name(DateOrder order) {
  return order == DateOrder::day_first ? "dmy" : "mdy";
}

std::optional<DateOrder> find_date_order(std::string_view name) {
  for (const DateOrder order : {DateOrder::day_first, DateOrder::month_first}) {
    if (date_order_name(order) == name) return order;
  }
  return std::nullopt;
}

i64 unit_in_name(std::string_view field) {
  if (field == "ms") return kMilli;
  // A rate, such as requests_per_s, is not a time.
  if (field.find("per_") != field.npos) return 0;
  const auto *found = std::ranges::find_if(
      kEndings, [&](const UnitName &unit) { return field.ends_with(unit.ending); });
  return found == std::end(kEndings) ? 0 : found->nanoseconds;
}

}  // namespace mrc
