#include "map/field_values.h"

#include "base/number.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"

#include <algorithm>
#include <limits>

namespace mrc {
namespace {

using Kind = ValueColumn::Kind;

// Describes the fault of a value that is not a number (or integer, or time).
std::string reason_of(const ValueColumn &column) {
  const std::string reason = column.expr.not_a_number();
  const size_t name = reason.size() - std::string_view("a number").size();
  if (column.kind == Kind::integer) return reason.substr(0, name) + "an integer";
  return column.kind == Kind::time ? reason.substr(0, name) + "a time" : reason;
}

// These convert numbers to the words of the plugin interface. A missing number counts as an integer
// and as a time (MRC_NO_INTEGER).
bool is_plain_integer(Number number) { return is_narrow(number) && scale_of(number) == 0; }
bool is_integer(Number number) {
  if (is_plain_integer(number) || !is_number(number)) [[likely]]
    return true;
  __int128 digits;
  i64 scale;
  if (!to_decimal(number, &digits, &scale) || digits % power_of_ten(scale) != 0) return false;
  digits /= power_of_ten(scale);
  return digits > INT64_MIN && digits <= INT64_MAX;
}
u64 integer_word(Number number) {
  if (is_plain_integer(number)) [[likely]]
    return static_cast<u64>(digits_of(number));
  __int128 digits = 0;
  i64 scale = 0;
  if (!is_number(number) || !to_decimal(number, &digits, &scale)) {
    return static_cast<u64>(MRC_NO_INTEGER);
  }
  return static_cast<u64>(digits / power_of_ten(scale));
}
u64 real_word(Number number) {
  return mrc_real_word(is_number(number) ? to_double(number)
                                         : std::numeric_limits<double>::quiet_NaN());
}

constexpr i64 kPlacesOfTime = 9;  // decimal places of a second in a time

// Returns the nanoseconds of seconds since 1970, the nearest whole number; MRC_NO_INTEGER if they
// are not in the years of times.
i64 nanoseconds_of(Number seconds) {
  __int128 digits = 0;
  i64 scale = 0;
  if (!is_number(seconds) || !to_decimal(seconds, &digits, &scale)) return MRC_NO_INTEGER;
  if (scale > kPlacesOfTime) {
    const __int128 unit = power_of_ten(scale - kPlacesOfTime);
    digits = (digits + (digits < 0 ? -unit : unit) / 2) / unit;
  } else if (__builtin_mul_overflow(digits, power_of_ten(kPlacesOfTime - scale), &digits)) {
    return MRC_NO_INTEGER;
  }
  const bool fits = digits > INT64_MIN && digits <= INT64_MAX;
  return fits ? static_cast<i64>(digits) : MRC_NO_INTEGER;
}

// True if the number is present and cannot become a word of the kind.
bool is_refused(Kind kind, Number number) {
  if (kind == Kind::integer) return !is_integer(number);
  return kind == Kind::time && is_number(number) && nanoseconds_of(number) == MRC_NO_INTEGER;
}

}  // namespace

Bytes bucketed(const FieldExpr &expr, Bytes value, std::string *text) {
  text->clear();
  if (value.data() == nullptr || !expr.bucket->append(value, text)) return {};
  text->reserve(text->size() + kPadding);
  return *text;
}

FieldValues::FieldValues(std::span<const ValueColumn> columns, const WantedFields &wanted,
                         SelectedRecords *batch, BadRecordSink *bad)
    : batch_(*batch), bad_(bad), rows_(static_cast<size_t>(batch->capacity) * columns.size()) {
  for (const ValueColumn &column : columns) {
    values_.push_back({column,
                       column.is_number() && column.expr.computed
                           ? wanted.number_column(column.expr.field)
                           : wanted.column(column.expr.field),
                       reason_of(column),
                       column.expr.not_of_kind(),
                       {},
                       values_.size()});
    if (column.kind == Kind::text) {
      values_.back().texts.resize(static_cast<size_t>(batch->capacity));
    }
  }
}

void FieldValues::fill(const Chunk &chunk) {
  for (Values &values : values_) fill(chunk, &values);
}

void FieldValues::fill(const Chunk &chunk, Values *values) {
  switch (values->column.kind) {
    case Kind::number:
    case Kind::integer:
    case Kind::real:
    case Kind::time: return fill_numbers(chunk, *values);
    case Kind::text: return fill_texts(chunk, values);
    case Kind::position: return fill_positions(chunk, *values);
  }
}

void FieldValues::fill_positions(const Chunk &chunk, const Values &values) {
  const u64 start = position_of(chunk.source, chunk.offset);
  for_selected(values, [&](size_t i, u64 *word) {
    *word = start + static_cast<u64>(batch_.begin_of(i) - chunk.bytes.data());
  });
}

// Parses a column of numbers. A malformed number is reported and counts as missing.
void FieldValues::fill_numbers(const Chunk &chunk, const Values &values) {
  if (values.column.expr.computed) return take_computed_numbers(chunk, values);
  const Bytes *column = batch_.column(values.field);
  const bool plain = values.column.expr.bucket == nullptr;
  const Kind kind = values.column.kind;
  bool any_bad = false;
  for_selected(values, [&](size_t i, u64 *word) {
    const Bytes text = plain ? column[i] : bucketed(values.column.expr, column[i], &text_);
    *word = parse_number(text, &batch_.unescaped);
    const bool refused = text.data() == nullptr && !is_absent(column[i]);
    if (refused || (kind == Kind::integer && !is_integer(*word))) *word = kBadNumber;
    any_bad |= *word == kBadNumber;
  });
  if (any_bad) forget_bad_numbers(chunk, values);
  if (kind != Kind::number) convert_numbers(values);
}

// An integer column reports a number with a fraction as bad.
void FieldValues::take_computed_numbers(const Chunk &chunk, const Values &values) {
  const auto &numbers = batch_.numbers[values.field];
  const Kind kind = values.column.kind;
  for_selected(values, [&](size_t i, u64 *word) {
    const bool refused = is_refused(kind, numbers[i]);
    if (refused) {
      bad_->take_value(chunk, {batch_.records[i], {}, values.not_a_number.c_str()});
    }
    *word = refused ? kNoNumber : numbers[i];
  });
  if (kind != Kind::number) convert_numbers(values);
}

void FieldValues::forget_bad_numbers(const Chunk &chunk, const Values &values) {
  for_selected(values, [&](size_t i, u64 *word) {
    if (*word != kBadNumber) return;
    take_bad_value(chunk, values, i);
    *word = kNoNumber;
  });
}

// Converts to what reducers of plain integers, times or doubles expect.
void FieldValues::convert_numbers(const Values &values) {
  const auto convert_by = [&](auto word_of) {
    for_selected(values, [&](size_t, u64 *word) { *word = word_of(*word); });
  };
  if (values.column.kind == Kind::integer) return convert_by(integer_word);
  if (values.column.kind == Kind::real) return convert_by(real_word);
  convert_by([](Number seconds) { return static_cast<u64>(nanoseconds_of(seconds)); });
}

void FieldValues::fill_texts(const Chunk &chunk, Values *values) {
  const Bytes *column = batch_.column(values->field);
  const bool plain = values->column.expr.bucket == nullptr;
  mrc_text *kept_text = values->texts.data();
  for_selected(*values, [&](size_t i, u64 *word) {
    Bytes text = column[i];
    if (!plain && text.data() != nullptr) {
      text = kept(bucketed(values->column.expr, text, &text_));
      if (text.data() == nullptr && !is_absent(column[i])) take_bad_value(chunk, *values, i);
    }
    *kept_text = {text.data(), text.size()};
    *word = mrc_text_word(kept_text++);
  });
}

// Returns a copy that lives as long as the batch and is padded for over-reads.
Bytes FieldValues::kept(Bytes text) {
  return text.data() == nullptr ? Bytes() : keep_text(text, &batch_.unescaped);
}

void FieldValues::take_bad_value(const Chunk &chunk, const Values &values, size_t record) {
  const FieldExpr &expr = values.column.expr;
  const Bytes value = batch_.column(values.field)[record];
  const bool fits_bucket = !expr.bucket || bucketed(expr, value, &text_).data() != nullptr;
  const std::string &reason = fits_bucket ? values.not_a_number : values.not_of_kind;
  bad_->take_value(chunk, {batch_.records[record], value, reason.c_str()});
}

}  // namespace mrc
