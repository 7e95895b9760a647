#include "map/sort_key.h"

#include "base/text.h"
#include "expr/kind_order.h"
#include "map/key_parts.h"

#include <algorithm>

namespace mrc {
namespace {

// sort(1) also separates fields at newlines, which records that end in NUL may contain.
bool separates_fields(char c) { return is_blank(c) || c == '\n'; }

// The fields of one record. Finding them in ascending order takes one pass over the record.
class SortFieldFinder {
 public:
  SortFieldFinder(Bytes record, std::optional<char> delimiter)
      : record_(record), rest_(record), delimiter_(delimiter) {}

  // Returns the field, or an empty one if the record has fewer fields.
  Bytes find(i64 number) {
    if (number == 0) return record_;
    if (number < number_) restart();
    while (number_ < number) {
      if (rest_.empty()) return {};
      field_ = delimiter_ ? next_delimited() : next_blank_separated();
      ++number_;
    }
    return field_;
  }

 private:
  void restart() {
    rest_ = record_;
    number_ = 0;
  }

  Bytes next_delimited() {
    const size_t size = std::min(rest_.find(*delimiter_), rest_.size());
    const Bytes field = rest_.substr(0, size);
    rest_.remove_prefix(std::min(size + 1, rest_.size()));
    return field;
  }

  Bytes next_blank_separated() {
    const char *begin =
        std::find_if_not(rest_.data(), rest_.data() + rest_.size(), separates_fields);
    const char *all_end = rest_.data() + rest_.size();
    const char *end = std::find_if(begin, all_end, separates_fields);
    rest_ = {end, static_cast<size_t>(all_end - end)};
    return {begin, static_cast<size_t>(end - begin)};
  }

  Bytes record_, rest_, field_;
  i64 number_ = 0;  // number of field_; 0 before the first
  std::optional<char> delimiter_;
};

// A value that has a bucket is encoded as 01, followed by its bucket as a sort field. Any other
// value is 00, followed by its bytes as a sort field. Neither is a prefix of the other, so the
// invariants of sort_field.h hold for these keys, too.

constexpr char kNoPlace = 0x00, kPlace = 0x01;

void append_text(const SortExpr &expr, Bytes value, std::string *key) {
  append_sort_field({.type = SortField::Type::bytes, .ignore_case = expr.ignore_case}, value, key);
}

void complement(size_t from, std::string *key) {
  for (size_t i = from; i < key->size(); ++i) (*key)[i] = static_cast<char>(~(*key)[i]);
}

}  // namespace

SortKeyEncoder::SortKeyEncoder(SortKeySpec spec) : spec_(std::move(spec)) {}

void SortKeyEncoder::append(Bytes record, std::string *out) const {
  SortFieldFinder finder(record, spec_.delimiter);
  for (const SortField &field : spec_.fields) {
    append_sort_field(field, finder.find(field.field), out);
  }
}

bool SortKeyEncoder::is_plain() const {
  if (spec_.fields.size() != 1) return false;
  const SortField &field = spec_.fields[0];
  return field.field == 0 && field.type == SortField::Type::bytes && !field.descending &&
         !field.ignore_case;
}

FieldKind order_of(const SortExpr &expr, const Clock &clock) {
  using Type = SortExpr::Type;
  if (expr.type == Type::text || expr.type == Type::random) return {ValueKind::text};
  if (expr.type == Type::number) return {ValueKind::number};
  if (expr.type == Type::time) return {ValueKind::time};
  if (expr.field.bucket && !expr.field.bucket->is_form()) return {};
  const FieldKind kind = kind_of_field(expr.field, clock);
  if (has_order(kind.kind)) return kind;
  return expr.is_time() ? FieldKind{ValueKind::time} : FieldKind{ValueKind::text};
}

bool SortExpr::is_time() const {
  if (type != Type::natural) return type == Type::time;
  return field.is_plain() && field.field.number < 0 && field.field.text == "time";
}

std::optional<SortField> SortExpr::without_reader() const {
  if (field.field.number < 0 || !field.is_plain() || is_time()) return std::nullopt;
  if (type == Type::random) return std::nullopt;
  return SortField{
      .field = field.field.number,
      .type = type == Type::number ? SortField::Type::number : SortField::Type::bytes,
      .descending = descending,
      .ignore_case = ignore_case,
  };
}

Result<FieldSort> FieldSort::make(std::vector<SortExpr> exprs, const Clock &clock) {
  for (SortExpr &expr : exprs) {
    if (expr.type == SortExpr::Type::random) {
      if (expr.order == nullptr) expr.order = make_random_order(0, expr.ignore_case);
      continue;
    }
    FieldKind kind = order_of(expr, clock);
    if (kind.kind == ValueKind::time) kind.dates = date_order_of(expr.field, clock);
    const bool is_natural = expr.type == SortExpr::Type::natural;
    if (is_natural && kind.kind == ValueKind::text) note_order_of_text(expr.field, "sort", clock);
    if (!has_order(kind.kind)) continue;
    if (is_natural) depend_on_kind(expr.field, kind, clock);
    expr.order = make_kind_order(kind, Misplaced::first, clock);
  }
  return FieldSort{std::move(exprs)};
}

std::vector<FieldExpr> FieldSort::fields() const {
  std::vector<FieldExpr> all;
  for (const SortExpr &expr : exprs) all.push_back(expr.field);
  return all;
}

SortExprEncoder::SortExprEncoder(const FieldSort &sort, const WantedFields &wanted) : sort_(sort) {
  for (const SortExpr &expr : sort.exprs) columns_.push_back(wanted.column(expr.field.field));
}

void SortExprEncoder::append(const SelectedRecords &batch, size_t record, std::string *key) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const SortExpr &expr = sort_.exprs[i];
    const size_t begin = key->size();
    append_value(expr, batch.column(columns_[i])[record], key);
    if (expr.descending) complement(begin, key);
  }
}

void SortExprEncoder::append_value(const SortExpr &expr, Bytes value, std::string *key) {
  if (expr.order) {
    expr.order->append(value, key);
  } else if (expr.field.bucket) {
    append_bucket(expr, value, key);
  } else {
    append_text(expr, value, key);
  }
}

void SortExprEncoder::append_bucket(const SortExpr &expr, Bytes value, std::string *key) {
  bucket_.clear();
  const bool fits = !value.empty() && value != "-" && expr.field.bucket->append(value, &bucket_);
  key->push_back(fits ? kPlace : kNoPlace);
  if (fits && expr.field.bucket->is_number()) {
    append_key_part({.name = "", .number = true}, bucket_, key);
  } else {
    append_text(expr, fits ? Bytes(bucket_) : value, key);
  }
}

}  // namespace mrc
