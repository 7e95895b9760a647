// Random expressions of numbers against fractions of any size: each result is the exact decimal if
// that has up to 38 digits and decimal places, and else the shortest decimal of the nearest double.
#include "base/fraction.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

constexpr int kExpressions = 1500, kRecords = 20, kFields = 5;

// A number as the manual has it; nothing is a missing one.
struct Exact {
  mpq_class fraction;
  bool is_decimal;
};
using Value = std::optional<Exact>;

mpz_class ten_to(unsigned long n) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), 10, n);
  return result;
}

// Digits enough that what follows them decides nothing but a tie, which the last one breaks.
double nearest(const mpq_class &fraction) {
  constexpr unsigned long kPlaces = 1200;
  const mpz_class scaled = abs(fraction.get_num()) * ten_to(kPlaces);
  const mpz_class whole = scaled / fraction.get_den();
  const bool more = whole * fraction.get_den() != scaled;
  const string text = whole.get_str() + (more ? "1" : "0") + "e-" + std::to_string(kPlaces + 1);
  const double value = std::strtod(text.c_str(), nullptr);
  return fraction < 0 ? -value : value;
}

// Decimal places of the fraction; nothing if they do not end within 38.
std::optional<unsigned long> places_of(const mpq_class &fraction) {
  for (unsigned long places = 0; places <= 38; ++places) {
    if (ten_to(places) % fraction.get_den() == 0) return places;
  }
  return std::nullopt;
}

// The decimal that the double is printed as and computed with. It stays a double in comparisons if
// it has more than 38 places or 20 zeros.
Exact shortest_decimal(double value) {
  string shortest;
  for (int digits = 0; digits <= 17; ++digits) {
    shortest = fmt::format("{:.{}e}", value, digits);
    if (std::strtod(shortest.c_str(), nullptr) == value) break;
  }
  const size_t e = shortest.find('e'), point = shortest.find('.');
  const int exponent = std::atoi(shortest.c_str() + e + 1);
  string digits = shortest.substr(0, e);
  const int places = point == string::npos ? 0 : static_cast<int>(e - point) - 1;
  std::erase(digits, '.');
  const int scale = places - exponent;
  const mpz_class whole(digits, 10);
  mpq_class decimal = scale >= 0 ? mpq_class(whole, ten_to(static_cast<unsigned long>(scale)))
                                 : mpq_class(whole * ten_to(static_cast<unsigned long>(-scale)));
  decimal.canonicalize();
  return {decimal, scale <= 38 && scale >= -20};
}

Value made(mpq_class fraction) {
  fraction.canonicalize();
  const auto places = places_of(fraction);
  if (places && abs(fraction.get_num()) * ten_to(*places) / fraction.get_den() < ten_to(38)) {
    return Exact{fraction, true};
  }
  const double value = nearest(fraction);
  if (!std::isfinite(value)) return std::nullopt;
  return shortest_decimal(value);
}

mpz_class floor_of(const mpq_class &value) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

// Doubles are compared as such, and follow the decimals that they are nearest to.
int order_of(const Exact &a, const Exact &b) {
  if (a.is_decimal && b.is_decimal) return cmp(a.fraction, b.fraction);
  const double x = nearest(a.fraction), y = nearest(b.fraction);
  if (x != y) return x < y ? -1 : 1;
  return static_cast<int>(b.is_decimal) - static_cast<int>(a.is_decimal);
}

string text_of(const Value &value) {
  if (!value) return "(missing)";
  const auto places = places_of(value->fraction);
  if (!value->is_decimal || !places) {
    const double number = nearest(value->fraction);
    string shortest = fmt::format("{}", number);
    if (shortest.find('e') == string::npos) return shortest;
    // The same digits without an exponent.
    const string mantissa = shortest.substr(0, shortest.find('e'));
    const int exponent = std::atoi(shortest.c_str() + shortest.find('e') + 1);
    string all;
    for (const char c : mantissa) all += c >= '0' && c <= '9' ? string(1, c) : "";
    const string sign = number < 0 ? "-" : "";
    if (exponent < 0) return sign + "0." + string(static_cast<size_t>(-exponent - 1), '0') + all;
    all.append(static_cast<size_t>(exponent) + 1 - all.size(), '0');
    return sign + all;
  }
  const mpz_class digits = value->fraction.get_num() * ten_to(*places) / value->fraction.get_den();
  string text = mpz_class(abs(digits)).get_str();
  if (text.size() <= *places) text.insert(0, *places + 1 - text.size(), '0');
  if (*places > 0) text.insert(text.size() - *places, ".");
  return (digits < 0 ? "-" : "") + text;
}

