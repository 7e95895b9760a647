#include "map/sort_key.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

using Random = std::mt19937_64;

constexpr SortField kNumber = {.type = SortField::Type::number};

std::string encoded(const SortField &field, Bytes value) {
  std::string key = "before";
  append_sort_field(field, value, &key);
  EXPECT_TRUE(key.starts_with("before"));
  return key.substr(6);
}

std::string hex(Bytes bytes) {
  std::string text;
  for (char c : bytes) {
    for (int digit : {static_cast<u8>(c) >> 4, c & 15}) text.push_back("0123456789abcdef"[digit]);
  }
  return text;
}

int sign_of(int value) { return (value > 0) - (value < 0); }

// memcmp, and the shorter first, as sorting compares keys.
int order(const std::string &a, const std::string &b) { return sign_of(a.compare(b)); }

// Pieces that are hard to tell apart, and random bytes.
std::string random_bytes(Random *random) {
  static const std::vector<std::string> pieces = {
      std::string(1, '\0'), "\x01", "\x02", "\xFF", "\xFE", "a", "A", "Z", "[", "_", "z", "b"};
  std::string text = random_text(random, pieces, (*random)() % 5);
  if ((*random)() % 3 == 0) text.push_back(static_cast<char>((*random)()));
  return text;
}

void expect_keys_compare(const SortField &field, Bytes a, Bytes b, int expected) {
  const std::string x = encoded(field, a), y = encoded(field, b);
  ASSERT_EQ(order(x, y), expected)
      << hex(a) << " as " << hex(x) << ", " << hex(b) << " as " << hex(y);
  ASSERT_FALSE(x != y && (x.starts_with(y) || y.starts_with(x))) << hex(x) << " " << hex(y);
}

TEST(SortKey, OrdersBytesAsMemcmpDoes) {
  Random random(first_seed());
  for (int i = 0; i < 20000; ++i) {
    const std::string a = random_bytes(&random), b = random_bytes(&random);
    expect_keys_compare({}, a, b, order(a, b));
    expect_keys_compare({.descending = true}, a, b, order(b, a));
  }
}

