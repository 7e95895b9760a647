// Values of fields and constants, and arithmetic.
#include "expr/inner/value_nodes.h"

#include "expr/computed_field.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Values that are stored in a column, which stored(input) returns.
template <typename Value, typename Stored>
class StoredValues : public Values<Value> {
 public:
  explicit StoredValues(Stored stored) : stored_(std::move(stored)) {}
  void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const override {
    const Value *values = stored_(input);
    for_wanted(wanted, [&](size_t i) { (*out)[i] = values[i]; });
  }
  const Value *read(const FilterInput &input, const Bits &, ColumnOf<Value> *) const override {
    return stored_(input);
  }

 private:
  Stored stored_;
};
template <typename Value, typename Stored>
ValuesPtr<Value> make_stored(Stored stored) {
  return std::make_unique<StoredValues<Value, Stored>>(std::move(stored));
}

// Makes a value that is equal for all records; `memory` is what it refers to.
template <typename Value>
ValuesPtr<Value> make_same(Value value, std::shared_ptr<const void> memory) {
  std::vector<Value> column(RecordBatch::kCapacity, value);
  return make_stored<Value>([column = std::move(column), memory = std::move(memory)](
                                const FilterInput &) { return column.data(); });
}

class FieldTexts : public Values<Bytes> {
 public:
  explicit FieldTexts(i64 field) : field_(field) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    const Bytes *values = input.column(field_);
    for_wanted(wanted, [&](size_t i) { (*out)[i] = values[i]; });
  }
  const Bytes *read(const FilterInput &input, const Bits &, TextColumnOf *) const override {
    return input.column(field_);
  }
  i64 field() const override { return field_; }

 private:
  i64 field_;
};

const Values<Number> &values_of(const ComputedField &field, Number) { return *field.numbers(); }
const Values<Bytes> &values_of(const ComputedField &field, Bytes) { return field.texts(); }

// Makes arithmetic of two numbers. A bad result is noted with the right number, and missing.
template <auto kCompute>
NumbersPtr make_operation(NumbersPtr left, NumbersPtr right, std::string reason) {
  auto rule = [reason = std::move(reason)](const Here &here, Number a, Number b) {
    const Number result = kCompute(a, b, here.arena());
    if (result != kBadNumber) [[likely]]
      return result;
    std::string text;
    append_number(b, &text);
    here.note(keep_text(text, here.arena()), reason);
    return kNoNumber;
  };
  return make_values(std::move(rule), std::move(left), std::move(right));
}

}  // namespace

NumbersPtr make_constant_numbers(std::string_view text) {
  const auto arena = std::make_shared<Arena>();
  return make_same(parse_any_number(text, arena.get()), arena);
}
TextsPtr make_constant_texts(std::string text) {
  const size_t size = text.size();
  const auto padded = std::make_shared<std::string>(std::move(text));
  padded->append(kPadding, '\0');
  return make_same(Bytes(*padded).substr(0, size), padded);
}
template <typename Value>
ValuesPtr<Value> make_nothing() {
  return make_same(kNothing<Value>, nullptr);
}
template NumbersPtr make_nothing<Number>();
template TextsPtr make_nothing<Bytes>();

TextsPtr make_field_texts(i64 field) { return std::make_unique<FieldTexts>(field); }

// Computes the records that no earlier use has computed, and copies those that this use wants.
template <typename Value>
ValuesPtr<Value> make_named(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  return make_filled<Value>([of = std::move(of), fields = std::move(fields)](
                                const FilterInput &input, const Bits &wanted, auto *out) {
    std::vector<size_t> columns;
    for (const i64 field : fields) columns.push_back(input.columns[static_cast<size_t>(field)]);
    const FilterInput own{input.batch, columns, input.arena, input.bad, input.cache};
    const Values<Value> &values = values_of(*of, Value());
    if (input.cache == nullptr) return values.fill(own, wanted, out);
    auto *entry = input.cache->of<Value>(of.get());
    if (entry->column == nullptr) entry->column = new_column<ColumnOf<Value>>(input.arena);
    const Bits missing = without(wanted, entry->done);
    if (!is_empty(missing)) values.fill(own, missing, entry->column);
    for (size_t w = 0; w < Bits::kWords; ++w) entry->done.words[w] |= wanted.words[w];
    for_wanted(wanted, [&](size_t i) { (*out)[i] = (*entry->column)[i]; });
  });
}
template NumbersPtr make_named(std::shared_ptr<const ComputedField> of, std::vector<i64> fields);
template TextsPtr make_named(std::shared_ptr<const ComputedField> of, std::vector<i64> fields);

TextsPtr make_bucket_texts(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                           std::string reason) {
  auto rule = [bucket = std::move(bucket)](const Here &here, Bytes text) {
    return here.text_by([&](std::string *name) { return bucket->append(text, name); });
  };
  return make_values(Noted(std::move(reason), std::move(rule)), std::move(texts));
}

NumbersPtr make_parsed_numbers(TextsPtr texts, std::string reason) {
  const auto parse = [](const Here &here, Bytes text) { return parse_number(text, here.arena()); };
  return make_values(Noted(std::move(reason), parse), std::move(texts));
}

TextsPtr make_number_texts(NumbersPtr numbers) {
  const auto write = [](const Here &here, Number number) {
    return here.text_by([number](std::string *text) {
      append_number(number, text);
      return is_number(number);
    });
  };
  return make_values(write, std::move(numbers));
}

NumbersPtr make_truth_numbers(ConditionPtr condition) {
  return make_filled<Number>(
      [condition = std::move(condition)](const FilterInput &input, const Bits &wanted, auto *out) {
        const Bits holds = condition->select(input, wanted);
        for_wanted(wanted, [&](size_t i) {
          (*out)[i] = make_number(static_cast<i64>(holds.words[i / 64] >> (i % 64) & 1), 0);
        });
      });
}

NumbersPtr make_arithmetic(char sign, NumbersPtr left, NumbersPtr right, const std::string &typed) {
  const bool divides = sign == '/' || sign == '%';
  std::string reason =
      fmt::format("{} {}", typed, divides ? "has no result: the divisor" : "is too large");
  const auto make = sign == '+'   ? make_operation<add>
                    : sign == '-' ? make_operation<subtract>
                    : sign == '*' ? make_operation<multiply>
                    : sign == '/' ? make_operation<divide>
                                  : make_operation<modulo>;
  return make(std::move(left), std::move(right), std::move(reason));
}

}  // namespace mrc
