// Values of fields and constants, and arithmetic.
#include "expr/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

class ConstantNumbers : public NumberValues {
 public:
  explicit ConstantNumbers(std::string_view text) : number_(parse_any_number(text, &arena_)) {}
  void fill(const FilterInput &, const Bits &, NumberColumnOf *out) const override {
    out->fill(number_);
  }
  std::optional<Number> constant() const override { return number_; }

 private:
  Arena arena_;
  const Number number_;
};

class ConstantTexts : public TextValues {
 public:
  explicit ConstantTexts(std::string text) : size_(text.size()), text_(std::move(text)) {
    text_.append(kPadding, '\0');
  }
  void fill(const FilterInput &, const Bits &, TextColumnOf *out) const override {
    out->fill(Bytes(text_).substr(0, size_));
  }

 private:
  const size_t size_;
  std::string text_;
};

class NoNumbers : public NumberValues {
 public:
  void fill(const FilterInput &, const Bits &, NumberColumnOf *out) const override {
    out->fill(kNoNumber);
  }
};
class NoTexts : public TextValues {
 public:
  void fill(const FilterInput &, const Bits &, TextColumnOf *out) const override {
    out->fill(Bytes());
  }
};

class FieldTexts : public TextValues {
 public:
  explicit FieldTexts(i64 field) : field_(field) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    const Bytes *values = input.column(field_);
    for_wanted(wanted, [&](size_t i) { (*out)[i] = values[i]; });
  }

 private:
  i64 field_;
};

class BucketTexts : public TextValues {
 public:
  BucketTexts(TextsPtr texts, std::shared_ptr<const Bucket> bucket, std::string reason)
      : texts_(std::move(texts)), bucket_(std::move(bucket)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    texts_->fill(input, wanted, out);
    std::string name;
    for_wanted(wanted, [&](size_t i) {
      name.clear();
      const Bytes text = (*out)[i];
      const bool fits = text.data() != nullptr && bucket_->append(text, &name);
      if (!fits && !is_absent(text)) [[unlikely]]
        no_number(input, i, text, reason_);
      (*out)[i] = fits ? keep_text(name, input.arena) : Bytes();
    });
  }

 private:
  TextsPtr texts_;
  std::shared_ptr<const Bucket> bucket_;
  std::string reason_;
};

class FieldNumbers : public NumberValues {
 public:
  FieldNumbers(Operand operand, std::string reason)
      : operand_(std::move(operand)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const Bytes *values = input.column(operand_.field);
    for_wanted(wanted, [&](size_t i) {
      (*out)[i] = values[i].data() == nullptr ? kNoNumber : parse_number(values[i], input.arena);
      if ((*out)[i] == kBadNumber) [[unlikely]] {
        (*out)[i] = no_number(input, i, values[i], reason_);
      }
    });
  }

 private:
  Operand operand_;
  std::string reason_;
};

class ParsedNumbers : public NumberValues {
 public:
  ParsedNumbers(TextsPtr texts, std::string reason)
      : texts_(std::move(texts)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    auto *texts = new_column<TextColumnOf>(input.arena);
    texts_->fill(input, wanted, texts);
    for_wanted(wanted, [&](size_t i) {
      const Bytes text = (*texts)[i];
      (*out)[i] = text.data() == nullptr ? kNoNumber : parse_number(text, input.arena);
      if ((*out)[i] == kBadNumber) [[unlikely]] {
        (*out)[i] = no_number(input, i, text, reason_);
      }
    });
  }

 private:
  TextsPtr texts_;
  std::string reason_;
};

class NumberTexts : public TextValues {
 public:
  explicit NumberTexts(NumbersPtr numbers) : numbers_(std::move(numbers)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    auto *numbers = new_column<NumberColumnOf>(input.arena);
    numbers_->fill(input, wanted, numbers);
    std::string text;
    for_wanted(wanted, [&](size_t i) {
      text.clear();
      append_number((*numbers)[i], &text);
      (*out)[i] = is_number((*numbers)[i]) ? keep_text(text, input.arena) : Bytes();
    });
  }

 private:
  NumbersPtr numbers_;
};

