// Checks comparisons before they are compiled: refuses those that no record can fulfil, and notes
// those that a user may not have meant.
#include "base/make_error.h"
#include "base/text.h"
#include "expr/inner/clock.h"
#include "expr/inner/compiler.h"
#include "expr/inner/foreign.h"
#include "expr/inner/kind_values.h"
#include "fields/running_values.h"
#include "kinds/units.h"
#include "kinds/version.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

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

// True if the name of a bucket may be read as a value of the kind, as those of days are times.
bool reads_as(const std::string &name, ValueKind kind, const TimeContext &context) {
  Arena arena;
  if (kind == ValueKind::number) return is_number(parse_any_number(name, &arena));
  return kind != ValueKind::time || constant_of_kind(kind, name, context).has_value();
}

}  // namespace

Status Compiler::not_of_kind(const WithConstant &of, ValueKind kind) {
  const std::string &text = of.constant.text;
  const std::string advice =
      is_absent(text) ? fmt::format("whether there is a value is has({})", of.value.typed)
                      : advice_for(kind, {.kind = kind}, of.value);
  return make_error("{}: '{}' is no {}; {}", of.call.typed, text, kind_name(kind), advice);
}

// Checks a bare word where a value is likelier than a field.
Status Compiler::check_field(const Expression &operand) const {
  if (!is_input_field(operand) || operand.typed.starts_with('$')) return Status::ok();
  const FieldKinds *kinds = clock_.kinds;
  const FieldName &name = operand.field.field;
  if (is_running(name)) return Status::ok();
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
// if the names are numbers, and no time if the names are text, as those of weeks are. Text that is
// no number is unequal to all numbers, as for other fields.
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
  const bool is_any = !are_known && !of.asks_equality() &&
                      (kind.kind != ValueKind::text || reads_as(names[0], meant.kind, context));
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

}  // namespace mrc
