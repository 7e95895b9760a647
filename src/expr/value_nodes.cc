// Values of fields and constants, and arithmetic.
#include "expr/inner/value_nodes.h"

#include "expr/computed_field.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// A value that is equal for all records, with its memory.
template <typename Value>
class Same : public Values<Value> {
 public:
  Same(Value value, std::shared_ptr<const void> memory)
      : value_(value), memory_(std::move(memory)) {}
  void fill(const FilterInput &, const Bits &, ColumnOf<Value> *out) const override {
    out->fill(value_);
  }
  std::optional<Value> constant() const override { return value_; }

 private:
  Value value_;
  std::shared_ptr<const void> memory_;
};

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

 private:
  i64 field_;
};

const Values<Number> &values_of(const ComputedField &field, Number) { return *field.numbers(); }
const Values<Bytes> &values_of(const ComputedField &field, Bytes) { return field.texts(); }

// Computes the records that no earlier use has computed, and copies those that this use wants.
template <typename Value>
class NamedValues : public Values<Value> {
 public:
  NamedValues(std::shared_ptr<const ComputedField> of, std::vector<i64> fields)
      : of_(std::move(of)), fields_(std::move(fields)) {}
  void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const override {
    std::vector<size_t> columns;
    for (const i64 field : fields_) columns.push_back(input.columns[static_cast<size_t>(field)]);
    const FilterInput own{input.batch, columns, input.arena, input.bad, input.cache};
    const Values<Value> &values = values_of(*of_, Value());
    if (input.cache == nullptr) return values.fill(own, wanted, out);
    auto *entry = input.cache->of<Value>(of_.get());
    if (entry->column == nullptr) entry->column = new_column<ColumnOf<Value>>(input.arena);
    const Bits missing = without(wanted, entry->done);
    if (!is_empty(missing)) values.fill(own, missing, entry->column);
    for (size_t w = 0; w < Bits::kWords; ++w) entry->done.words[w] |= wanted.words[w];
    for_wanted(wanted, [&](size_t i) { (*out)[i] = (*entry->column)[i]; });
  }

 private:
  std::shared_ptr<const ComputedField> of_;
  std::vector<i64> fields_;  // its fields, as numbers of the fields of the expression that names it
};

class TruthNumbers : public Values<Number> {
 public:
  explicit TruthNumbers(ConditionPtr condition) : condition_(std::move(condition)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const Bits holds = condition_->select(input, wanted);
    for_wanted(wanted, [&](size_t i) {
      (*out)[i] = make_number(static_cast<i64>(holds.words[i / 64] >> (i % 64) & 1), 0);
    });
  }

 private:
  ConditionPtr condition_;
};

// The operand of a column: another column, or one number for all records.
struct EachRecord {
  const Number *numbers;
  MRC_INLINE Number operator[](size_t i) const { return numbers[i]; }
};
struct AllRecords {
  Number number;
  MRC_INLINE Number operator[](size_t) const { return number; }
};

template <auto kCompute>
class Arithmetic : public Values<Number> {
 public:
  Arithmetic(NumbersPtr left, NumbersPtr right, std::string reason)
      : left_(std::move(left)), right_(std::move(right)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    left_->fill(input, wanted, out);
    if (const std::optional<Number> number = right_->constant()) {
      return compute(input, wanted, AllRecords{*number}, out);
    }
    auto *spare = new_column<NumberColumnOf>(input.arena);
    compute(input, wanted, EachRecord{right_->read(input, wanted, spare)}, out);
  }

 private:
  template <typename Right>
  void compute(const FilterInput &input, const Bits &wanted, Right right,
               NumberColumnOf *out) const {
    for_wanted(wanted, [&](size_t i) {
      (*out)[i] = kCompute((*out)[i], right[i], input.arena);
      if ((*out)[i] != kBadNumber) [[likely]]
        return;
      std::string text;
      append_number(right[i], &text);
      Here{input, i}.note(keep_text(text, input.arena), reason_);
      (*out)[i] = kNoNumber;
    });
  }

  NumbersPtr left_, right_;
  std::string reason_;
};

}  // namespace

NumbersPtr make_constant_numbers(std::string_view text) {
  const auto arena = std::make_shared<Arena>();
  return std::make_unique<Same<Number>>(parse_any_number(text, arena.get()), arena);
}
TextsPtr make_constant_texts(std::string text) {
  const size_t size = text.size();
  const auto padded = std::make_shared<std::string>(std::move(text));
  padded->append(kPadding, '\0');
  return std::make_unique<Same<Bytes>>(Bytes(*padded).substr(0, size), padded);
}
template <typename Value>
ValuesPtr<Value> make_nothing() {
  return std::make_unique<Same<Value>>(kNothing<Value>, nullptr);
}
template NumbersPtr make_nothing<Number>();
template TextsPtr make_nothing<Bytes>();

TextsPtr make_field_texts(i64 field) { return std::make_unique<FieldTexts>(field); }

template <typename Value>
ValuesPtr<Value> make_named(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  return std::make_unique<NamedValues<Value>>(std::move(of), std::move(fields));
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
  return std::make_unique<TruthNumbers>(std::move(condition));
}

NumbersPtr make_arithmetic(char sign, NumbersPtr left, NumbersPtr right, const std::string &typed) {
  const auto make = [&]<auto kCompute>(std::string_view why) -> NumbersPtr {
    return std::make_unique<Arithmetic<kCompute>>(std::move(left), std::move(right),
                                                  fmt::format("{} {}", typed, why));
  };
  switch (sign) {
    case '+': return make.operator()<add>("is too large");
    case '-': return make.operator()<subtract>("is too large");
    case '*': return make.operator()<multiply>("is too large");
    case '%': return make.operator()<modulo>("has no result: the divisor");
    default: return make.operator()<divide>("has no result: the divisor");
  }
}

}  // namespace mrc
