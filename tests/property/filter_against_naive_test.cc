// Random --where expressions on random records, against an evaluator that asks one record
// at a time and knows numbers as text only.
#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using std::string;

const std::vector<string> kValues = {"0",
                                     "-0",
                                     "1",
                                     "1.0",
                                     "01",
                                     "-1",
                                     "2",
                                     "10",
                                     "100",
                                     "99.5",
                                     "99.50",
                                     "0.5",
                                     ".5",
                                     "5.",
                                     "-0.5",
                                     "+2",
                                     "",
                                     "-",
                                     "a",
                                     "abc",
                                     "B",
                                     "1x",
                                     "1e",
                                     "--1",
                                     "1.2.3",
                                     "00.10",
                                     "0.1",
                                     "GET /a",
                                     "it's",
                                     "12345678901234567890.5",
                                     "12345678901234567890.50",
                                     "0.0000000000000000000001",
                                     "99999999999999999"};

// ---- Numbers as text: a sign, 40 digits before the point and 40 after it.

std::optional<string> normal_number(string text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.erase(0, 1);
  if (std::count(text.begin(), text.end(), '.') == 0) text += '.';
  const size_t point = text.find('.');
  string digits = text;
  digits.erase(point, 1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != string::npos) return {};
  digits = string(40 - point, '0') + digits + string(40 - (digits.size() - point), '0');
  const bool zero = digits.find_first_not_of('0') == string::npos;
  if (negative && !zero) {
    for (char &c : digits) c = static_cast<char>('0' + '9' - c);
    return "-" + digits;
  }
  return "0" + digits;  // orders after '-'
}

int sign(int order) { return (order > 0) - (order < 0); }

// A value and a literal: their order; or that they are of different kinds; or, of what is missing,
// nothing.
struct Relation {
  bool is_missing = false, is_other = false;
  int order = 0;
};
Relation relation_of(const std::optional<string> &value, const string &literal, bool quoted) {
  if (!value) return {.is_missing = true};
  if (quoted) return {.order = sign(value->compare(literal))};
  if (value->empty() || *value == "-") return {.is_missing = true};
  const auto own = normal_number(*value);
  if (!own) return {.is_other = true};
  return {.order = sign(own->compare(*normal_number(literal)))};
}

// ---- Conditions as what they say and what they mean.

struct Said {
  string text;
  std::function<bool(const Row &)> holds;
};

class Sayer {
 public:
  Sayer(Random *random, size_t fields) : random_(random), fields_(fields) {}

  Said any(int depth) {
    const u64 kind = depth == 0 ? 0 : pick(6);
    if (kind == 1) {
      const Said inner = any(depth - 1);
      return {"not (" + inner.text + ")", [inner](const Row &row) { return !inner.holds(row); }};
    }
    if (kind == 2 || kind == 3) {
      const Said a = any(depth - 1), b = any(depth - 1);
      return {"(" + a.text + ") or " + b.text,
              [a, b](const Row &row) { return a.holds(row) || b.holds(row); }};
    }
    if (kind == 4) {
      const Said a = any(depth - 1), b = any(depth - 1);
      return {"(" + a.text + ") and (" + b.text + ")",
              [a, b](const Row &row) { return a.holds(row) && b.holds(row); }};
    }
    return test();
  }

 private:
  struct Value {
    string literal;
    bool quoted;
    string text;
  };

  u64 pick(u64 n) { return (*random_)() % n; }
  Value value() {
    const string literal = kValues[pick(kValues.size())];
    if (pick(3) != 0 && is_bare_number(literal)) return {literal, false, literal};
    string doubled;
    for (char c : literal) doubled += c == '\'' ? "''" : string(1, c);
    return {literal, true, "'" + doubled + "'"};
  }

  // A number can be a literal if it has no needless zero and no plus in front.
  static bool is_bare_number(const string &text) {
    const size_t first = text.starts_with('-') ? 1 : 0;
    const bool zero = text.size() > first + 1 && text[first] == '0' && text[first + 1] != '.';
    return normal_number(text) && !zero && text[0] != '+' && text.back() != '.';
  }

