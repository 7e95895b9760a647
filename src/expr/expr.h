// expr: what users say about fields (names, buckets, conditions) applied to their bytes.
#pragma once

#include "base/status.h"
#include "fields/fields.h"

#include <bitset>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// What values of a field fall into: "hour" in time:hour, "1k" in bytes:1k. Thread safe.
class Bucket {
 public:
  virtual ~Bucket() = default;
  // Appends the bucket's name. False, and nothing appended, if the value is not of the
  // bucket's kind (not a time, not a number, not an address).
  virtual bool append(Bytes value, std::string *out) const = 0;
  // Whether names are numbers, to be ordered as such.
  virtual bool is_number() const = 0;
};

// FIELD[:BUCKET] as the user typed it.
struct FieldExpr {
  FieldName field;
  std::shared_ptr<const Bucket> bucket;  // null: the value itself
  std::string text;                      // as typed: the name of its column
};

// Where wall-clock times are and what times without a year or zone mean.
struct Clock {
  std::string zone;      // of --tz; empty: UTC. An IANA name, or an offset like +02:00
  i64 year_of_now = 0;   // of times without a year (RFC 3164); see parse_time()
  i64 month_of_now = 0;  // 1 to 12: later months are of the year before
};

// Of --key, --columns and the like: items separated by commas outside double quotes.
Result<std::vector<std::string>> split_list(std::string_view text);
// "name", "3", "\"odd,name\"", "time:hour".
Result<FieldExpr> parse_field(std::string_view text, const Clock &clock);
Result<std::vector<FieldExpr>> parse_fields(std::string_view text, const Clock &clock);
// The field alone; what follows it, if a colon does, is left in *rest.
Result<FieldName> parse_field_name(std::string_view text, std::string_view *rest);
Result<std::shared_ptr<const Bucket>> parse_bucket(std::string_view text, const Clock &clock);

// Nanoseconds since 1970 in UTC; nullopt if it is not a time. Understands ISO 8601 and
// RFC 3339 (T or a blank, any precision, Z or offset), common log times
// (13/Sep/2015:06:25:10 +0000, in brackets or not), RFC 3164 (Jun 14 15:16:01), Apache
// error log times (Sun Dec 04 04:47:44 2005) and seconds, milli-, micro- or nanoseconds
// since 1970 as numbers, told apart by their size.
std::optional<i64> parse_time(Bytes text, const Clock &clock);

// Which records of a batch are wanted. Thread safe.
class Filter {
 public:
  using Selection = std::bitset<RecordBatch::kCapacity>;
  virtual ~Filter() = default;
  // The fields it looks at: to be asked of the reader, in this order, `first` on in a batch.
  virtual std::vector<FieldName> fields() const = 0;
  virtual Selection select(const RecordBatch &batch, i64 first_field) const = 0;
};

// --where, --since and --until together; null if all are empty. `time_field` is what
// --since and --until look at.
Result<std::shared_ptr<const Filter>> make_filter(std::string_view where, std::string_view since,
                                                  std::string_view until, const Clock &clock);

}  // namespace mrc
