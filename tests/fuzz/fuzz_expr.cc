// Expressions and what they are asked about. The input is lines: a field with its bucket, a
// --where expression, which is tried as any expression, too, a --since and a --until, a zone, and
// the bytes of a value. None of them may crash; what is accepted keeps its promises. The field is
// sorted by, too.
#include "base/number.h"
#include "combine/aggregates.h"
#include "expr/expression_items.h"
#include "expr/inner/compiler.h"
#include "map/sort_key.h"

#include <cstdlib>
#include <memory>
#include <numeric>

namespace {

using namespace mrc;

void expect(bool holds) {
  if (!holds) std::abort();
}

Bytes take_line(Bytes *left) {
  const Bytes line = left->substr(0, left->find('\n'));
  left->remove_prefix(std::min(line.size() + 1, left->size()));
  return line;
}

// Both ways to read a number agree, and what is printed of it is that number again.
void check_number(Bytes value) {
  Arena arena;
  const Number number = parse_number(value, &arena);
  const Number slowly = parse_any_number(value, &arena);
  expect(is_number(number) ? compare_numbers(number, slowly) == 0 : number == slowly);
  if (!is_number(number)) return;
  std::string text;
  append_number(number, &text);
  text.append(kPadding, '7');
  const Number again = parse_number(Bytes(text.data(), text.size() - kPadding), &arena);
  __int128 digits;
  i64 scale;
  expect(is_number(again) && to_double(number) == to_double(again));
  expect(compare_numbers(number, again) == 0 || !to_decimal(number, &digits, &scale));
}

void check_time(Bytes value, const Clock &clock) {
  const std::optional<i64> time = parse_time(value, clock);
  if (!time) return;
  // The bucket of its second is named so that it reads as that second.
  std::string name;
  expect((*parse_bucket("second", clock))->append(value, &name));
  const std::optional<i64> second = parse_time(name, clock);
  expect(second && *second <= *time && *time - *second < 1'000'000'000);
}

void check_filter(Bytes where, Bytes since, Bytes until, const Clock &clock, Bytes value) {
  const auto filter = make_filter(where, since, until, clock);
  if (!filter.is_ok()) {
    expect(filter.status().message().find('\n') == std::string::npos);
    return;
  }
  if (*filter == nullptr) return;
  const auto batch = std::make_unique<RecordBatch>();
  batch->size = 3;
  batch->fields.resize((*filter)->fields().size());
  for (RecordBatch::Column &column : batch->fields) {
    column[0] = value;
    column[1] = value.substr(value.size() / 2);
  }
  std::vector<size_t> columns(batch->fields.size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  std::vector<BadValue> bad;
  expect(((*filter)->select(batch.get(), columns, &bad) >> 3).none());
}

// Any expression is refused, or computed the same way as text and as numbers.
void check_expression(Bytes text, const Clock &clock, Bytes value) {
  Result<Expression> expression = parse_expression(text, {clock});
  if (!expression.is_ok()) return;
  const Result<FieldExpr> field = computed_field("x", std::move(*expression), clock);
  if (!field.is_ok()) return;
  const auto batch = std::make_unique<RecordBatch>();
  batch->size = 3;
  batch->fields.resize(field->computed->fields().size());
  std::vector<size_t> columns(batch->fields.size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  for (RecordBatch::Column &column : batch->fields) {
    column[0] = value;
    column[1] = value.substr(value.size() / 2);
  }
  std::vector<BadValue> bad;
  const FilterInput input{*batch, columns, &batch->unescaped, &bad};
  auto *texts = new_column<TextColumnOf>(&batch->unescaped);
  field->computed->texts().fill(input, first_bits(3), texts);
  if (field->computed->numbers() == nullptr) return;
  auto *numbers = new_column<NumberColumnOf>(&batch->unescaped);
  field->computed->numbers()->fill(input, first_bits(3), numbers);
  for (size_t i = 0; i < 3; ++i) {
    std::string number;
    append_number((*numbers)[i], &number);
    if (field->is_number()) expect(Bytes(number) == (*texts)[i]);
  }
}

// No key is the prefix of another.
void check_sort(Bytes field, const Clock &clock, Bytes value) {
  const auto exprs = parse_sort_exprs(field, clock);
  if (!exprs.is_ok()) return;
  const FieldSort sort = *FieldSort::make(*exprs, clock);
  WantedFields wanted(nullptr);
  for (const FieldExpr &expr : sort.fields()) wanted.add(expr);
  SortExprEncoder encoder(sort, wanted);
  const auto batch = std::make_unique<SelectedRecords>();
  batch->size = 2;
  batch->fields.resize(wanted.names().size());
  for (RecordBatch::Column &column : batch->fields) {
    column[0] = value;
    column[1] = value.substr(value.size() / 2);
  }
  batch->texts.resize(wanted.computed_texts().size());
  for (size_t i = 0; i < batch->texts.size(); ++i) {
    const ComputedField &computed = *wanted.computed_texts()[i].computed;
    std::vector<size_t> columns;
    for (const FieldName &name : computed.fields()) columns.push_back(wanted.column(name));
    const FilterInput input{*batch, columns, &batch->unescaped, nullptr};
    computed.texts().fill(input, first_bits(2), &batch->texts[i]);
  }
  std::string whole, half;
  encoder.append(*batch, 0, &whole);
  encoder.append(*batch, 1, &half);
  expect(whole == half || (!whole.starts_with(half) && !half.starts_with(whole)));
}

// Lists of expressions and names are cut into items, of which the same list can be made again.
void check_items(Bytes text, const Clock &clock) {
  for (const bool aggregates : {false, true}) {
    const ExpressionTerms terms{clock, {}, aggregates ? is_aggregate : nullptr};
    const Result<std::vector<std::string>> items = split_items(text);
    if (!items.is_ok()) continue;
    size_t bytes = items->size() - 1;
    for (const std::string &item : *items) {
      bytes += item.size();
      const Result<ListItem> parsed = parse_item(item, terms);
      expect(!parsed.is_ok() || parsed->text == item);
    }
    expect(bytes <= text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  Bytes left = text;
  const Bytes field = take_line(&left), where = take_line(&left), since = take_line(&left),
              until = take_line(&left), zone = take_line(&left);
  const std::string padded = std::string(left) + std::string(kPadding, '7');
  const Bytes value(padded.data(), left.size());
  Clock clock = {.zone = std::string(zone), .year_of_now = 2015, .month_of_now = 9};
  // Names of zones are names of files: only offsets are tried.
  if (!zone.starts_with('+') && !zone.starts_with('-')) clock.zone = "";
  if (!check_clock(clock).is_ok()) return 0;
  if (const auto fields = parse_fields(field, clock); fields.is_ok()) {
    for (const FieldExpr &expr : *fields) {
      std::string name;
      if (expr.bucket != nullptr && !expr.bucket->append(value, &name)) expect(name.empty());
    }
  }
  check_number(value);
  check_time(value, clock);
  check_filter(where, since, until, clock, value);
  check_expression(where, clock, value);
  check_sort(field, clock, value);
  check_items(field, clock);
  check_items(where, clock);
  return 0;
}
