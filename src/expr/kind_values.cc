#include "expr/kind_values.h"

#include "expr/level.h"
#include "expr/literal_relation.h"
#include "expr/units.h"
#include "expr/value_nodes.h"
#include "expr/version.h"
#include "fields/level_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace mrc {
namespace {

Number seconds_of(i64 nanoseconds, Arena *arena) {
  i64 scale = 9;
  for (; scale > 0 && nanoseconds % 10 == 0; --scale) nanoseconds /= 10;
  return decimal_number(nanoseconds, scale, arena);
}

Number number_of_text(const std::optional<std::string> &digits, Arena *arena) {
  return digits ? parse_any_number(*digits, arena) : kBadNumber;
}

Number read_truth(Bytes text) {
  const auto is = [text](Bytes word) {
    return std::ranges::equal(text, word, {}, [](char c) { return static_cast<char>(c | 0x20); });
  };
  if (text == "1" || is("true")) return make_number(1, 0);
  return text == "0" || is("false") ? make_number(0, 0) : kBadNumber;
}

// A text with a unit; a plain number if the unit of the field is known.
Number read_duration_value(Bytes text, i64 unit_ns, Arena *arena) {
  const Number number = unit_ns == 0 ? kBadNumber : parse_number(text, arena);
  if (!is_number(number)) return number_of_text(read_duration(text), arena);
  return multiply(number, seconds_of(unit_ns, arena), arena);
}

class KindNumbers : public NumberValues {
 public:
  KindNumbers(TextsPtr texts, const KindReader &reader, std::string reason)
      : texts_(std::move(texts)), reader_(reader), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    auto *texts = new_column<TextColumnOf>(input.arena);
    texts_->fill(input, wanted, texts);
    for_wanted(wanted, [&](size_t i) {
      const Bytes text = (*texts)[i];
      (*out)[i] = reader_.read(text, input.arena);
      if ((*out)[i] == kBadNumber && !reason_.empty()) [[unlikely]] {
        (*out)[i] = no_number(input, i, text, reason_);
      }
    });
  }

 private:
  TextsPtr texts_;
  KindReader reader_;
  std::string reason_;
};

class Times : public NumberValues {
 public:
  Times(NumbersPtr seconds, std::string reason)
      : seconds_(std::move(seconds)), reason_(std::move(reason)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    seconds_->fill(input, wanted, out);
    constexpr i64 kMost = std::numeric_limits<i64>::max() / kSecond;
    for_wanted(wanted, [&](size_t i) {
      const Number number = (*out)[i];
      if (!is_number(number)) return;
      const bool is_time = compare_numbers(number, make_number(-kMost, 0)) >= 0 &&
                           compare_numbers(number, make_number(kMost, 0)) <= 0;
      if (is_time) [[likely]]
        return;
      std::string text;
      append_number(number, &text);
      (*out)[i] = no_number(input, i, keep_text(text, input.arena), reason_);
    });
  }

 private:
  NumbersPtr seconds_;
  std::string reason_;
};

class TimeTexts : public TextValues {
 public:
  TimeTexts(NumbersPtr seconds, const TimeContext &context)
      : seconds_(std::move(seconds)), context_(context) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    auto *numbers = new_column<NumberColumnOf>(input.arena);
    seconds_->fill(input, wanted, numbers);
    std::string text;
    for_wanted(wanted, [&](size_t i) {
      text.clear();
      (*out)[i] = Bytes();
      const Number nanoseconds = multiply((*numbers)[i], make_number(kSecond, 0), input.arena);
      __int128 time = 0;
      const Number whole = rounded(nanoseconds, 0, Rounding::nearest, input.arena);
      if (!is_number(nanoseconds) || !is_whole(whole, &time) || !is_time(time)) return;
      append_time(static_cast<i64>(time), context_, &text);
      (*out)[i] = keep_text(text, input.arena);
    });
  }

 private:
  static bool is_time(__int128 time) {
    return time >= std::numeric_limits<i64>::min() && time <= std::numeric_limits<i64>::max();
  }

  NumbersPtr seconds_;
  TimeContext context_;
};

Bytes key_of_address(Bytes text, Arena *arena) {
  const std::optional<AddressKey> key = first_address(text);
  if (!key) return {};
  return keep_text({reinterpret_cast<const char *>(key->data()), key->size()}, arena);
}

Bytes key_of_version(Bytes text, Arena *arena) {
  const std::optional<std::string> key = version_key(text);
  return key ? keep_text(*key, arena) : Bytes();
}