class TruthNumbers : public NumberValues {
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

// What a column takes from the other operand: a column, or the same number for all records.
struct EachRecord {
  const NumberColumnOf &numbers;
  MRC_INLINE Number operator[](size_t i) const { return numbers[i]; }
};
struct AllRecords {
  Number number;
  MRC_INLINE Number operator[](size_t) const { return number; }
};

template <auto kCompute>
class Arithmetic : public NumberValues {
 public:
  Arithmetic(NumbersPtr left, NumbersPtr right, std::string reason)
      : left_(std::move(left)), right_(std::move(right)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    left_->fill(input, wanted, out);
    if (const std::optional<Number> number = right_->constant()) {
      return compute(input, wanted, AllRecords{*number}, out);
    }
    auto *right = new_column<NumberColumnOf>(input.arena);
    right_->fill(input, wanted, right);
    compute(input, wanted, EachRecord{*right}, out);
  }

 private:
  template <typename Right>
  void compute(const FilterInput &input, const Bits &wanted, Right right,
               NumberColumnOf *out) const {
    for_wanted(wanted, [&](size_t i) {
      (*out)[i] = kCompute((*out)[i], right[i], input.arena);
      if ((*out)[i] == kBadNumber) [[unlikely]] {
        std::string text;
        append_number(right[i], &text);
        (*out)[i] = no_number(input, i, keep_text(text, input.arena), reason_);
      }
    });
  }

  NumbersPtr left_, right_;
  std::string reason_;
};

}  // namespace

NumbersPtr make_constant_numbers(std::string_view text) {
  return std::make_unique<ConstantNumbers>(text);
}
TextsPtr make_constant_texts(std::string text) {
  return std::make_unique<ConstantTexts>(std::move(text));
}
NumbersPtr make_no_numbers() { return std::make_unique<NoNumbers>(); }
TextsPtr make_no_texts() { return std::make_unique<NoTexts>(); }
NumbersPtr make_field_numbers(Operand operand, std::string reason) {
  if (operand.bucket == nullptr) {
    return std::make_unique<FieldNumbers>(std::move(operand), std::move(reason));
  }
  return make_parsed_numbers(make_field_texts(std::move(operand)), std::move(reason));
}
TextsPtr make_field_texts(Operand operand) {
  TextsPtr texts = std::make_unique<FieldTexts>(operand.field);
  if (operand.bucket == nullptr) return texts;
  return make_bucket_texts(std::move(texts), std::move(operand.bucket), std::move(operand.misfit));
}
TextsPtr make_bucket_texts(TextsPtr texts, std::shared_ptr<const Bucket> bucket,
                           std::string reason) {
  return std::make_unique<BucketTexts>(std::move(texts), std::move(bucket), std::move(reason));
}
NumbersPtr make_parsed_numbers(TextsPtr texts, std::string reason) {
  return std::make_unique<ParsedNumbers>(std::move(texts), std::move(reason));
}
TextsPtr make_number_texts(NumbersPtr numbers) {
  return std::make_unique<NumberTexts>(std::move(numbers));
}
NumbersPtr make_truth_numbers(ConditionPtr condition) {
  return std::make_unique<TruthNumbers>(std::move(condition));
}

NumbersPtr make_arithmetic(char sign, NumbersPtr left, NumbersPtr right, const std::string &typed) {
  std::string reason = fmt::format("{} is too large", typed);
  switch (sign) {
    case '+':
      return std::make_unique<Arithmetic<add>>(std::move(left), std::move(right),
                                               std::move(reason));
    case '-':
      return std::make_unique<Arithmetic<subtract>>(std::move(left), std::move(right),
                                                    std::move(reason));
    case '*':
      return std::make_unique<Arithmetic<multiply>>(std::move(left), std::move(right),
                                                    std::move(reason));
    default: break;
  }
  reason = fmt::format("{} has no result: the divisor", typed);
  if (sign == '%') {
    return std::make_unique<Arithmetic<modulo>>(std::move(left), std::move(right),
                                                std::move(reason));
  }
  return std::make_unique<Arithmetic<divide>>(std::move(left), std::move(right), std::move(reason));
}

std::string reason_not_a_number(const Expression &value, const Expression &user) {
  const std::string name = value.field.field.number < 0 ? value.typed : "field " + value.typed;
  if (value.typed == user.typed) return fmt::format("{} is not a number", name);
  return fmt::format("{} in {} is not a number", name, user.typed);
}

Result<std::unique_ptr<Regex>> compile_regex(const std::string &pattern) {
  Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, {});
  if (regex.is_ok()) return regex;
  return Status::error(
      fmt::format("\"{}\" is not a regular expression: {}", pattern, regex.status().message()));
}

}  // namespace mrc
