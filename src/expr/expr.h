// expr: what users say about fields (names, buckets, conditions) applied to their bytes.
#pragma once

#include "base/status.h"
#include "base/typed_text.h"
#include "fields/fields.h"
#include "fields/kind.h"

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
  // Appends the bucket's name. False, and nothing appended, if the value is missing or not
  // of the bucket's kind (not a time, not a number, not an address). Reads no byte past it.
  virtual bool append(Bytes value, std::string *out) const = 0;
  // Whether names are numbers, to be ordered as such. Otherwise the order of the names as
  // bytes is that of the buckets, but for the hour that clocks show twice (parse_bucket()).
  virtual bool is_number() const = 0;
  // The kind of the names; and whether they are just the values in one form, such as those of
  // x:time.
  virtual ValueKind kind() const { return is_number() ? ValueKind::number : ValueKind::text; }
  virtual bool is_form() const { return false; }
};

class ComputedField;

// FIELD[:BUCKET] as the user typed it, or what is computed of fields.
struct FieldExpr {
  FieldName field;
  std::shared_ptr<const Bucket> bucket = {};  // null: the value itself
  std::string text = {};                      // as typed
  FieldKind kind = {};  // of a column that is known; else Clock::kinds knows it
  std::shared_ptr<const ComputedField> computed = {};  // null: it is read

  // What its column is called.
  std::string column() const { return computed ? text : without_quotes(text); }
  // Whether it is the value as it stands in the record.
  bool is_plain() const { return !bucket && !computed; }
  // Whether its values are numbers by what they are made by.
  bool is_number() const;
  // What is wrong with a value of another kind.
  std::string not_a_number() const {
    return (field.number < 0 ? "" : "field ") + text + " is not a number";
  }
  std::string not_of_kind() const { return "the value does not fit " + text; }
};

// Knows the kinds of fields before the first record is read. Not thread safe.
class FieldKinds {
 public:
  virtual ~FieldKinds() = default;
  virtual FieldKind kind_of(const FieldName &field) const = 0;
  // Returns the kind of values that are shown: the answer depends on it, and states do not.
  virtual FieldKind shown_kind_of(const FieldName &field) const { return kind_of(field); }
  // The job means something else if the field is not of this kind: it becomes part of the job.
  virtual void depend_on(const FieldName & /*field*/, const FieldKind & /*kind*/) const {}
  // has() is true if the sample or the format has such a field, lacks() if it is certain that there
  // is none. Both are false if nothing is known.
  virtual bool has(const FieldName &field) const = 0;
  virtual bool lacks(const FieldName &field) const = 0;
  // The offset of the zone of the field's times in the sample, such as +01:00; empty: UTC, or none.
  virtual std::string offset_of(const FieldName & /*field*/) const { return {}; }
  // True if there are numbers among the values of the sample.
  virtual bool has_numbers(const FieldName & /*field*/) const { return false; }
  // Both are asked when the job has ended: whether the input has a field of this name, and which
  // name the user may have meant by one that no record has.
  virtual bool is_known(const std::string & /*name*/) const { return false; }
  virtual std::string nearest(const std::string & /*name*/) const { return {}; }
  // Names of columns that the stage before hands over: each is a field, even if it is no word, such
  // as sum:bytes.
  virtual std::span<const std::string> columns() const { return {}; }
  // The kinds that were asked for and are known, as text: part of the job.
  virtual std::string found() const { return {}; }
  virtual std::string found_of_shown() const { return {}; }
  // A line of --explain for each comparison that was understood.
  virtual std::string comparisons() const { return {}; }
  // Takes how a comparison is understood: its text, and the kind that both sides are compared as.
  virtual void compared(const std::string &comparison, ValueKind as) const = 0;
  // Takes what the user should know of how an expression is understood. The same text again is
  // nothing new.
  virtual void note(const std::string &text) const = 0;
};

// The longest of these columns that the text begins with, as a whole: the bytes of its name, 0 if
// there is none.
size_t known_column_size(std::string_view text, std::span<const std::string> columns);

// The context of expressions: the time zone, the year of times without one, the present time and
// the kinds of fields.
struct Clock {
  std::string zone = {};  // of --tz; empty: UTC. An IANA name, or an offset like +02:00
  i64 year_of_now = 0;    // of times without a year (RFC 3164); see parse_time()
  i64 month_of_now = 0;   // 1 to 12: later months are of the year before
  i64 now = 0;            // nanoseconds since 1970: what `now` is in expressions
  DateOrder dates = DateOrder::unknown;  // of --dates; the kind of a field comes first
  const FieldKinds *kinds = nullptr;     // null: nothing is known

  std::span<const std::string> columns() const {
    return kinds == nullptr ? std::span<const std::string>() : kinds->columns();
  }
};

// Says that what a job means depends on the kind of a field, if a sample has told it.
void depend_on_kind(const FieldExpr &field, const FieldKind &kind, const Clock &clock);
// Returns the kind of a field's values; unknown if nothing tells it.
FieldKind kind_of_field(const FieldExpr &field, const Clock &clock);
FieldKind shown_kind_of_field(const FieldExpr &field, const Clock &clock);

// Notes that values are ordered as text, if there are numbers among them. `what` orders them.
void note_order_of_text(const FieldExpr &field, std::string_view what, const Clock &clock);

// Notes that the times of the field have another zone than `time`, which is compared with them and
// says none.
void note_zone(const FieldName &field, std::string_view time, const Clock &clock);

