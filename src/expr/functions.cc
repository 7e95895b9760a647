#include "expr/inner/functions.h"

#include "base/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

const auto kTables = {choice_functions, number_functions, text_functions,
                      kind_functions,   part_functions,   time_functions};

// Functions of other languages, with their form here.
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
  for (const auto &table : kTables) {
    for (const Function &function : table()) {
      if (name == function.name) return &function;
    }
  }
  return nullptr;
}

std::string unknown_function(std::string_view name) {
  const auto *other = std::ranges::find(kElsewhere, name, &Elsewhere::name);
  if (other != std::end(kElsewhere)) {
    return fmt::format("no function \"{}\"; it is {} here", name, other->ours);
  }
  std::vector<std::string> names;
  for (const auto &table : kTables) {
    for (const Function &function : table()) names.emplace_back(function.name);
  }
  const std::string meant = did_you_mean(std::string(name), names);
  return fmt::format("no function \"{}\"{}; mrc help expressions lists them", name, meant);
}

}  // namespace mrc