// The value of a field, which is a decimal without an exponent.
Value read(const std::optional<string> &text) {
  if (!text || text->empty() || text->find_first_not_of("-0123456789.") != string::npos) return {};
  if (*text == "-") return {};
  const size_t point = text->find('.');
  string digits = *text;
  if (point != string::npos) digits.erase(point, 1);
  const auto places = point == string::npos ? 0 : text->size() - point - 1;
  return made(mpq_class(mpz_class(digits, 10), ten_to(places)));
}

using Record = std::array<std::optional<string>, kFields>;

// An expression as text, and as what computes it. `binds`: how tightly; 9 is a single operand.
struct Node {
  string text;
  int binds;
  std::function<Value(const Record &)> value;
};

class Generator {
 public:
  explicit Generator(Random *random) : random_(random) {}

  Node number(int depth) {
    const u64 kind = depth <= 0 ? below(2) : below(12);
    if (kind == 0) return field();
    if (kind == 1) return constant();
    if (kind < 7) return arithmetic(depth);
    if (kind == 7) return negated(depth);
    if (kind == 8) return rounded(depth);
    if (kind == 9) return extreme(depth);
    if (kind == 10) return choice(depth);
    const Node truth = condition(depth - 1);
    return {"(" + truth.text + ")", 9, truth.value};
  }

 private:
  u64 below(u64 end) { return (*random_)() % end; }
  static string within(const Node &node, int binds) {
    return node.binds < binds ? "(" + node.text + ")" : node.text;
  }

  Node field() {
    const size_t i = below(kFields);
    return {fmt::format("{}", "abcde"[i]), 9,
            [i](const Record &record) { return read(record[i]); }};
  }
  Node constant() {
    static const vector<string> kConstants = {
        "0",  "1",    "2",   "3",   "7",     "10",   "0.1",
        ".5", "1.25", "100", "3.0", "0.001", "1024", "12345678901234567890"};
    string text = kConstants[below(kConstants.size())];
    const Value value = read(text);
    return {std::move(text), 9, [value](const Record &) { return value; }};
  }

  Node arithmetic(int depth) {
    const char sign = "+-*/%"[below(5)];
    const int binds = sign == '+' || sign == '-' ? 5 : 6;
    const Node left = number(depth - 1), right = number(depth - 1);
    string text = within(left, binds) + " " + sign + " " + within(right, binds + 1);
    return {std::move(text), binds, [=](const Record &record) -> Value {
              const Value a = left.value(record), b = right.value(record);
              if (!a || !b) return {};
              return computed(a->fraction, sign, b->fraction);
            }};
  }
  static Value computed(const mpq_class &a, char sign, const mpq_class &b) {
    if (sign == '+') return made(a + b);
    if (sign == '-') return made(a - b);
    if (sign == '*') return made(a * b);
    if (b == 0) return {};
    if (sign == '/') return made(a / b);
    return made(a - b * floor_of(a / b));
  }

  Node negated(int depth) {
    const Node of = number(depth - 1);
    if (below(2) == 0) {
      return {"abs(" + of.text + ")", 9, [of](const Record &record) -> Value {
                const Value value = of.value(record);
                return value ? made(abs(value->fraction)) : Value();
              }};
    }
    return {"-" + within(of, 7), 7, [of](const Record &record) -> Value {
              const Value value = of.value(record);
              return value ? made(-value->fraction) : Value();
            }};
  }

  Node rounded(int depth) {
    const Node of = number(depth - 1);
    const u64 how = below(3), places = below(5);
    string text =
        fmt::format("{}({}, {})", vector<string>{"round", "floor", "ceil"}[how], of.text, places);
    return {std::move(text), 9, [=](const Record &record) -> Value {
              const Value value = of.value(record);
              if (!value) return {};
              const mpq_class units = value->fraction * ten_to(places);
              const mpz_class whole = how == 0   ? floor_of(units + mpq_class(1, 2))
                                      : how == 1 ? floor_of(units)
                                                 : mpz_class(-floor_of(-units));
              return made(mpq_class(whole, ten_to(places)));
            }};
  }

  Node extreme(int depth) {
    const bool least = below(2) == 0;
    const Node a = number(depth - 1), b = number(depth - 1);
    return {fmt::format("{}({}, {})", least ? "min" : "max", a.text, b.text), 9,
            [=](const Record &record) -> Value {
              const Value x = a.value(record), y = b.value(record);
              if (!x || !y) return x ? x : y;
              const int order = order_of(*y, *x);
              return (least ? order < 0 : order > 0) ? y : x;
            }};
  }