// The key of text that does not fit begins with a byte that no key begins with.
template <auto kKeyOf>
class OrderKeys : public TextValues {
 public:
  OrderKeys(TextsPtr texts, std::string reason, bool is_left)
      : texts_(std::move(texts)), reason_(std::move(reason)), other_(is_left ? '\xFE' : '\xFF') {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    texts_->fill(input, wanted, out);
    for_wanted(wanted, [&](size_t i) {
      const Bytes text = (*out)[i];
      (*out)[i] = is_absent(text) ? Bytes() : kKeyOf(text, input.arena);
      if (is_absent(text) || (*out)[i].data() != nullptr) return;
      if (reason_.empty()) {
        (*out)[i] = keep_text(other_ + std::string(text), input.arena);
      } else {
        no_number(input, i, text, reason_);
      }
    });
  }

 private:
  TextsPtr texts_;
  std::string reason_;
  char other_;  // in front of what is no address
};

// A relation to all from `first` on that is less than `end`.
class SpanRelation {
 public:
  SpanRelation(Relation relation, const std::string &first, const std::string &end)
      : relation_(relation) {
    const Number begin = parse_any_number(first, &arena_), after = parse_any_number(end, &arena_);
    const bool is_one = first == end;
    const auto add = [this](Relation each, Number literal) {
      relations_.emplace_back(each, literal);
    };
    switch (relation) {
      case Relation::equal:
      case Relation::unequal:
        add(Relation::at_least, begin);
        add(is_one ? Relation::at_most : Relation::less, after);
        break;
      case Relation::less: add(Relation::less, begin); break;
      case Relation::at_most: add(is_one ? Relation::at_most : Relation::less, after); break;
      case Relation::greater: add(is_one ? Relation::greater : Relation::at_least, after); break;
      case Relation::at_least: add(Relation::at_least, begin); break;
    }
  }
  bool holds(Number number) const {
    if (number == kBadNumber) return relation_ == Relation::unequal;
    if (!is_number(number)) return false;
    const bool inside = std::ranges::all_of(
        relations_, [number](const LiteralRelation &each) { return each.holds(number); });
    return inside != (relation_ == Relation::unequal);
  }

 private:
  Relation relation_;
  Arena arena_;
  std::vector<LiteralRelation> relations_;
};

class SpanComparison : public Condition {
 public:
  SpanComparison(NumbersPtr numbers, Relation relation, const std::string &first,
                 const std::string &end)
      : numbers_(std::move(numbers)), relation_(relation, first, end) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    auto *numbers = new_column<NumberColumnOf>(input.arena);
    numbers_->fill(input, wanted, numbers);
    return select_if(wanted,
                     [&](i64 i) { return relation_.holds((*numbers)[static_cast<size_t>(i)]); });
  }

 private:
  NumbersPtr numbers_;
  SpanRelation relation_;
};

class TimeComparison : public Condition {
 public:
  TimeComparison(Operand operand, const TimeContext &context, Relation relation, TimeSpan span,
                 std::string reason)
      : field_(operand.field), context_(context), reason_(std::move(reason)) {
    if (operand.bucket != nullptr) names_ = make_field_texts(std::move(operand));
    constexpr i64 kFirst = std::numeric_limits<i64>::min(), kEnd = std::numeric_limits<i64>::max();
    const i64 end = span.end + span.is_instant();
    outside_ = relation == Relation::unequal;
    const bool from_begin =
        relation == Relation::equal || outside_ || relation == Relation::at_least;
    const bool to_end = relation == Relation::equal || outside_ || relation == Relation::at_most;
    begin_ = from_begin ? span.begin : relation == Relation::greater ? end : kFirst;
    end_ = to_end ? end : relation == Relation::less ? span.begin : kEnd;
  }
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    if (names_ == nullptr) {
      const Bytes *values = input.column(field_);
      return select_if(wanted, [&](i64 i) { return holds(values[i], i, input); });
    }
    TextColumnOf *values = new_column<TextColumnOf>(input.arena);
    names_->fill(input, wanted, values);
    return select_if(wanted,
                     [&](i64 i) { return holds((*values)[static_cast<size_t>(i)], i, input); });
  }

 private:
  bool holds(Bytes value, i64 record, const FilterInput &input) const {
    if (is_absent(value)) return false;
    const std::optional<i64> time = read_time(value, context_);
    if (time) [[likely]]
      return (*time >= begin_ && *time < end_) != outside_;
    if (!reason_.empty()) no_number(input, static_cast<size_t>(record), value, reason_);
    return outside_;
  }

  i64 field_;
  TextsPtr names_;  // of a bucket; null: the values of the field
  TimeContext context_;
  i64 begin_, end_;
  bool outside_;
  std::string reason_;
};

