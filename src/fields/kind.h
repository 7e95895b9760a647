// Kinds of fields: what their values are, by their format or by a sample.
#pragma once

#include "fields/fields.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
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

// Returns the kind of a field from the table of formats, or from the types of the values in the
// user's pattern. It is unknown for fields that the format does not name, as in CSV and JSON.
FieldKind kind_in_format(const Dialect &dialect, const FieldName &field);

// Returns the fields of a format that are in the table, each once. These are all its fields unless
// records name their fields themselves.
std::vector<std::pair<std::string, FieldKind>> fields_in_table(const LineFormat &format);

// Finds the kind of a field from a sample of its values.

// Functions that decide if a value, not empty and not "-", is of a kind. Their code belongs to
// layers above this one. All may over-read by kPadding.
struct ValueKinds {
  bool (*is_number)(Bytes value);
  bool (*is_time)(Bytes value);
  bool (*is_address)(Bytes value);
  bool (*is_duration)(Bytes value);
  bool (*is_level)(Bytes value);
  DateOrder dates = DateOrder::unknown;  // set by the user
};

// Counts the values of one field by kind.
class SampledKind {
 public:
  // The name tells if digits may be a time, and if a letter may be a level. If `json`, values are
  // as make_json_reader() reads them.
  SampledKind(Bytes name, bool json, const ValueKinds &kinds);

  // REQUIRES: the value is neither empty nor "-". May over-read by kPadding.
  void add(Bytes value);

  // Returns the kind of nine tenths of the values: text if there is no such kind, or if a number
  // has needless leading zeros; unknown if there is no value.
  FieldKind kind() const;
  // Returns the order of dates such as 03/11/2026, if there are any. The user sets it, or values
  // such as 13/11/2026 settle it, unless others require the other order.
  DateOrder date_order() const;
  bool has_numbers() const { return count(ValueKind::number) > 0; }

 private:
  ValueKind kind_of(Bytes value);
  ValueKind kind_of_digits(Bytes value);
  ValueKind kind_of_text(Bytes value);
  bool add_slashed(Bytes value);
  bool is_level(Bytes value) const;
  i64 count(ValueKind kind) const { return counts_[static_cast<size_t>(kind)]; }

  std::string name_;
  bool json_, names_time_, names_level_;
  ValueKinds kinds_;
  std::array<i64, kKinds> counts_{};
  i64 values_ = 0;
  // Dates such as 03/11/2026, which are not counted as times: how many can be read in each order,
  // and whether some can be read in this order alone.
  i64 day_first_ = 0, month_first_ = 0;
  bool has_day_first_ = false, has_month_first_ = false;
  bool has_zeros_ = false;
};

}  // namespace mrc