  // Fields as they are would stay text.
  Node choice(int depth) {
    const Node when = condition(depth - 1), yes = number(depth - 1), no = number(depth - 1);
    switch (below(3)) {
      case 0:
        return {fmt::format("(0 + if({}, {}, {}))", when.text, yes.text, no.text), 9,
                [=](const Record &record) {
                  return when.value(record)->fraction != 0 ? normal(yes, record)
                                                           : normal(no, record);
                }};
      case 1:
        return {fmt::format("(0 + only({}, {}))", when.text, yes.text), 9,
                [=](const Record &record) {
                  return when.value(record)->fraction != 0 ? normal(yes, record) : Value();
                }};
      default:
        return {fmt::format("(0 + coalesce({}, {}))", yes.text, no.text), 9,
                [=](const Record &record) {
                  const Value value = normal(yes, record);
                  return value ? value : normal(no, record);
                }};
    }
  }
  static Value normal(const Node &node, const Record &record) {
    const Value value = node.value(record);
    return value ? made(value->fraction) : value;
  }

  static Value truth(bool holds) { return Exact{holds ? 1 : 0, true}; }

  Node condition(int depth) {
    if (depth > 0 && below(3) == 0) return joined(depth);
    // A lone field would be compared as text where it is no number.
    Node a = number(depth - 1), b = number(depth - 1);
    a.text = "0 + " + within(a, 6);
    const u64 which = below(6);
    const string sign = vector<string>{"==", "!=", "<", "<=", ">", ">="}[which];
    return {a.text + " " + sign + " " + within(b, 5), 3, [=](const Record &record) {
              const Value x = normal(a, record), y = b.value(record);
              if (!x || !y) return truth(false);
              const int order = order_of(*x, *y);
              const bool holds[] = {order == 0, order != 0, order < 0,
                                    order <= 0, order > 0,  order >= 0};
              return truth(holds[which]);
            }};
  }
  Node joined(int depth) {
    const Node a = condition(depth - 1);
    if (below(3) == 0) {
      return {"not (" + a.text + ")", 2,
              [a](const Record &record) { return truth(a.value(record)->fraction == 0); }};
    }
    const Node b = condition(depth - 1);
    const bool both = below(2) == 0;
    return {fmt::format("({}) {} ({})", a.text, both ? "and" : "or", b.text), 1,
            [=](const Record &record) {
              const bool x = a.value(record)->fraction != 0, y = b.value(record)->fraction != 0;
              return truth(both ? x && y : x || y);
            }};
  }

  Random *random_;
};

Record random_record(Random *random) {
  static const vector<string> kValues = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "10",
                                         "7",
                                         "0.5",
                                         "1.50",
                                         "-2.5",
                                         "0.1",
                                         "0.2",
                                         "123456",
                                         "-0.0001",
                                         "1000",
                                         "99999999.99",
                                         "",
                                         "-",
                                         "-12345678901234567",
                                         "0.123456789012345678",
                                         "98765432109876543210.5"};
  Record record;
  for (auto &value : record) {
    if ((*random)() % 10 != 0) value = kValues[(*random)() % kValues.size()];
  }
  return record;
}

// What the expression is of each record.
vector<string> texts_of(const ComputedField &computed, const vector<Record> &records) {
  const auto batch = std::make_unique<RecordBatch>();
  batch->size = std::ssize(records);
  batch->fields.resize(kFields);
  vector<size_t> columns;
  for (const FieldName &name : computed.fields()) {
    columns.push_back(static_cast<size_t>(name.text[0] - 'a'));
  }
  for (size_t i = 0; i < records.size(); ++i) {
    for (size_t k = 0; k < kFields; ++k) {
      batch->fields[k][i] = records[i][k] ? keep_text(*records[i][k], &batch->unescaped) : Bytes();
    }
  }
  const FilterInput input{*batch, columns, &batch->unescaped, nullptr};
  auto *out = new_column<TextColumnOf>(&batch->unescaped);
  computed.texts().fill(input, first_bits(batch->size), out);
  vector<string> texts;
  for (size_t i = 0; i < records.size(); ++i) {
    texts.emplace_back((*out)[i].data() == nullptr ? "(missing)" : string((*out)[i]));
  }
  return texts;
}

TEST(ExpressionsAgainstNaive, OfNumbersAreExact) {
  Random random(first_seed());
  Generator generator(&random);
  for (i64 i = 0; i < kExpressions * rounds(); ++i) {
    const Node node = generator.number(1 + static_cast<int>(random() % 4));
    const string text = "0 + (" + node.text + ")";
    vector<Record> records;
    for (int k = 0; k < kRecords; ++k) records.push_back(random_record(&random));
    Result<Expression> parsed = parse_expression(text, {{}});
    ASSERT_TRUE(parsed.is_ok()) << parsed.status().message();
    const auto computed = ComputedField::make(std::move(*parsed), {});
    ASSERT_TRUE(computed.is_ok()) << computed.status().message();
    const vector<string> texts = texts_of(**computed, records);
    for (size_t k = 0; k < records.size(); ++k) {
      const Value value = node.value(records[k]);
      const string expected = text_of(value ? made(value->fraction) : value);
      ASSERT_EQ(texts[k], expected) << text << " of record " << testing::PrintToString(records[k]);
    }
  }
}

}  // namespace
}  // namespace mrc
