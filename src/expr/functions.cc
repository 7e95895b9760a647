// The table of functions, and those of numbers and conditions. Functions of text and of times are
// in text_functions.cc and time_functions.cc.
#include "expr/functions.h"

#include "base/spelling.h"
#include "expr/kind_values.h"
#include "expr/text_functions.h"
#include "expr/time_functions.h"
#include "expr/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mrc {
namespace {

using Numbers = Result<NumbersPtr>;
using Texts = Result<TextsPtr>;
constexpr i64 kAny = 1000;  // arguments

// A function of the numbers that are its arguments.
template <size_t kSize, typename Rule>
Numbers numbers_of(const Expression &call, Compiler *compiler, Rule rule, std::string why = "") {
  Result<std::vector<NumbersPtr>> values = compiler->all_numbers(call);
  if (!values.is_ok()) return values.status();
  return std::make_unique<NumbersOfNumbers<kSize, Rule>>(std::move(*values), std::move(rule),
                                                         std::move(why));
}

Numbers make_absolute(const Expression &call, Compiler *compiler) {
  return numbers_of<1>(call, compiler, [](const std::array<Number, 1> &number, Arena *arena) {
    return absolute(number[0], arena);
  });
}

struct Rounds {
  i64 places;
  Rounding how;
  Number operator()(const std::array<Number, 1> &number, Arena *arena) const {
    return rounded(number[0], places, how, arena);
  }
};

template <Rounding kHow>
Numbers make_rounded(const Expression &call, Compiler *compiler) {
  i64 places = 0;
  if (call.arguments.size() == 2) {
    Result<i64> wanted = compiler->integer(call.arguments[1], "a number of decimal places");
    if (!wanted.is_ok()) return wanted.status();
    if (std::abs(*wanted) > kLargestScale) {
      return Status::error(fmt::format("{}: -18 to 18 decimal places", call.typed));
    }
    places = *wanted;
  }
  Numbers value = compiler->numbers(call.arguments[0], call);
  if (!value.is_ok()) return value;
  return std::make_unique<NumbersOfNumbers<1, Rounds>>(list_of(std::move(*value)),
                                                       Rounds{places, kHow}, "");
}

// The largest or the smallest of all that are there.
class Extreme : public NumberValues {
 public:
  Extreme(std::vector<NumbersPtr> values, int sign) : values_(std::move(values)), sign_(sign) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const auto columns = fill_all<NumberColumnOf>(values_, input, wanted);
    for_wanted(wanted, [&](size_t i) {
      Number best = (*columns[0])[i];
      for (const NumberColumnOf *column : columns) {
        const Number next = (*column)[i];
        if (!is_number(next)) continue;
        if (!is_number(best) || compare_numbers(next, best) * sign_ > 0) best = next;
      }
      (*out)[i] = best;
    });
  }

 private:
  std::vector<NumbersPtr> values_;
  int sign_;
};

template <int kSign>
Numbers make_extreme(const Expression &call, Compiler *compiler) {
  const Result<ValueKind> kind = compiler->measured_kind(call);
  if (!kind.is_ok()) return kind.status();
  Result<std::vector<NumbersPtr>> values = compiler->all_numbers(call);
  if (!values.is_ok()) return values.status();
  return std::make_unique<Extreme>(std::move(*values), kSign);
}

template <double (*kFunction)(double)>
Numbers make_real(const Expression &call, Compiler *compiler) {
  const auto rule = [](const std::array<Number, 1> &number, Arena *arena) {
    return number_of(kFunction(to_double(number[0])), arena);
  };
  return numbers_of<1>(call, compiler, rule, fmt::format("{} has no result", call.typed));
}

// Each function takes its arguments by one rule, whether they are numbers or not.
Numbers make_if_numbers(const Expression &call, Compiler *compiler) {
  Result<ConditionPtr> condition = compiler->condition(call.arguments[0]);
  Numbers yes = compiler->numbers(call.arguments[1], call);
  Numbers no = compiler->numbers(call.arguments[2], call);
  if (!condition.is_ok()) return condition.status();
  if (!yes.is_ok()) return yes;
  if (!no.is_ok()) return no;
  return make_number_choice(std::move(*condition), std::move(*yes), std::move(*no));
}
Texts make_if_texts(const Expression &call, Compiler *compiler) {
  Result<ConditionPtr> condition = compiler->condition(call.arguments[0]);
  Texts yes = compiler->texts(call.arguments[1]), no = compiler->texts(call.arguments[2]);
  if (!condition.is_ok()) return condition.status();
  if (!yes.is_ok()) return yes;
  if (!no.is_ok()) return no;
  return make_text_choice(std::move(*condition), std::move(*yes), std::move(*no));
}