class RangeComparison : public Condition {
 public:
  RangeComparison(TextsPtr keys, Relation relation, const AddressRange &range)
      : keys_(std::move(keys)), relation_(relation), range_(range) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    auto *keys = new_column<TextColumnOf>(input.arena);
    keys_->fill(input, wanted, keys);
    const Bytes first = bytes_of(range_.first), last = bytes_of(range_.last);
    return select_if(wanted, [&](i64 i) {
      const Bytes key = (*keys)[static_cast<size_t>(i)];
      if (key.data() == nullptr) return false;
      // Before, within or after the range.
      return holds_for(relation_, key < first ? -1 : key > last ? 1 : 0);
    });
  }

 private:
  static Bytes bytes_of(const AddressKey &key) {
    return {reinterpret_cast<const char *>(key.data()), key.size()};
  }

  TextsPtr keys_;
  Relation relation_;
  AddressRange range_;
};

}  // namespace

Number KindReader::read(Bytes text, Arena *arena) const {
  if (is_absent(text)) return kNoNumber;
  switch (kind) {
    case ValueKind::time: {
      const std::optional<i64> time = read_time(text, context);
      return time ? seconds_of(*time, arena) : kBadNumber;
    }
    case ValueKind::duration: return read_duration_value(text, unit_ns, arena);
    case ValueKind::level: {
      const std::optional<i64> rank = level_rank(usual_level(levels, text));
      return rank ? make_number(*rank, 0) : kBadNumber;
    }
    case ValueKind::truth: return read_truth(text);
    default: return parse_number(text, arena);
  }
}

NumbersPtr make_kind_numbers(TextsPtr texts, const KindReader &reader, std::string reason) {
  return std::make_unique<KindNumbers>(std::move(texts), reader, std::move(reason));
}

std::string reason_no_time(const Expression &call) {
  return fmt::format("{} is not in the years 1678 to 2261", call.typed);
}

NumbersPtr make_times(NumbersPtr seconds, std::string reason) {
  return std::make_unique<Times>(std::move(seconds), std::move(reason));
}

TextsPtr make_time_texts(NumbersPtr seconds, const TimeContext &context) {
  return std::make_unique<TimeTexts>(std::move(seconds), context);
}

TextsPtr make_order_keys(ValueKind kind, TextsPtr texts, std::string reason, bool is_left) {
  if (kind == ValueKind::version) {
    return std::make_unique<OrderKeys<key_of_version>>(std::move(texts), std::move(reason),
                                                       is_left);
  }
  return std::make_unique<OrderKeys<key_of_address>>(std::move(texts), std::move(reason), is_left);
}

ConditionPtr make_constant_comparison(NumbersPtr numbers, Relation relation,
                                      const std::string &digits) {
  return std::make_unique<SpanComparison>(std::move(numbers), relation, digits, digits);
}

ConditionPtr make_span_comparison(NumbersPtr seconds, Relation relation, TimeSpan span) {
  return std::make_unique<SpanComparison>(std::move(seconds), relation, seconds_text(span.begin),
                                          seconds_text(span.end));
}

ConditionPtr make_time_comparison(Operand operand, const TimeContext &context, Relation relation,
                                  TimeSpan span, std::string reason) {
  return std::make_unique<TimeComparison>(std::move(operand), context, relation, span,
                                          std::move(reason));
}

ConditionPtr make_range_comparison(TextsPtr address_keys, Relation relation,
                                   const AddressRange &range) {
  return std::make_unique<RangeComparison>(std::move(address_keys), relation, range);
}

std::string reason_not_of_kind(ValueKind kind, const Expression &value, const Expression &user) {
  const std::string name = value.field.field.number < 0 ? value.typed : "field " + value.typed;
  const std::string_view what = kind_name(kind);
  const char *article = kind == ValueKind::address ? "an" : "a";
  const char *shown = kind == ValueKind::truth ? "true or false" : "";
  const std::string whole =
      value.typed == user.typed ? name : fmt::format("{} in {}", name, user.typed);
  return *shown ? fmt::format("{} is not {}", whole, shown)
                : fmt::format("{} is not {} {}", whole, article, what);
}

std::string seconds_text(i64 nanoseconds) {
  Arena arena;
  std::string text;
  append_number(seconds_of(nanoseconds, &arena), &text);
  return text;
}

}  // namespace mrc
