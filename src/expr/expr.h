// expr: fields, buckets and conditions as users write them, and their evaluation on records.
#pragma once

#include "base/status.h"
#include "base/typed_text.h"
#include "fields/fields.h"
#include "kinds/kind.h"

#include <bitset>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Maps values of a field to buckets: "hour" in time:hour, "1k" in bytes:1k. Thread safe.
class Bucket : public ValueNames {
 public:
  // Appends the name of the value's bucket. False, and nothing appended, if the value is missing or
  // not of the bucket's kind (not a time, not a number, not an address). Reads no byte past the
  // value.
  virtual bool append(Bytes value, std::string *out) const = 0;
  // True if names are ordered as numbers. Otherwise the bytes of the names order as the buckets do,
  // except in the hour that clocks show twice.
  virtual bool is_number() const { return false; }
  // kind() is the kind of the names. is_value() is true if the bucket only reads values as those of
  // its kind, as x:size does, and is_form() if these need no bucket to be read as such, as those of
  // x:time do not.
  virtual ValueKind kind() const { return is_number() ? ValueKind::number : ValueKind::text; }
  virtual bool is_value() const { return false; }
  virtual bool is_form() const { return false; }

 protected:
  // Returns the name of the value's bucket; empty if it has none.
  std::string name_for(Bytes value) const;
};

class ComputedField;

// FIELD[:BUCKET] as the user typed it, or an expression of fields.
struct FieldExpr {
  FieldName field;
  std::shared_ptr<const Bucket> bucket = {};  // null: the value itself
  std::string text = {};                      // as typed
  FieldKind kind = {};  // set if the column's kind is known; otherwise Clock::kinds has it
  std::shared_ptr<const ComputedField> computed = {};  // null: read from the input

  // The name of its column.
  std::string column() const { return computed ? text : without_quotes(text); }
  // True if it is the value as it is in the record.
  bool is_plain() const { return !bucket && !computed; }
  // True if all its values are numbers because of its definition.
  bool is_number() const;
  // Messages about values of another kind.
  std::string not_a_number() const {
    return (field.number < 0 ? "" : "field ") + text + " is not a number";
  }
  std::string not_of_kind() const { return "the value does not fit " + text; }
};

// One word that map emits for each record with its key, for reducers to read.
struct ValueColumn {
  enum class Kind {
    position,  // position of the record (record.h)
    number,    // Number (base/number.h)
    text,      // as MRC_TEXT of the plugin interface; borrowed from the batch
    integer,   // MRC_INTEGER of the plugin interface; a fraction is not an integer
    real,      // MRC_REAL of the plugin interface, the nearest double
    time,      // MRC_TIME of the plugin interface; computed, as seconds since 1970
  } kind = Kind::position;
  FieldExpr expr;  // the value, except for positions

  bool is_number() const { return kind != Kind::position && kind != Kind::text; }
  bool operator==(const ValueColumn &other) const {
    return kind == other.kind && expr.text == other.expr.text && expr.field == other.expr.field;
  }
};

// Knows the kinds of fields before the first record is read. Not thread safe.
class FieldKinds {
 public:
  virtual ~FieldKinds() = default;
  virtual FieldKind kind_of(const FieldName &field) const = 0;
  // Returns the kind of values that are shown: the answer depends on it, and states do not.
  virtual FieldKind shown_kind_of(const FieldName &field) const { return kind_of(field); }
  // Makes the kind of the field part of the job, which means something else for another kind.
  virtual void depend_on(const FieldName & /*field*/, const FieldKind & /*kind*/) const {}
  // has() is true if the sample or the format has such a field, lacks() if it is certain that there
  // is none. Both are false if nothing is known.
  virtual bool has(const FieldName &field) const = 0;
  virtual bool lacks(const FieldName &field) const = 0;
  // Returns the zone offset of the field's times in the sample, such as +01:00. Empty: UTC or
  // unknown.
  virtual std::string offset_of(const FieldName & /*field*/) const { return {}; }
  // True if some of the field's times in the sample have a zone, and others have none.
  virtual bool mixes_zones(const FieldName & /*field*/) const { return false; }
  // True if none of them has a zone.
  virtual bool lacks_zones(const FieldName & /*field*/) const { return false; }
  // Returns the year after the clock of the field's times in the sample, if it may be another
  // number; else 0.
  virtual i64 assumed_year(const FieldName & /*field*/) const { return 0; }
  // True if there are numbers among the values of the sample.
  virtual bool has_numbers(const FieldName & /*field*/) const { return false; }
  // is_known() says after the job whether the input has a field of this name. nearest() returns the
  // name that the user may have meant by one that no record has.
  virtual bool is_known(const std::string & /*name*/) const { return false; }
  virtual std::string nearest(const std::string & /*name*/) const { return {}; }
  // Names of the columns that the previous stage passes on. Each is a field, even if it is not a
  // word, such as sum:bytes.
  virtual std::span<const std::string> columns() const { return {}; }
  // The kinds that were asked for and are known, as text that is part of the job.
  virtual std::string found() const { return {}; }
  virtual std::string found_of_shown() const { return {}; }
  // Returns lines for --explain, one for each comparison.
  virtual std::string comparisons() const { return {}; }
  // Notes how a comparison is understood: its text, and the kind that both sides are compared as.
  virtual void compared(const std::string &comparison, ValueKind as) const = 0;
  // Takes a note for the user on how an expression is understood. Repeated notes are ignored.
  virtual void note(const std::string &text) const = 0;
};