Numbers make_only_numbers(const Expression &call, Compiler *compiler) {
  Result<ConditionPtr> condition = compiler->condition(call.arguments[0]);
  Numbers value = compiler->numbers(call.arguments[1], call);
  if (!condition.is_ok()) return condition.status();
  if (!value.is_ok()) return value;
  return make_number_choice(std::move(*condition), std::move(*value), make_no_numbers());
}
Texts make_only_texts(const Expression &call, Compiler *compiler) {
  Result<ConditionPtr> condition = compiler->condition(call.arguments[0]);
  Texts value = compiler->texts(call.arguments[1]);
  if (!condition.is_ok()) return condition.status();
  if (!value.is_ok()) return value;
  return make_text_choice(std::move(*condition), std::move(*value), make_no_texts());
}

Numbers make_coalesce_numbers(const Expression &call, Compiler *compiler) {
  Result<std::vector<NumbersPtr>> values = compiler->all_numbers(call);
  if (!values.is_ok()) return values.status();
  return make_first_number(std::move(*values));
}
Texts make_coalesce_texts(const Expression &call, Compiler *compiler) {
  Result<std::vector<TextsPtr>> values = compiler->all_texts(call);
  if (!values.is_ok()) return values.status();
  return make_first_text(std::move(*values));
}

