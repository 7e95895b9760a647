// The kind of a field: what all of its values are. It is known before the first record is read: by
// the table of formats, or by a sample of the values (sampled_kind.h).
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
  address,  // of IPv4 or IPv6
  level,    // how bad a record is, such as WARN
  truth,    // true or false
  text,
  structure,  // a JSON object or array
  version,    // such as 1.10.2; only by hand
};
inline constexpr size_t kKinds = 10;

// "number", as users read it.
std::string_view kind_name(ValueKind kind);

// The words that a format has for levels besides those that all formats may have.
enum class LevelWords : u8 {
  usual,      // no others
  syslog,     // numbers from 0 (emergency) to 7 (debug)
  windows,    // numbers from 1 (critical) to 5 (verbose); 0 is no level, and shown always
  redis,      // . - * #
  websphere,  // letters, of which A is audit and O is output
  macos,      // Default, Fault
  panos,      // low, medium, high
  php,        // Fatal error, Deprecated
};

struct FieldKind {
  ValueKind kind = ValueKind::unknown;
  // The nanoseconds that 1 stands for, of a number whose unit of time is known: 1,000,000 for
  // request_ms. 0: the unit is not known.
  i64 unit_ns = 0;
  LevelWords levels = LevelWords::usual;  // of a level
  // The order of dates such as 03/11/2026, even if most values are no times.
  DateOrder dates = DateOrder::unknown;

  bool operator==(const FieldKind &) const = default;
};

// "number (ms)", "level", "time (day first)".
std::string kind_text(const FieldKind &kind);
// The unit of time of a number that its field's name tells, as request_ms and duration_us do; 0 if
// the name does not tell.
i64 unit_in_name(std::string_view field);

// "dmy" or "mdy", as users write the order. REQUIRES: is_settled(order)
std::string_view date_order_name(DateOrder order);
std::optional<DateOrder> find_date_order(std::string_view name);

// The kind of a field by the table of formats, or by the types of the values in the user's pattern.
// It is unknown for fields that the format does not name, as in CSV and JSON.
FieldKind kind_in_format(const Dialect &dialect, const FieldName &field);

// The fields of a format that are in the table, each once. They are all fields of the format unless
// its records name their fields themselves.
std::vector<std::pair<std::string, FieldKind>> fields_in_table(const LineFormat &format);

}  // namespace mrc