// Returns the order of day and month in the dates of a field: by its kind, or else by the clock. A
// job depends on an order that a sample settles. If dates of the field may be of either order, a
// note says so.
DateOrder date_order_of(const FieldExpr &field, const Clock &clock);

// Whether there is such a zone: an error otherwise. To be asked once, early.
Status check_clock(const Clock &clock);

// "name", "3", "\"odd,name\"", "time:hour", "path.\"odd.step\"". Blanks within a name are of the
// name. A double quote within double quotes is written twice.
Result<FieldExpr> parse_field(std::string_view text, const Clock &clock);
Result<std::vector<FieldExpr>> parse_fields(std::string_view text, const Clock &clock);
// The field alone. What follows the first colon outside quotes is left in *rest, which is
// empty if there is no colon; nothing after a colon is an error.
Result<FieldName> parse_field_name(std::string_view text, std::string_view *rest);
// Does the same, but takes a known column first, whose name may have colons.
Result<FieldName> parse_field_name(std::string_view text, const Clock &clock,
                                   std::string_view *rest);

// The buckets there are, with names of them:
//   second minute hour   2015-09-13T06:25:10Z 2015-09-13T06:25Z 2015-09-13T06:00Z
//   day week month year  2015-09-13 2015-W37 (of ISO 8601, from Monday on) 2015-09 2015
//   15m 6h 30s 7d        N seconds, minutes, hours or days; the first began in 1970 at
//                        midnight, so that those which divide a day begin anew with it
//   hourofday weekday    06 7-Sun
//     Days, weeks and so on are those of the clock's zone. Names with a time of day say its
//     offset, 2015-09-13T08:00+02:00, or Z if the zone is UTC. In the hour that clocks show
//     twice, the later offset is less, and in zones east of Greenwich so is the name.
//   100 0.5 1k 4Ki       steps of that width; the name is the lower bound, rounded down
//                        also below zero. k M G T are decimal, Ki Mi Gi Ti binary
//   log2 log10           the power at or below the number: 0.5, 1024; 0 is its own bucket,
//                        and negative numbers have none
//   /24 /24/64           prefixes of IP addresses: 10.1.2.0/24, 2001:db8::/64; the second
//                        number is for IPv6, and without it IPv6 takes the first one
//   dir ext              of a path or URL, without what follows ? or #: /a/b of /a/b/c.png;
//                        png, in lower case, or - if there is none
//   host                 of a URL, in lower case, without user and port
//   lower upper          letters of ASCII in one case
//   num time text address level size duration version
//                        the value as one of this kind, in the one form that equal values have
// `of`: the field, in whose order of day and month times are read, and whose unit durations have.
Result<std::shared_ptr<const Bucket>> parse_bucket(std::string_view text, const Clock &clock,
                                                   const FieldExpr &of = {});

// Nanoseconds since 1970 in UTC; nullopt if it is not a time, or none of the years 1678 to
// 2261. Understands, with blanks or brackets around or not:
//   ISO 8601, RFC 3339   2015-09-13T06:25:10.123Z; T or a blank; dashes or slashes; seconds
//                        or the time may be missing; any precision, after a point or
//                        comma; Z, UTC, GMT, +02:00, +0200, +02 or nothing, after a blank or
//                        not; 2015-09; 20150913T062510Z
//   numbers with slashes 13/09/2015 06:25:10 in the order of the clock, if it has one
//   access logs          13/Sep/2015:06:25:10 +0000
//   RFC 3164             Jun 14 15:16:01, in the year that the clock says; Jun 14 2015 15:16:01
//   Apache error logs    Sun Dec 04 04:47:44.123 2005
//   mail, HTTP           Sun, 04 Dec 2005 04:47:44 GMT
//   numbers              of 10 digits seconds since 1970, of 13, 16 and 19 milli-, micro- and
//                        nanoseconds; with a fraction of any number of digits; 20150913
// A second 60 is the first one of the next minute. Without an offset it is in the clock's
// zone: of a time that its clocks show twice the first; of one that they never show, as if
// they had not been put forward. REQUIRES: check_clock() is ok
std::optional<i64> parse_time(Bytes text, const Clock &clock);

// A value that an expression cannot take: what is computed of it is missing.
struct BadValue {
  u16 record;  // of the batch
  Bytes value;
  const char *reason;  // lives as long as the expression
};

// Which records of a batch are wanted. Thread safe.
class Filter {
 public:
  using Selection = std::bitset<RecordBatch::kCapacity>;
  virtual ~Filter() = default;
  // The fields it looks at: to be asked of the reader.
  virtual std::vector<FieldName> fields() const = 0;
  // `columns`: where these are in the batch.
  virtual Selection select(RecordBatch *batch, std::span<const size_t> columns,
                           std::vector<BadValue> *bad) const = 0;
};

// --where, --since and --until together; null if all are empty. --where is a condition
// (expression.h).
// --since, --until: [FIELD=]TIME, of the field `time` unless said otherwise; the first is
// included, the second is not. TIME is what parse_time() reads, or now, today, yesterday,
// 14:00, -1h, 2 days ago. A record whose field is no time is not selected.
Result<std::shared_ptr<const Filter>> make_filter(std::string_view where, std::string_view since,
                                                  std::string_view until, const Clock &clock);
// A bound of make_filter(), "[FIELD=]TIME", in which a time in relation to now has become an
// instant. Any other text stays as it is.
std::string with_instant(std::string_view bound, const Clock &clock);

}  // namespace mrc
