// Compiles comparisons, which check_comparisons.cc checks.
//
// A constant decides how it is compared: a number with numbers, a time with times, an address with
// addresses, text with bytes. Two values are compared by the kind that they have in common.
#include "base/make_error.h"
#include "base/setting_name.h"
#include "expr/inner/clock.h"
#include "expr/inner/compiler.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

using Kind = Expression::Kind;

struct NamedRelation {
  std::string_view sign;
  Relation relation, mirrored;
};
constexpr NamedRelation kRelations[] = {
    {"==", Relation::equal, Relation::equal}, {"!=", Relation::unequal, Relation::unequal},
    {"<", Relation::less, Relation::greater}, {"<=", Relation::at_most, Relation::at_least},
    {">", Relation::greater, Relation::less}, {">=", Relation::at_least, Relation::at_most},
};

const NamedRelation *find_relation(std::string_view sign) {
  const auto *found = std::ranges::find(kRelations, sign, &NamedRelation::sign);
  return found == std::end(kRelations) ? nullptr : found;
}

// True if the text is a time once the order of day and month is known.
bool needs_date_order(const std::string &text) {
  return read_timestamp(text, DateOrder::day_first) || read_timestamp(text, DateOrder::month_first);
}
Status no_date_order(const Expression &comparison) {
  return make_error("{}: which number is the day? {} dmy or mdy says so; 2026-11-03 needs neither",
                    comparison.typed, setting_name("dates"));
}

}  // namespace

bool is_comparison(std::string_view sign) { return find_relation(sign) != nullptr; }

ConditionPtr Compiler::comparison(const Expression &call) {
  const NamedRelation &named = *find_relation(call.name);
  const Expression &left = call.arguments[0], &right = call.arguments[1];
  const bool constant = right.kind == Kind::constant;
  if (constant && left.kind == Kind::constant) {
    const Expression &quoted = left.is_constant(ValueKind::text) ? left : right;
    const bool is_text = quoted.is_constant(ValueKind::text);
    return fail("{}: it is the same for all records{}", call.typed,
                is_text ? fmt::format("; the field is $\"{}\"", quoted.constant.text) : "");
  }
  if (constant) return compare_with({left, named.relation, right.constant, call});
  if (left.kind == Kind::constant) {
    return compare_with({right, named.mirrored, left.constant, call});
  }
  if (Status status = check_field(right); !status.is_ok()) return fail(status);
  return compare_two(left, named.relation, right, call);
}

// Returns the constant as the kind that it is compared as. == and != compare quoted text as bytes,
// unless the field holds times, addresses or levels. For an order, the form of the text decides its
// kind.
Result<Constant> Compiler::meaning_of(const WithConstant &of) const {
  const Constant &constant = of.constant;
  const FieldKind known = kind_of(of.value);
  const ValueKind kind = known.kind;
  const bool may_be_time =
      constant.kind == ValueKind::text && (kind == ValueKind::time || !of.asks_equality());
  const TimeContext context = may_be_time ? time_context(of.value) : make_time_context(clock_);
  const bool is_number = constant.kind == ValueKind::number;
  if (kind == ValueKind::level && is_number) {
    depend_on_kind(of.value.field, known, clock_);
    const std::string word(usual_level(known.levels, constant.text));
    const auto level = constant_of_kind(kind, word, context);
    return level ? *level : constant;
  }
  if (constant.kind != ValueKind::text) return constant;
  const bool is_kept_kind = kind == ValueKind::time || kind == ValueKind::level || has_keys(kind);
  if (is_kept_kind) {
    depend_on_kind(of.value.field, known, clock_);
    const std::string text(usual_level(known.levels, constant.text));
    if (auto meant = constant_of_kind(kind, text, context)) return *meant;
    if (of.asks_equality() && kind == ValueKind::level) {
      if (of.value.field.bucket == nullptr) note_unlike(of, kind);
      return constant;
    }
    if (kind == ValueKind::time && needs_date_order(constant.text)) return no_date_order(of.call);
    return not_of_kind(of, kind);
  }
  if (of.asks_equality()) {
    const Status status = check_equals(of, known);
    return status.is_ok() ? Result<Constant>(constant) : status;
  }
  Constant meant = constant_by_look(constant.text, context);
  if (meant.kind == ValueKind::text && needs_date_order(constant.text)) {
    return no_date_order(of.call);
  }
  if (meant.kind == ValueKind::text && is_text_or_unknown(kind) && known.names == nullptr) {
    note_bytes(of);
  }
  constexpr size_t kShortestLevel = 3;  // shorter text, such as w, could mean anything
  if (meant.kind == ValueKind::text && is_text_or_unknown(kind) &&
      constant.text.size() >= kShortestLevel) {
    if (auto level = constant_of_kind(ValueKind::level, constant.text, context)) return *level;
  }
  return meant;
}

void Compiler::explain(const Expression &comparison, ValueKind as) const {
  if (clock_.kinds != nullptr) clock_.kinds->compared(comparison.typed, as);
}

ConditionPtr Compiler::compare_with(const WithConstant &of) {
  if (of.value.kind == Kind::call && is_sign(of.value.name)) {
    const Status status = kind_of_arithmetic(of.value).status();
    if (!status.is_ok()) return fail(status);
  }
  const Result<Constant> meant = meaning_of(of);
  if (!meant.is_ok()) return fail(meant.status());
  if (Status status = check_meets(of, *meant); !status.is_ok()) return fail(status);
  note_text(of, *meant);
  explain(of.call, meant->kind);
  return compare_as(of, *meant);
}