  Said test() {
    const size_t field = pick(fields_);
    const string name =
        pick(2) != 0 ? "f" + std::to_string(field) : "$\"f" + std::to_string(field) + "\"";
    switch (pick(8)) {
      case 0:
        return {"has(" + name + ")", [field](const Row &row) {
                  return row[field] && !row[field]->empty() && row[field] != "-";
                }};
      case 1: return between(field, name);
      case 2: return in(field, name);
      case 3: return match(field, name);
      default: return relation(field, name);
    }
  }

  // Text that looks like a number is one where an order is asked for.
  static Relation ordered(const std::optional<string> &value, const Value &v) {
    return relation_of(value, v.literal, v.quoted && !normal_number(v.literal));
  }

  Said relation(size_t field, const string &name) {
    const std::vector<std::pair<string, std::function<bool(int)>>> relations = {
        {"==", [](int o) { return o == 0; }}, {"!=", [](int o) { return o != 0; }},
        {"<", [](int o) { return o < 0; }},   {"<=", [](int o) { return o <= 0; }},
        {">", [](int o) { return o > 0; }},   {">=", [](int o) { return o >= 0; }}};
    const u64 which = pick(relations.size());
    const auto [symbol, holds] = relations[which];
    const Value v = value();
    const string blank = pick(2) != 0 ? " " : "";
    return {name + blank + symbol + blank + v.text, [field, v, holds, which](const Row &row) {
              const Relation is =
                  which < 2 ? relation_of(row[field], v.literal, v.quoted) : ordered(row[field], v);
              if (is.is_other) return which == 1;
              return !is.is_missing && holds(is.order);
            }};
  }
  Said between(size_t field, const string &name) {
    const Value a = value(), b = value();
    return {name + " between " + a.text + " and " + b.text, [field, a, b](const Row &row) {
              const Relation low = ordered(row[field], a), high = ordered(row[field], b);
              const bool fits =
                  !low.is_missing && !low.is_other && !high.is_missing && !high.is_other;
              return fits && low.order >= 0 && high.order <= 0;
            }};
  }
  Said in(size_t field, const string &name) {
    const Value a = value(), b = value();
    return {name + " in (" + a.text + ", " + b.text + ")", [field, a, b](const Row &row) {
              const auto equal = [&](const Value &v) {
                const Relation is = relation_of(row[field], v.literal, v.quoted);
                return !is.is_missing && !is.is_other && is.order == 0;
              };
              return equal(a) || equal(b);
            }};
  }
  Said match(size_t field, const string &name) {
    const bool negated = pick(2) != 0;
    return {name + (negated ? " !~ '1'" : " =~ '1'"), [field, negated](const Row &row) {
              return row[field] && (row[field]->find('1') != string::npos) != negated;
            }};
  }

  Random *random_;
  size_t fields_;
};

std::vector<Row> random_rows(Random *random, size_t fields) {
  const size_t sizes[] = {1, 63, 64, 130, 512};
  std::vector<Row> rows(sizes[(*random)() % 5], Row(fields));
  for (Row &row : rows) {
    for (auto &value : row) {
      if ((*random)() % 8 != 0) value = kValues[(*random)() % kValues.size()];
    }
  }
  return rows;
}

TEST(Filter, SelectsWhatTheNaiveEvaluatorSelects) {
  constexpr size_t kFields = 3;
  for (u64 round = 0; round < 600; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const Said said = Sayer(&random, kFields).any(4);
    SCOPED_TRACE(said.text);
    const auto filter = make_filter(said.text, "", "", {});
    ASSERT_TRUE(filter.is_ok()) << filter.status().message();
    // The columns in the order in which the filter wants them.
    const std::vector<Row> rows = random_rows(&random, kFields);
    const std::vector<FieldName> wanted = (*filter)->fields();
    std::vector<Row> asked(rows.size());
    for (size_t r = 0; r < rows.size(); ++r) {
      for (const FieldName &name : wanted) {
        asked[r].push_back(rows[r][static_cast<size_t>(name.text[1] - '0')]);
      }
    }
    RecordColumns columns(asked, wanted.size(), 1);
    const Filter::Selection selected = columns.select(**filter, 1);
    for (size_t r = 0; r < rows.size(); ++r) {
      ASSERT_EQ(selected[r], said.holds(rows[r])) << "record " << r;
    }
  }
}

}  // namespace
}  // namespace mrc
