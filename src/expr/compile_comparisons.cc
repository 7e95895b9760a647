// Compiles comparisons.
//
// A constant decides how it is compared: a number with numbers, a time with times, an address with
// addresses, text with bytes. Two values are compared by the kind that they have in common.
#include "base/make_error.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "expr/inner/clock.h"
#include "expr/inner/compiler.h"
#include "expr/inner/foreign.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"
#include "kinds/level.h"
#include "kinds/units.h"
#include "kinds/version.h"

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

bool is_text_or_unknown(ValueKind kind) {
  return kind == ValueKind::text || kind == ValueKind::unknown;
}

// Returns the right form of a comparison of two kinds that do not compare.
std::string advice_for(ValueKind value, const Constant &other, const Expression &typed) {
  const ValueKind constant = other.kind;
  const std::string &text = other.text;
  if (constant == ValueKind::text && (read_unit_size(text) || read_duration(text))) {
    return fmt::format("without quotes, {} is a {}", text,
                       read_unit_size(text) ? "number" : "duration");
  }
  const std::string &name = typed.field.field.text.empty() ? typed.typed : typed.field.field.text;
  if (value == ValueKind::time && constant == ValueKind::number) {
    return fmt::format("a time is 2026-11-03 or 2026-11-03T10:00, the hour of day is hour({})",
                       name);
  }
  if (value == ValueKind::time) {
    return "a time is 2026-11-03, 2026-11-03T10:00 or now; an hour ago is now - 1h";
  }
  if (value == ValueKind::duration) return "a duration is 250ms, 1.5s or 1h30m";
  if (value == ValueKind::address) return "an address is 192.0.2.1, a network 192.0.2.0/24";
  if (value == ValueKind::level) return "a level is in quotes, as in 'warn'";
  if (value == ValueKind::version) return "a version is in quotes, as in '1.10.2'";
  const bool is_field = typed.kind == Kind::field;
  if (value == ValueKind::number && constant == ValueKind::duration && is_field) {
    return fmt::format("values with a unit are {}:duration; a number is without a unit", name);
  }
  if (value == ValueKind::number && is_field) {
    return fmt::format("as {2} {0} it is {1}:{0}", kind_name(constant), name,
                       constant == ValueKind::address ? "an" : "a");
  }
  return "compare values of one kind";
}

// True if the text is a time once the order of day and month is known.
bool needs_date_order(const std::string &text) {
  return read_timestamp(text, DateOrder::day_first) || read_timestamp(text, DateOrder::month_first);
}
Status no_date_order(const Expression &comparison) {
  return make_error("{}: which number is the day? {} dmy or mdy says so; 2026-11-03 needs neither",
                    comparison.typed, setting_name("dates"));
}

// Returns the last value of those that a constant means, as text.
std::string last_value(const Constant &constant) {
  const TimeSpan &span = constant.span;
  if (constant.kind == ValueKind::time) return utc_text(std::max(span.begin, span.end - 1));
  if (constant.kind != ValueKind::address) return constant.text;
  std::string text;
  append_address(constant.range.last, &text);
  return text;
}

// True if the name of a bucket, the last one that begins before the end of what the constant means,
// is within it.
bool is_within(const std::string &name, const Constant &constant, const TimeContext &context) {
  Arena arena;
  switch (constant.kind) {
    case ValueKind::number: {
      const Number own = parse_any_number(name, &arena);
      return is_number(own) && compare_numbers(own, parse_any_number(constant.text, &arena)) == 0;
    }
    case ValueKind::time: {
      const auto time = constant_of_kind(constant.kind, name, context);
      return time && time->span.begin >= constant.span.begin;
    }
    case ValueKind::address: {
      const auto network = AddressRange::of_prefix(name);
      const auto first = first_address(name);
      return first >= constant.range.first &&
             (network ? network->last : *first) <= constant.range.last;
    }
    case ValueKind::version: return true;  // x:version has no other buckets
    default: return name == constant.text;
  }
}

}  // namespace

bool is_comparison(std::string_view sign) { return find_relation(sign) != nullptr; }