// Returns the size of the longest column name that the text begins with, as a whole word; 0 if
// there is none.
size_t known_column_size(std::string_view text, std::span<const std::string> columns);

struct RunningFields;
class GeoDatabases;

// The context of expressions: the time zone, the year of times without one, the present time, the
// kinds of fields and the databases of networks.
struct Clock {
  std::string zone = {};  // --tz; empty: UTC. An IANA name, or an offset like +02:00
  i64 year_of_now = 0;    // for times without a year (RFC 3164); see parse_time()
  i64 month_of_now = 0;   // 1 to 12; later months belong to the year before
  i64 now = 0;            // nanoseconds since 1970: the value of `now` in expressions
  DateOrder dates = DateOrder::unknown;  // --dates; the kind of a field has priority
  const FieldKinds *kinds = nullptr;     // null: no kinds are known
  // Takes the running fields of expressions (running.h); null: these may have none.
  RunningFields *running = nullptr;
  std::shared_ptr<const GeoDatabases> geo = {};  // --geo; null: none are given

  std::span<const std::string> columns() const {
    return kinds == nullptr ? std::span<const std::string>() : kinds->columns();
  }
};

// Notes that the job depends on the kind of a field, if a sample has shown the kind.
void depend_on_kind(const FieldExpr &field, const FieldKind &kind, const Clock &clock);
// Returns the kind of a field's values, or unknown.
FieldKind kind_of_field(const FieldExpr &field, const Clock &clock);
FieldKind shown_kind_of_field(const FieldExpr &field, const Clock &clock);

// Notes that `what` orders values as text although some of them are numbers.
void note_order_of_text(const FieldExpr &field, std::string_view what, const Clock &clock);

// Notes that the field's times have another zone than `time`, which is compared with them and has
// no zone; or that they have none, and `time` is the same instant in every zone.
void note_zone(const FieldName &field, std::string_view time, const Clock &clock);

// Returns the order of day and month in the dates of a field: by its kind, or else by the clock. If
// a sample decides the order, the job depends on it. Notes say if dates of the field may have
// either order, and if only some of its times have a zone.
DateOrder date_order_of(const FieldExpr &field, const Clock &clock);

// Returns an error if the zone does not exist. Called once, early.
Status check_clock(const Clock &clock);

// Parse fields such as "name", "3", "\"odd,name\"", "time:hour" and "path.\"odd.step\"". Blanks
// within a name belong to it. A double quote within double quotes is written twice.
Result<FieldExpr> parse_field(std::string_view text, const Clock &clock);
Result<std::vector<FieldExpr>> parse_fields(std::string_view text, const Clock &clock);
// Returns the field of this very name, in which dots and quotes have no meaning.
FieldName whole_name(const std::string &name);
// Parses a field name. The text after the first colon outside quotes is left in *rest, which is
// empty if there is no colon. Nothing after a colon is an error.
Result<FieldName> parse_field_name(std::string_view text, std::string_view *rest);
// Parses a field name, but takes a known column first, whose name may contain colons.
Result<FieldName> parse_field_name(std::string_view text, const Clock &clock,
                                   std::string_view *rest);

// Parses a bucket or a kind: BUCKETS and By hand in mrc-expressions(7) list them. `of` is the
// field, which decides the order of day and month in times, the unit of durations and the words for
// levels.
Result<std::shared_ptr<const Bucket>> parse_bucket(std::string_view text, const Clock &clock,
                                                   const FieldExpr &of = {});

// Returns nanoseconds since 1970 in UTC; nullopt if the text is not a time, or not in the years
// 1678 to 2261. TIMES in mrc-expressions(7) lists the forms, which blanks or brackets may surround.
// A time without an offset is in the clock's zone. REQUIRES: check_clock() is ok
std::optional<i64> parse_time(Bytes text, const Clock &clock);

// A value that an expression cannot use: the result is missing.
struct BadValue {
  u16 record;  // index in the batch
  Bytes value;
  const char *reason;  // lives as long as the expression
};

// Bounds of the fields that a condition reads, in their order, and its effect on records within
// them (field_bounds.h). Null: nothing is known.
struct FieldBounds;
using PageBounds = std::span<const FieldBounds *const>;
struct Outlook;

// Selects the wanted records of a batch. Thread safe.
class Filter {
 public:
  using Selection = std::bitset<RecordBatch::kCapacity>;
  virtual ~Filter() = default;
  // The fields that it reads, which the reader must provide.
  virtual std::vector<FieldName> fields() const = 0;
  // `columns` are the columns of fields() in the batch.
  virtual Selection select(RecordBatch *batch, std::span<const size_t> columns,
                           std::vector<BadValue> *bad) const = 0;
  // Returns the effect that it may have on a page whose fields() have these bounds.
  virtual Outlook outlook(PageBounds page) const = 0;
};

// Makes a filter of --where, --since and --until; null if all are empty. --where is a condition
// (expression.h). --since and --until are [FIELD=]TIME, with the field `time` by default; --since
// is inclusive, --until is exclusive. TIME is any time that parse_time() reads, or now, today,
// yesterday, 14:00, -1h, 2 days ago. A record whose field is not a time is not selected.
Result<std::shared_ptr<const Filter>> make_filter(std::string_view where, std::string_view since,
                                                  std::string_view until, const Clock &clock);
// Replaces a relative time in a bound of make_filter(), "[FIELD=]TIME", by an instant. Any other
// text is returned unchanged.
std::string with_instant(std::string_view bound, const Clock &clock);

}  // namespace mrc