ConditionPtr Compiler::compare_as(const WithConstant &of, const Constant &meant) {
  const bool is_plain_field = is_input_field(of.value) && of.value.field.is_plain();
  const ValueKind own = kind_of(of.value).kind;
  switch (meant.kind) {
    case ValueKind::text:
      return make_text_comparison(texts_of_any(of.value), of.relation, meant.text);
    case ValueKind::time:
      if (of.value.field.is_plain()) note_zone(of.value.field.field, meant.text, clock_);
      return compare_times(of, meant.span);
    case ValueKind::address:
      return make_range_comparison(order_keys(meant.kind, of.value, of.call, of.misfit()),
                                   of.relation, meant.range);
    case ValueKind::version:
      return make_text_comparison(order_keys(meant.kind, of.value, of.call, of.misfit()),
                                  of.relation, meant.text);
    case ValueKind::number:
      if (own == ValueKind::truth || !is_plain_field) break;
      return make_parsed_comparison(texts(of.value), of.relation, meant.text,
                                    of.reason(ValueKind::number));
    default: break;
  }
  const ValueKind kind = is_quantity(own) && is_quantity(meant.kind) ? own : meant.kind;
  return make_constant_comparison(numbers_as(kind, of.value, of.call, of.misfit()), of.relation,
                                  meant.text);
}

ConditionPtr Compiler::compare_times(const WithConstant &of, TimeSpan span) {
  if (is_input_field(of.value)) {
    const TimeContext context = time_context(of.value);
    return make_time_comparison(texts(without_form(of.value, ValueKind::time)), context,
                                of.relation, span, of.reason(ValueKind::time));
  }
  return make_span_comparison(numbers_as(ValueKind::time, of.value, of.call, of.misfit()),
                              of.relation, span);
}

TextsPtr Compiler::order_keys(ValueKind kind, const Expression &expression, const Expression &user,
                              Misfit misfit, bool is_left) {
  const bool notes = misfit == Misfit::noted;
  return make_order_keys(kind, texts(without_form(expression, kind)),
                         notes ? reason_not_of_kind(kind, expression, user) : "", is_left);
}

// Returns the kind that both have in common, or that one of them has; text if neither is known.
Result<ValueKind> Compiler::common_kind(const Expression &left, const Expression &right,
                                        const Expression &call) const {
  const FieldKind a = kind_of(left), b = kind_of(right);
  const bool have_units = a.unit_ns > 0 && b.unit_ns > 0 && a.unit_ns != b.unit_ns;
  if (a.kind == b.kind && have_units) return ValueKind::duration;
  if (a.kind == b.kind) return a.kind;
  if (is_text_or_unknown(a.kind)) return b.kind;
  if (is_text_or_unknown(b.kind)) return a.kind;
  if (is_quantity(a.kind) && is_quantity(b.kind)) return ValueKind::number;
  if (a.kind == ValueKind::duration && b.unit_ns > 0) return a.kind;
  if (b.kind == ValueKind::duration && a.unit_ns > 0) return b.kind;
  return make_error("{}: {} is of the kind {}, and {} of the kind {}", call.typed, left.typed,
                    kind_name(a.kind), right.typed, kind_name(b.kind));
}

// Notes the zone of the times in an expression without fields, such as now - 1h, that a field is
// compared with.
void Compiler::note_zones(const Expression &field, const Expression &other) const {
  const bool is_time = is_input_field(field) && field.field.is_plain() && !reads_field(other);
  if (!is_time) return;
  if (other.is_constant(ValueKind::time)) note_zone(field.field.field, other.constant.text, clock_);
  for (const Expression &argument : other.arguments) note_zones(field, argument);
}

ConditionPtr Compiler::compare_two(const Expression &left, Relation relation,
                                   const Expression &right, const Expression &call) {
  const Result<ValueKind> kind = common_kind(left, right, call);
  if (!kind.is_ok()) return fail(kind.status());
  explain(call, *kind == ValueKind::unknown ? ValueKind::text : *kind);
  for (const Expression *side : {&left, &right}) {
    if (is_input_field(*side)) depend_on_kind(side->field, kind_of(*side), clock_);
  }
  if (*kind == ValueKind::time) {
    note_zones(left, right);
    note_zones(right, left);
  }
  const bool equality = relation == Relation::equal || relation == Relation::unequal;
  const Misfit misfit = equality ? Misfit::unequal : Misfit::noted;
  if (is_text_or_unknown(*kind) || *kind == ValueKind::structure) {
    if (*kind == ValueKind::unknown && !equality) {
      note(
          "{}: the kinds of both are unknown, and they are compared as text; as numbers they are "
          "{}:num and {}:num",
          call.typed, left.typed, right.typed);
    }
    TextsPtr a = texts(left);
    return make_text_comparison(std::move(a), relation, texts(right));
  }
  if (has_keys(*kind)) {
    TextsPtr a = order_keys(*kind, left, call, misfit);
    return make_text_comparison(std::move(a), relation,
                                order_keys(*kind, right, call, misfit, false));
  }
  NumbersPtr a = numbers_as(*kind, left, call, misfit);
  return make_number_comparison(std::move(a), relation, numbers_as(*kind, right, call, misfit));
}

}  // namespace mrc
