// The kind of a field: the type of all of its values. It is known before the first record is read,
// from the table of formats or from a sample of the values (sampled_kind.h).
#pragma once

#include "fields/fields.h"

#include <optional>
#include <utility>

namespace mrc {

enum class ValueKind : u8 {
  unknown,
  number,    // an exact decimal
  duration,  // a number with a unit of time, such as 1.5s
  time,
  address,  // an IPv4 or IPv6 address
  level,    // severity of a record, such as WARN
  truth,    // true or false
  text,
  structure,  // a JSON object or array
  version,    // such as 1.10.2; only set by the user
};
inline constexpr size_t kKinds = 10;

// Returns the user's word for a kind, such as "number".
std::string_view kind_name(ValueKind kind);

// The words for levels that a format has besides those of all formats.
enum class LevelWords : u8 {
  usual,      // no others
  syslog,     // numbers from 0 (emergency) to 7 (debug)
  windows,    // numbers from 1 (critical) to 5 (verbose); 0 (always logged) counts as info
  redis,      // . - * #
  websphere,  // letters, of which A is audit and O is output
  macos,      // Default, Fault
  panos,      // low, medium, high
  php,        // Fatal error, Deprecated
};

struct FieldKind {
  ValueKind kind = ValueKind::unknown;
  // Nanoseconds per unit, for numbers whose unit of time is known: 1,000,000 for request_ms. 0: the
  // unit is not known.
  i64 unit_ns = 0;
  LevelWords levels = LevelWords::usual;
  // Order of dates such as 03/11/2026, even if most values are not times.
  DateOrder dates = DateOrder::unknown;

  bool operator==(const FieldKind &) const = default;
};

// Returns a description such as "number (ms)", "level" or "time (day first)".
std::string kind_text(const FieldKind &kind);
// Returns the unit of time, in nanoseconds, that a field's name tells, as request_ms and
// duration_us do; 0 if it tells none.
i64 unit_in_name(std::string_view field);

// Returns "dmy" or "mdy", as users write the order. REQUIRES: is_settled(order)
std::string_view date_order_name(DateOrder order);
std::optional<DateOrder> find_date_order(std::string_view name);

// Returns the kind of a field from the table of formats, or from the types of the values in the
// user's pattern. It is unknown for fields that the format does not name, as in CSV and JSON.
FieldKind kind_in_format(const Dialect &dialect, const FieldName &field);

// Returns the fields of a format that are in the table, each once. These are all its fields unless
// records name their fields themselves.
std::vector<std::pair<std::string, FieldKind>> fields_in_table(const LineFormat &format);

}  // namespace mrc
