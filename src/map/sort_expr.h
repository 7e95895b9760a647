// Sort keys of records with fields: what people write for them, and the bytes that records
// compare by.
#pragma once

#include "expr/record_scan.h"
#include "map/sort_key.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// One thing to sort by: FIELD[:BUCKET][:num|:time|:text][:asc|:desc], or an expression with these.
struct SortExpr {
  // natural: as its bucket orders; without one, as its kind does, which is time if the field is
  // called so and nothing else is known.
  enum class Type { natural, text, number, time };

  FieldExpr field;  // its text is without type and direction
  Type type = Type::natural;
  bool descending = false;
  bool ignore_case = false;                  // of text, buckets included
  std::shared_ptr<const Bucket> order = {};  // set by FieldSort::make(); null: bytes

  bool is_time() const;
  // The same for lines whose fields need no reader; nothing if it takes one.
  std::optional<SortField> without_reader() const;
};

// The kind by which its values are ordered: text if they are by their bytes, unknown if they are by
// the names of a bucket.
FieldKind order_of(const SortExpr &expr, const Clock &clock);

// FIELD by name or by number from 1, 0 being the whole record; the rest after it in any
// order. What sort(1) would understand is refused with the spelling that means it here; in
// double quotes it is a name.
Result<SortExpr> parse_sort_expr(std::string_view text, const Clock &clock);
// The same, or expressions (expression_items.h), separated by commas. An expression may name those
// before it.
Result<std::vector<SortExpr>> parse_sort_exprs(std::string_view text, const Clock &clock);

// What records with fields are sorted by: the first decides, then the second, ...
struct FieldSort {
  std::vector<SortExpr> exprs;  // none: the whole record

  // Each expression gets the order of its type, or else of the kind of its values: the job depends
  // on a kind that a sample has told.
  static Result<FieldSort> make(std::vector<SortExpr> exprs, const Clock &clock);
  // What it looks at.
  std::vector<FieldExpr> fields() const;
};

// Makes keys for which the invariants of append_sort_field() hold. A value that is not of the kind
// by which it is ordered, or does not fit its bucket, comes before all that are and do, by its
// bytes; so do "-" and one that is missing, which is empty. Not thread safe.
class SortExprEncoder {
 public:
  // REQUIRES: what the sort looks at is wanted
  SortExprEncoder(const FieldSort &sort, const WantedFields &wanted);

  // Appends the key of one record of a batch.
  void append(const SelectedRecords &batch, size_t record, std::string *key);

 private:
  void append_value(const SortExpr &expr, Bytes value, std::string *key);
  void append_bucket(const SortExpr &expr, Bytes value, std::string *key);

  const FieldSort &sort_;
  std::vector<size_t> columns_;  // of the batch, by expression
  std::string bucket_;           // of one value
};

}  // namespace mrc