TEST(SortKey, FoldsToUpperCase) {
  const SortField field = {.ignore_case = true};
  Random random(first_seed() + 1);
  auto upper = [](std::string text) {
    for (char &c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::string a = random_bytes(&random), b = random_bytes(&random);
    expect_keys_compare(field, a, b, order(upper(a), upper(b)));
  }
  EXPECT_LT(encoded(field, "b"), encoded(field, "_"));  // it would be greater as lower case
}

TEST(SortKey, CostsOneByteForText) {
  EXPECT_EQ(hex(encoded({}, "ab")), "616200");
  EXPECT_EQ(hex(encoded({}, Bytes("a\0\1\2", 4))), "61010101020200");
  EXPECT_EQ(hex(encoded({.descending = true}, "ab")), "9e9dff");
}

// Compares numbers digit by digit, padded to the same width.
int compare_decimals(std::string a, std::string b) {
  auto normal = [](const std::string &text) {
    const bool negative = text[0] == '-';
    const size_t point = std::min(text.find('.'), text.size());
    std::string whole = text.substr(negative, point - negative);
    std::string fraction = text.substr(std::min(point + 1, text.size()));
    std::string digits = std::string(400 - whole.size(), '0') + whole + fraction +
                         std::string(400 - fraction.size(), '0');
    const bool zero = digits.find_first_not_of('0') == std::string::npos;
    return std::pair(zero ? 0 : negative ? -1 : 1, digits);
  };
  const auto [sign_a, digits_a] = normal(a);
  const auto [sign_b, digits_b] = normal(b);
  if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
  return sign_a * sign_of(digits_a.compare(digits_b));
}

std::string random_digits(Random *random, size_t longest) {
  std::string digits;
  for (size_t n = (*random)() % (longest + 1); n > 0; --n)
    digits.push_back("00159"[(*random)() % 5]);
  return digits;
}

std::string random_number(Random *random) {
  const size_t longest = (*random)() % 20 == 0 ? 300 : 4;
  std::string number = (*random)() % 3 == 0 ? "-" : "";
  number += random_digits(random, longest);
  if ((*random)() % 2 == 0) number += "." + random_digits(random, longest);
  return number;
}

TEST(SortKey, OrdersNumbersExactly) {
  Random random(first_seed() + 2);
  for (int i = 0; i < 50000; ++i) {
    const std::string a = random_number(&random), b = random_number(&random);
    const int expected = compare_decimals(a, b);
    expect_keys_compare(kNumber, a, b, expected);
    SortField descending = kNumber;
    descending.descending = true;
    expect_keys_compare(descending, a, b, -expected);
  }
}

// The length of numbers is kept in one byte, then in two, three and four.
TEST(SortKey, OrdersLongNumbers) {
  const size_t lengths[] = {1, 98, 99, 100, 101, 254, 255, 256, 257, 65535, 65536, 70000};
  std::vector<std::string> numbers = {"0"};
  for (size_t length : lengths) {
    numbers.push_back("1" + std::string(length - 1, '0'));
    numbers.push_back(numbers.back() + ".5");
    numbers.push_back(std::string(length, '9'));
    numbers.push_back(numbers.back() + ".5");
  }
  for (size_t i = 1; i < numbers.size(); ++i) {
    expect_keys_compare(kNumber, numbers[i - 1], numbers[i], -1);
    expect_keys_compare(kNumber, "-" + numbers[i], "-" + numbers[i - 1], -1);
    expect_keys_compare(kNumber, "-" + numbers[i], numbers[i], -1);
  }
}

TEST(SortKey, SeesTheSameNumberInAllItsSpellings) {
  const std::vector<std::vector<Bytes>> spellings = {
      {"-1.5", "-1.50", "-01.5", " \t-1.5", "-1.5x", "-1.5.9", "-1.5e9"},
      {"-.5", "-0.5", "-0.500"},
      {"0", "", "-", "-0", "00", "0.0", "-0.00", ".", "-.", "+1", "x1", "--1", "- 1", "\v1", "0x9",
       "\x80"
       "1"},
      {".001", "0.0010"},
      {"1", "1.0", "1.", "01", "1e5", "1,000", "1 2", Bytes("1\0", 2), "1\xFF", "\n1"},
      {"1.05"},
      {"1.5", "1.5 "},
      {"10", "10.0"},
      {"12.5", "12.50"}};
  for (size_t i = 0; i < spellings.size(); ++i) {
    for (Bytes spelling : spellings[i]) expect_keys_compare(kNumber, spelling, spellings[i][0], 0);
    if (i > 0) expect_keys_compare(kNumber, spellings[i - 1][0], spellings[i][0], -1);
  }
  EXPECT_EQ(hex(encoded(kNumber, "12.5")), "831964");
  EXPECT_EQ(hex(encoded(kNumber, "-7")), "7d73");
}

std::string keyed(const SortKeySpec &spec, Bytes record) {
  std::string key;
  SortKeyEncoder(spec).append(record, &key);
  return key;
}

// What the encoder takes for each field, in whatever order they are asked for.
std::vector<std::string> fields_of(Bytes record, std::optional<char> delimiter,
                                   const std::vector<i64> &numbers) {
  std::vector<std::string> values;
  for (i64 number : numbers) values.push_back(keyed({{{.field = number}}, delimiter}, record));
  std::string together, apart;
  SortKeySpec spec{{}, delimiter};
  for (i64 number : numbers) spec.fields.push_back({.field = number});
  for (std::string &value : values) {
    apart += value;
    value.pop_back();  // the terminator
  }
  EXPECT_EQ(hex(keyed(spec, record)), hex(apart));
  return values;
}

using Strings = std::vector<std::string>;

TEST(SortKeyEncoder, FindsDelimitedFields) {
  EXPECT_EQ(fields_of("a,b,,d", ',', {1, 2, 3, 4, 5}), (Strings{"a", "b", "", "d", ""}));
  EXPECT_EQ(fields_of("a,b,c", ',', {3, 3, 9, 1, 2, 0, 2, 1}),
            (Strings{"c", "c", "", "a", "b", "a,b,c", "b", "a"}));
  EXPECT_EQ(fields_of("", ',', {1, 2, 0}), (Strings{"", "", ""}));
  EXPECT_EQ(fields_of(",", ',', {1, 2, 3}), (Strings{"", "", ""}));
  EXPECT_EQ(fields_of(" a b\t", '\t', {1, 2}), (Strings{" a b", ""}));
  EXPECT_EQ(fields_of("a,b", ',', {INT64_MAX, 2}), (Strings{"", "b"}));
}

TEST(SortKeyEncoder, FindsFieldsBetweenBlanks) {
  EXPECT_EQ(fields_of("  a \t b,c  ", {}, {1, 2, 3}), (Strings{"a", "b,c", ""}));
  EXPECT_EQ(fields_of("a b", {}, {2, 1, 2, 0}), (Strings{"b", "a", "b", "a b"}));
  EXPECT_EQ(fields_of(" \t ", {}, {1, 2}), (Strings{"", ""}));
  EXPECT_EQ(fields_of("a\rb\vc d", {}, {1, 2}), (Strings{"a\rb\vc", "d"}));
}

// Field by field, then by position: what the keys must agree with.
int compare_by_fields(const std::vector<SortField> &fields, const Strings &a, const Strings &b) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const int by_value = fields[i].type == SortField::Type::number ? compare_decimals(a[i], b[i])
                                                                   : order(a[i], b[i]);
    if (by_value != 0) return fields[i].descending ? -by_value : by_value;
  }
  return 0;
}