// Checks a bare word where a value is likelier than a field.
Status Compiler::check_field(const Expression &operand) const {
  if (!is_input_field(operand) || operand.typed.starts_with('$')) return Status::ok();
  const FieldKinds *kinds = clock_.kinds;
  const FieldName &name = operand.field.field;
  const std::string ours = foreign_value(operand.typed);
  const bool is_known = kinds != nullptr && kinds->has(name);
  if (!ours.empty() && !is_known) {
    return make_error("{0} where a value should be: {1}; the field: ${0}", operand.typed, ours);
  }
  if (kinds == nullptr || !kinds->lacks(name)) return Status::ok();
  const bool has_minus = operand.typed.find('-') != std::string::npos;
  return make_error("no field \"{0}\"{1}; text: '{0}'; the field: ${0}", operand.typed,
                    has_minus ? ", and a minus has blanks around it" : "");
}

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
    const std::string advice =
        is_absent(constant.text)
            ? fmt::format("whether there is a value is has({})", of.value.typed)
            : advice_for(kind, {.kind = kind}, of.value);
    return make_error("{}: '{}' is no {}; {}", of.call.typed, constant.text, kind_name(kind),
                      advice);
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

// Checks a text that is compared by bytes. Refuses it if the value is computed and never has this
// form, as hour(time) is never '09'. Notes it if it has digits and is no number, as '2xx'.
Status Compiler::check_equals(const WithConstant &of, const FieldKind &kind) const {
  const std::string &text = of.constant.text;
  const bool is_truth = kind.kind == ValueKind::truth && !is_numeric(of.value);
  const bool is_length = kind.kind == ValueKind::duration && read_duration(text);
  if (is_length || (is_truth && text != "true" && text != "false")) note_unlike(of, kind.kind);
  if (!is_quantity(kind.kind) && kind.kind != ValueKind::duration) {
    note_pattern(of);
    return Status::ok();
  }
  Arena arena;
  const Number number = parse_any_number(text, &arena);
  std::string digits;
  if (is_number(number)) append_number(number, &digits);
  if (is_numeric(of.value) && digits != text) {
    return make_error("{}: {} is a number, and '{}' is {}", of.call.typed, of.value.typed, text,
                      digits.empty() ? "none" : "written " + digits);
  }
  const bool seems_number = digits.empty() && std::ranges::any_of(text, is_digit);
  if (seems_number && kind.kind == ValueKind::number) note_unlike(of, kind.kind);
  return Status::ok();
}

void Compiler::note_pattern(const WithConstant &of) const {
  const std::string ours = foreign_pattern(of.constant.text, of.value.typed);
  if (ours.empty()) return;
  note("{}: * is a character in text; the pattern is {}{}", of.call.typed,
       of.relation == Relation::unequal ? "not " : "", ours);
}

// Notes that an order is that of bytes although the text begins with digits.
void Compiler::note_bytes(const WithConstant &of) const {
  const std::string &text = of.constant.text;
  if (text.empty() || !is_digit(text[0])) return;
  const std::string &name = of.value.typed;
  const std::string advice =
      read_unit_size(text)  ? fmt::format("; as sizes they are {}:size and {}", name, text)
      : read_duration(text) ? fmt::format("; as durations they are {}:duration and {}", name, text)
      : version_form(text)  ? fmt::format("; as versions they are {}:version and '{}'", name, text)
                            : "";
  note("{}: '{}' is compared by bytes, in which '10' precedes '9'{}", of.call.typed, text, advice);
}

// Notes that a field of text seems to have no value that could equal the constant.
void Compiler::note_text(const WithConstant &of, const Constant &meant) const {
  const bool is_plain = is_input_field(of.value) && of.value.field.is_plain();
  if (clock_.kinds == nullptr || !is_plain || !of.asks_equality()) return;
  if (kind_of(of.value).kind != ValueKind::text || meant.kind == ValueKind::text) return;
  if (meant.kind == ValueKind::level || meant.kind == ValueKind::truth) return;
  const bool is_number = meant.kind == ValueKind::number;
  if (is_number && clock_.kinds->has_numbers(of.value.field.field)) return;
  const std::string_view kind = kind_name(meant.kind);
  note("{}: {} is of the kind text; a value that is no {} is unequal{}", of.call.typed,
       of.value.typed, kind,
       is_number ? fmt::format(", and values with units are read by {0}:size or {0}:duration",
                               of.value.typed)
                 : "");
}

