// Kinds of values, which decide how the values are read, compared, ordered and shown. The other
// headers of this folder read values of one kind each.
#pragma once

#include "kinds/timestamp.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mrc {

// The kind of a field: the type of all of its values. It is known before the first record is read,
// from the table of formats or from a sample of the values (SampledKind).

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
// Returns `unknown` if there is no such kind.
ValueKind kind_named(std::string_view name);

// The words for levels that a format has besides those of all formats.
enum class LevelWords : u8 {
  usual,      // no others
  syslog,     // numbers from 0 (emergency) to 7 (debug)
  windows,    // numbers from 1 (critical) to 5 (verbose), where 0 (always logged) counts as info;
              // words of the Event Viewer in German, French and Spanish
  redis,      // . - * #
  websphere,  // letters, of which A is audit and O is output
  macos,      // Default, Fault
  panos,      // low, medium, high
  php,        // Fatal error, Deprecated
  java,       // words of java.util.logging in German and French, such as WARNUNG
  xorg,       // EE, WW, II, !!
  cmtrace,    // numbers from 0 to 3 (error)
};

// The names that all values are among, if they are the names of buckets.
class ValueNames {
 public:
  virtual ~ValueNames() = default;
  // Returns all names, in their order, if they are few and known: 1-Mon to 7-Sun for x:weekday.
  virtual std::vector<std::string> names() const { return {}; }
  // Returns the name that a user may mean by the text, or else an example. It is the text itself if
  // a value may have this name.
  virtual std::string name_like(const std::string &text) const { return text; }
};

struct FieldKind {
  ValueKind kind = ValueKind::unknown;
  // Nanoseconds per unit, for numbers whose unit of time is known: 1,000,000 for request_ms. 0: the
  // unit is not known.
  i64 unit_ns = 0;
  LevelWords levels = LevelWords::usual;
  // Order of dates such as 03/11/2026, even if most values are not times.
  DateOrder dates = DateOrder::unknown;
  std::shared_ptr<const ValueNames> names = {};  // null: values may be any of the kind

  // The names do not matter: kinds are compared to tell if values mean the same.
  bool operator==(const FieldKind &other) const {
    return std::tie(kind, unit_ns, levels, dates) ==
           std::tie(other.kind, other.unit_ns, other.levels, other.dates);
  }
};

// Returns a description such as "number (ms)", "level" or "time (day first)".
std::string kind_text(const FieldKind &kind);
// Returns the unit of time, in nanoseconds, that a field's name tells, as request_ms and
// duration_us do; 0 if it tells none.
i64 unit_in_name(std::string_view field);

// Returns "dmy" or "mdy", as users write the order. REQUIRES: is_settled(order)
std::string_view date_order_name(DateOrder order);
std::optional<DateOrder> find_date_order(std::string_view name);

}  // namespace mrc