TEST(SortKeyEncoder, OrdersBySeveralFieldsThenByPosition) {
  Random random(first_seed() + 3);
  for (int i = 0; i < 20000; ++i) {
    SortKeySpec spec{{}, ','};
    Strings values[2];
    std::string records[2], keys[2];
    for (i64 field = 1; field <= 3; ++field) {
      const bool number = random() % 2 == 0;
      spec.fields.push_back({.field = field,
                             .type = number ? SortField::Type::number : SortField::Type::bytes,
                             .descending = random() % 2 == 0});
      for (int k = 0; k < 2; ++k) {
        values[k].push_back(number ? random_number(&random) : random_bytes(&random));
        std::erase(values[k].back(), ',');
      }
      // Let the next field decide in half of the cases.
      if (random() % 2 == 0) values[1].back() = values[0].back();
    }
    const u64 positions[2] = {random() % 3 << 8 * (random() % 8), random() % 3};
    for (int k = 0; k < 2; ++k) {
      records[k] = values[k][0] + "," + values[k][1] + "," + values[k][2];
      keys[k] = keyed(spec, records[k]);
      append_position(positions[k], &keys[k]);
    }
    const int by_fields = compare_by_fields(spec.fields, values[0], values[1]);
    const int by_position = (positions[0] > positions[1]) - (positions[0] < positions[1]);
    ASSERT_EQ(order(keys[0], keys[1]), by_fields != 0 ? by_fields : by_position)
        << hex(records[0]) << " " << hex(records[1]);
  }
}

TEST(SortKeyEncoder, KnowsWhenRecordsAreTheirOwnKeys) {
  EXPECT_TRUE(SortKeyEncoder({{{}}, {}}).is_plain());
  EXPECT_TRUE(SortKeyEncoder({{{}}, ','}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{}, {}}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{{.field = 1}}, {}}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{{.descending = true}}, {}}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{{.ignore_case = true}}, {}}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{kNumber}, {}}).is_plain());
  EXPECT_FALSE(SortKeyEncoder({{{}, kNumber}, {}}).is_plain());
}

}  // namespace
}  // namespace mrc