// Notes that a text is compared with values of a kind that it does not look like.
void Compiler::note_unlike(const WithConstant &of, ValueKind kind) const {
  if (is_absent(of.constant.text)) return;
  const std::string &text = of.constant.text;
  const bool is_length = kind == ValueKind::duration && read_duration(text);
  note("{}: {} is of the kind {}, and '{}' {}; bytes are compared", of.call.typed, of.value.typed,
       kind_name(kind), text, is_length ? "is one only without quotes" : "is none");
}

// Refuses constants that values of this kind never equal, precede or follow.
Status Compiler::check_meets(const WithConstant &of, const Constant &meant) const {
  const FieldKind value = kind_of(of.value);
  const bool meets =
      is_text_or_unknown(value.kind) || value.kind == meant.kind ||
      (is_quantity(value.kind) && is_quantity(meant.kind)) ||
      (meant.kind == ValueKind::duration && value.kind == ValueKind::number && value.unit_ns > 0) ||
      (meant.kind == ValueKind::text && of.asks_equality());
  if (meets && value.kind != ValueKind::structure) return check_name(of, meant);
  const std::string_view kind = kind_name(meant.kind);
  return make_error("{}: {} is of the kind {}, and the other side of the kind {}; {}",
                    of.call.typed, of.value.typed, kind_name(value.kind), kind,
                    advice_for(value.kind, meant, of.value));
}

// Refuses a constant that is no name of a bucket. For an order, it need not be a name, but a number
// if the names are numbers. Text that is no number is unequal to all numbers, as for other fields.
Status Compiler::check_name(const WithConstant &of, const Constant &meant) const {
  const FieldKind kind = kind_of(of.value);
  const bool is_rank = meant.kind == ValueKind::level && meant.kind == kind.kind;
  Arena arena;
  const bool is_other = is_quantity(kind.kind) && meant.kind == ValueKind::text &&
                        !is_number(parse_any_number(meant.text, &arena));
  if (kind.names == nullptr || is_rank || is_other) return Status::ok();
  std::vector<std::string> names = kind.names->names();
  const bool are_known = !names.empty();
  if (!are_known) names.push_back(kind.names->name_like(last_value(meant)));
  const TimeContext context = time_context(of.value);
  const auto fits = [&](const std::string &name) {
    const bool is_order = !of.asks_equality() && meant.kind == ValueKind::number;
    return is_order ? is_number(parse_any_number(name, &arena)) : is_within(name, meant, context);
  };
  const bool is_any = !are_known && !of.asks_equality();
  if (is_any || std::ranges::any_of(names, fits)) return Status::ok();
  constexpr size_t kMostNames = 9;
  const bool are_many = names.size() > kMostNames;
  const std::string right = are_many    ? fmt::format("{} to {}, and ", names.front(), names.back())
                            : are_known ? fmt::format("one of {}, and ", fmt::join(names, ", "))
                            : names[0].empty() ? ""
                                               : fmt::format("a value like {}, and ", names[0]);
  return make_error("{}: {} is {}never {}", of.call.typed, of.value.typed, right,
                    of.constant.text.empty() ? "empty" : of.constant.text);
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

ConditionPtr Compiler::compare_two(const Expression &left, Relation relation,
                                   const Expression &right, const Expression &call) {
  const Result<ValueKind> kind = common_kind(left, right, call);
  if (!kind.is_ok()) return fail(kind.status());
  explain(call, *kind == ValueKind::unknown ? ValueKind::text : *kind);
  for (const Expression *side : {&left, &right}) {
    if (is_input_field(*side)) depend_on_kind(side->field, kind_of(*side), clock_);
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
