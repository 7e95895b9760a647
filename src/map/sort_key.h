// Sort keys: their syntax on the command line, and the encoding of records as bytes whose order
// (memcmp, as unsigned) is the order of the records.
#pragma once

#include "base/int.h"
#include "base/sort_field.h"
#include "base/status.h"
#include "expr/record_scan.h"
#include "fields/binary.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Sort keys: encodes a record as bytes whose order (memcmp, as unsigned) is the order of the
// records, so that sorting compares bytes and needs no knowledge of fields.

struct SortKeySpec {
  std::vector<SortField> fields;  // most significant first
  // Separates fields, which may be empty. Without a delimiter, runs of blanks separate fields and
  // blanks at the ends of a record are skipped, as in awk.
  std::optional<char> delimiter = {};
};

// Thread safe. The invariants of append_sort_field() also hold for the keys of whole records.
class SortKeyEncoder {
 public:
  explicit SortKeyEncoder(SortKeySpec spec);

  // `record` is without its terminator.
  void append(Bytes record, std::string *out) const;

  // True if records compare as their keys do, so that keys are not needed.
  bool is_plain() const;

 private:
  SortKeySpec spec_;
};

// Sort keys of records with fields: their syntax on the command line, and their encoding as bytes
// that compare as the records do.

// One sort key: FIELD[:BUCKET][:num|:time|:text|:random][:asc|:desc], or an expression with these
// suffixes.
struct SortExpr {
  // `natural` is the order of the bucket, or without a bucket the order of the field's kind. A
  // field named "time" whose kind is unknown is a time.
  enum class Type { natural, text, number, time, random };

  FieldExpr field;  // its text has neither type nor direction
  // `random` is the order of make_random_order(), with the seed 0 unless `order` is set.
  Type type = Type::natural;
  bool descending = false;
  bool ignore_case = false;  // for text, including buckets
  // Set by FieldSort::make(); null: bytes.
  std::shared_ptr<const Bucket> order = {};

  bool is_time() const;
  // Returns the equivalent for lines, which need no reader of fields; nothing if a reader is
  // needed.
  std::optional<SortField> without_reader() const;
};

// Makes an order of values by a hash, which depends on the seed. Equal values are equal in it, and
// with `ignore_case` those that differ only in the case of ASCII letters.
std::shared_ptr<const Bucket> make_random_order(u64 seed, bool ignore_case);

// Returns the kind by which values are ordered: text if by their bytes, unknown if by the names of
// a bucket.
FieldKind order_of(const SortExpr &expr, const Clock &clock);

// Parses a sort key: FIELD is a name or a number from 1, or 0 for the whole record; the suffixes
// may be in any order. A key of sort(1) is an error that says how to write it here. A name in
// double quotes is always a name.
Result<SortExpr> parse_sort_expr(std::string_view text, const Clock &clock);
// Parses sort keys or expressions (expression_items.h), separated by commas. An expression may use
// the names defined before it.
Result<std::vector<SortExpr>> parse_sort_exprs(std::string_view text, const Clock &clock);

// The sort keys of records with fields, most significant first.
struct FieldSort {
  std::vector<SortExpr> exprs;  // empty: the whole record

  // Gives each expression the order of its type, or of the kind of its values. If a sample told
  // that kind, the job depends on it (depend_on_kind()).
  static Result<FieldSort> make(std::vector<SortExpr> exprs, const Clock &clock);
  // Returns the fields that the sort needs.
  std::vector<FieldExpr> fields() const;
};

// Makes keys for which the invariants of append_sort_field() hold. Values that are not of the kind
// they are ordered by, or do not fit their bucket, come first, by their bytes. So do "-" and
// missing values, which are empty. Not thread safe.
class SortExprEncoder {
 public:
  // REQUIRES: `wanted` includes all fields of the sort
  SortExprEncoder(const FieldSort &sort, const WantedFields &wanted);

  // Appends the key of one record of a batch.
  void append(const SelectedRecords &batch, size_t record, std::string *key);

 private:
  void append_value(const SortExpr &expr, Bytes value, std::string *key);
  void append_bucket(const SortExpr &expr, Bytes value, std::string *key);

  const FieldSort &sort_;
  std::vector<size_t> columns_;  // columns of the batch, by expression
  std::string bucket_;           // the bucket of one value
};

}  // namespace mrc
