// A value that has a place among times, buckets or computed numbers is 01 and then its place: eight
// bytes of nanoseconds, or the name of the bucket or the number as a sort field. One that has none
// is 00 and then its bytes as a sort field. Neither begins with the other, so what sort_key.h
// promises of sort fields holds for these.
#include "map/sort_expr.h"

#include "map/key_parts.h"

namespace mrc {
namespace {

constexpr char kNoPlace = 0x00, kPlace = 0x01;
constexpr u64 kSign = u64{1} << 63;

void append_field(SortField::Type type, bool ignore_case, Bytes value, std::string *key) {
  append_sort_field({.type = type, .ignore_case = ignore_case}, value, key);
}

void complement(size_t from, std::string *key) {
  for (size_t i = from; i < key->size(); ++i) (*key)[i] = static_cast<char>(~(*key)[i]);
}

}  // namespace

bool SortExpr::is_time() const {
  if (field.bucket || is_computed_number()) return false;
  if (type != Type::natural) return type == Type::time;
  return field.field.number < 0 && field.field.text == "time";
}

bool SortExpr::is_computed_number() const {
  return field.computed && field.is_number() && (type == Type::natural || type == Type::number);
}

bool SortExpr::is_text() const {
  return !field.bucket && type != Type::number && !is_time() && !is_computed_number();
}

std::optional<SortField> SortExpr::without_reader() const {
  if (field.field.number < 0 || !field.is_plain() || is_time()) return std::nullopt;
  return SortField{
      .field = field.field.number,
      .type = is_text() ? SortField::Type::bytes : SortField::Type::number,
      .descending = descending,
      .ignore_case = ignore_case,
  };
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
  if (expr.field.bucket) return append_bucket(expr, value, key);
  if (expr.is_time()) return append_time(value, key);
  if (expr.is_computed_number()) {
    key->push_back(value.empty() ? kNoPlace : kPlace);
    if (value.empty()) return append_field(SortField::Type::bytes, false, value, key);
  }
  append_field(expr.is_text() ? SortField::Type::bytes : SortField::Type::number, expr.ignore_case,
               value, key);
}

void SortExprEncoder::append_time(Bytes value, std::string *key) const {
  const std::optional<i64> time = parse_time(value, sort_.clock);
  key->push_back(time ? kPlace : kNoPlace);
  if (time) {
    append_position(static_cast<u64>(*time) ^ kSign, key);
  } else {
    append_field(SortField::Type::bytes, false, value, key);
  }
}

void SortExprEncoder::append_bucket(const SortExpr &expr, Bytes value, std::string *key) {
  bucket_.clear();
  const bool fits = !value.empty() && value != "-" && expr.field.bucket->append(value, &bucket_);
  key->push_back(fits ? kPlace : kNoPlace);
  if (fits && expr.field.bucket->is_number()) {
    append_key_part({.name = "", .number = true}, bucket_, key);
  } else {
    append_field(SortField::Type::bytes, expr.ignore_case, fits ? Bytes(bucket_) : value, key);
  }
}

}  // namespace mrc