struct IsThere {
  bool operator()(const std::array<Bytes, 1> &text) const { return !is_absent(text[0]); }
};
Result<ConditionPtr> make_has(const Expression &call, Compiler *compiler) {
  Texts value = compiler->texts_of_any(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  return make_text_condition<1>(list_of(std::move(*value)), IsThere());
}

template <ValueKind kKind>
Numbers make_of_kind(const Expression &call, Compiler *compiler) {
  return compiler->numbers_as(kKind, call.arguments[0], call, Misfit::noted);
}

Numbers make_from_epoch(const Expression &call, Compiler *compiler) {
  Numbers seconds = compiler->numbers(call.arguments[0], call);
  if (!seconds.is_ok()) return seconds;
  return make_times(std::move(*seconds), reason_no_time(call));
}

Texts make_text(const Expression &call, Compiler *compiler) {
  return compiler->texts(call.arguments[0]);
}

// The names of a bucket that gives values of a kind their one form; numbers of such names.
Texts make_form(const Expression &call, Compiler *compiler, std::string_view bucket) {
  Texts value = compiler->texts(call.arguments[0]);
  if (!value.is_ok()) return value;
  Result<std::shared_ptr<const Bucket>> form = parse_bucket(bucket, compiler->clock());
  if (!form.is_ok()) return form.status();
  return make_bucket_texts(std::move(*value), std::move(*form),
                           fmt::format("{} is not {} {}", call.arguments[0].typed,
                                       bucket == "address" ? "an" : "a", bucket));
}
Texts make_address(const Expression &call, Compiler *compiler) {
  return make_form(call, compiler, "address");
}
Texts make_level(const Expression &call, Compiler *compiler) {
  return make_form(call, compiler, "level");
}
Texts make_version(const Expression &call, Compiler *compiler) {
  return make_form(call, compiler, "version");
}
Numbers make_size(const Expression &call, Compiler *compiler) {
  Texts form = make_form(call, compiler, "size");
  if (!form.is_ok()) return form.status();
  return make_parsed_numbers(std::move(*form), "");
}

constexpr Function of_kind_of(i64 arguments, Function function) {
  function.measures = arguments;
  return function;
}

const Function kFunctions[] = {
    {"if", "(CONDITION, VALUE, OTHERWISE)", "one of two values", 3, 3, make_if_numbers,
     make_if_texts, nullptr, 1},
    {"only", "(CONDITION, VALUE)", "the value where the condition holds, else missing", 2, 2,
     make_only_numbers, make_only_texts, nullptr, 1},
    {"coalesce", "(VALUE, VALUE, ...)", "the first that is not missing, empty or -", 1, kAny,
     make_coalesce_numbers, make_coalesce_texts},
    of_kind_of(1, {"abs", "(NUMBER)", "without its sign", 1, 1, make_absolute}),
    of_kind_of(1, {"round", "(NUMBER[, PLACES])", "to the nearest, a half up", 1, 2,
                   make_rounded<Rounding::nearest>}),
    of_kind_of(1, {"floor", "(NUMBER[, PLACES])", "down", 1, 2, make_rounded<Rounding::down>}),
    of_kind_of(1, {"ceil", "(NUMBER[, PLACES])", "up", 1, 2, make_rounded<Rounding::up>}),
    of_kind_of(kAny, {"min", "(NUMBER, NUMBER, ...)", "the smallest that is there", 2, kAny,
                      make_extreme<-1>}),
    of_kind_of(kAny, {"max", "(NUMBER, NUMBER, ...)", "the largest that is there", 2, kAny,
                      make_extreme<1>}),
    {"log", "(NUMBER)", "natural logarithm", 1, 1, make_real<std::log>},
    {"log2", "(NUMBER)", "logarithm to base 2", 1, 1, make_real<std::log2>},
    {"log10", "(NUMBER)", "logarithm to base 10", 1, 1, make_real<std::log10>},
    {"sqrt", "(NUMBER)", "square root", 1, 1, make_real<std::sqrt>},
    {"hex", "(NUMBER)", "a whole number in hexadecimal: ff", 1, 1, nullptr, make_hex},
    {"unhex", "(TEXT)", "the number that ff or 0xff is in hexadecimal", 1, 1, make_unhex},
    {"length", "(TEXT)", "number of characters", 1, 1, make_length},
    {"lower", "(TEXT)", "letters of ASCII in lower case", 1, 1, nullptr, make_lower},
    {"upper", "(TEXT)", "letters of ASCII in upper case", 1, 1, nullptr, make_upper},
    {"trim", "(TEXT)", "without blanks around it", 1, 1, nullptr, make_trim},
    {"substr", "(TEXT, FROM[, LENGTH])",
     "characters from number FROM on, the first being 1; "
     "below 0: from the end",
     2, 3, nullptr, make_substr},
    {"split", "(TEXT, SEPARATOR, N)", "piece N, the first being 1; below 0: from the end", 3, 3,
     nullptr, make_split},
    {"replace", "(TEXT, REGEX, WITH)", "each match replaced; \\1 is the first group", 3, 3, nullptr,
     make_replace, nullptr, 0, true},
    {"concat", "(TEXT, TEXT, ...)", "one after another", 1, kAny, nullptr, make_concat},
    {"has", "(VALUE)", "whether it is there, and neither empty nor -", 1, 1, nullptr, nullptr,
     make_has},
    {"num", "(VALUE)", "the value as a number", 1, 1, make_of_kind<ValueKind::number>},
    {"text", "(VALUE)", "the value as text", 1, 1, nullptr, make_text},
    {"size", "(TEXT)", "the number that 10k, 1.5MiB or 10 KB is", 1, 1, make_size},
    {"duration", "(TEXT)", "the duration that 250ms or 1h30m is", 1, 1,
     make_of_kind<ValueKind::duration>, nullptr, nullptr, 0, false, ValueKind::duration},
    {"address", "(TEXT)", "the address in its one form", 1, 1, nullptr, make_address, nullptr, 0,
     false, ValueKind::address},
    {"level", "(TEXT)", "the canonical name of a level", 1, 1, nullptr, make_level, nullptr, 0,
     false, ValueKind::level},
    {"version", "(TEXT)", "the version in its one form", 1, 1, nullptr, make_version, nullptr, 0,
     false, ValueKind::version},
    {"truth", "(VALUE)", "1 for true, 0 for false", 1, 1, make_of_kind<ValueKind::truth>},
    {"severity", "(LEVEL)", "10 for trace to 80 for fatal", 1, 1, make_of_kind<ValueKind::level>},
    {"contains", "(TEXT, PART)", "whether the part is in it", 2, 2, nullptr, nullptr,
     make_contains},
    {"startswith", "(TEXT, PART)", "whether it begins so", 2, 2, nullptr, nullptr, make_startswith},
    {"endswith", "(TEXT, PART)", "whether it ends so", 2, 2, nullptr, nullptr, make_endswith},
    {"url", "(TEXT, PART)", "a part: scheme user host port path query fragment", 2, 2, nullptr,
     make_url},
    {"param", "(TEXT, NAME)", "a parameter of a URL's query, decoded", 2, 2, nullptr, make_param},
    {"time", "(TIME[, FORMAT])", "the time; FORMAT as strptime(3) has it", 1, 2, make_seconds,
     nullptr, nullptr, 0, false, ValueKind::time},
    {"epoch", "(TIME)", "seconds since 1970", 1, 1, make_seconds},
    {"fromepoch", "(SECONDS)", "the time so long after 1970 began", 1, 1, make_from_epoch, nullptr,
     nullptr, 0, false, ValueKind::time},
    {"difference", "(TIME, TIME)", "seconds from the second to the first", 2, 2, make_difference},
    {"format", "(TIME, FORMAT)", "as strftime(3) writes it", 2, 2, nullptr, make_format},
    {"year", "(TIME)", "on the clock of the time zone", 1, 1, make_year},
    {"month", "(TIME)", "1 to 12", 1, 1, make_month},
    {"day", "(TIME)", "1 to 31", 1, 1, make_day},
    {"hour", "(TIME)", "0 to 23", 1, 1, make_hour},
    {"minute", "(TIME)", "0 to 59", 1, 1, make_minute},
    {"second", "(TIME)", "0 to 59, with its fraction", 1, 1, make_second},
    {"weekday", "(TIME)", "1, Monday, to 7", 1, 1, make_weekday},
};

// Names of functions in other languages.
struct Elsewhere {
  std::string_view name, ours;
};
constexpr Elsewhere kElsewhere[] = {
    {"avg", "mean(x)"},
    {"average", "mean(x)"},
    {"dc", "distinct(x)"},
    {"like", "contains(x, 'part')"},
    {"isnull", "not has(x)"},
    {"isnotnull", "has(x)"},
    {"exists", "has(x)"},
    {"len", "length(x)"},
    {"strlen", "length(x)"},
    {"cidrmatch", "ip in (192.0.2.0/24)"},
    {"match", "x =~ 'REGEX'"},
    {"test", "x =~ 'REGEX'"},
    {"regexp_matches", "x =~ 'REGEX'"},
    {"strftime", "format(time, '%d.%m.%Y')"},
    {"date_format", "format(time, '%d.%m.%Y')"},
    {"strptime", "time(x, '%d.%m.%Y')"},
    {"tonumber", "num(x)"},
    {"cast", "num(x)"},
    {"to_number", "num(x)"},
    {"tostring", "text(x)"},
    {"tolower", "lower(x)"},
    {"toupper", "upper(x)"},
    {"ascii_downcase", "lower(x)"},
    {"ifnull", "coalesce(x, 0)"},
    {"nvl", "coalesce(x, 0)"},
    {"int", "floor(x)"},
    {"now", "now, without parentheses"},
    {"substring", "substr(x, 1, 3)"},
    {"gsub", "replace(x, 'REGEX', 'with')"},
    {"sub", "replace(x, 'REGEX', 'with')"},
    {"iff", "if(CONDITION, VALUE, OTHERWISE)"},
};

}  // namespace

const Function *find_function(std::string_view name) {
  const auto *found = std::ranges::find_if(
      kFunctions, [name](const Function &function) { return name == function.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function &function : kFunctions) names.emplace_back(function.name);
  return names;
}

std::string unknown_function(std::string_view name) {
  const auto *other = std::ranges::find(kElsewhere, name, &Elsewhere::name);
  if (other != std::end(kElsewhere)) {
    return fmt::format("no function \"{}\"; it is {} here", name, other->ours);
  }
  const std::string meant = did_you_mean(std::string(name), function_names());
  return fmt::format("no function \"{}\"{}; mrc help expressions lists them", name, meant);
}

}  // namespace mrc
