// Sorting by keys prints what sort(1) of GNU prints. One row of kCases for each
// combination of its options; a last resort by the whole record is one more field.
#include "map/sort_key.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr SortField whole() { return {}; }
constexpr SortField bytes(i64 field) { return {.field = field}; }
constexpr SortField number(i64 field) { return {field, SortField::Type::number}; }
constexpr SortField desc(SortField field) {
  field.descending = true;
  return field;
}
constexpr SortField fold(SortField field) {
  field.ignore_case = true;
  return field;
}

struct Case {
  std::string options;  // of sort(1)
  SortKeySpec spec;
  bool unique = false;  // the first of those with the same key
};

const Case kCases[] = {
    {"", {{whole()}, {}}},
    {"-r", {{desc(whole())}, {}}},
    {"-n", {{number(0), whole()}, {}}},
    {"-nr", {{desc(number(0)), desc(whole())}, {}}},
    {"-f", {{fold(whole()), whole()}, {}}},
    {"-fr", {{desc(fold(whole())), desc(whole())}, {}}},
    {"-s -n", {{number(0)}, {}}},
    {"-s -nr", {{desc(number(0))}, {}}},
    {"-s -f", {{fold(whole())}, {}}},
    {"-u", {{whole()}, {}}, true},
    {"-ru", {{desc(whole())}, {}}, true},
    {"-nu", {{number(0)}, {}}, true},
    {"-fu", {{fold(whole())}, {}}, true},
    {"-u -t, -k2,2", {{bytes(2)}, ','}, true},
    {"-s -t, -k2,2", {{bytes(2)}, ','}},
    {"-t, -k2,2", {{bytes(2), whole()}, ','}},
    {"-t, -k2,2n -k1,1", {{number(2), bytes(1), whole()}, ','}},
    {"-t, -k3,3nr -k1,1", {{desc(number(3)), bytes(1), whole()}, ','}},
    {"-r -t, -k2,2", {{desc(bytes(2)), desc(whole())}, ','}},
    {"-r -t, -k2,2n -k1,1", {{number(2), desc(bytes(1)), desc(whole())}, ','}},
    {"-b -k2b,2", {{bytes(2), whole()}, {}}},
    {"-b -k2,2", {{bytes(2), whole()}, {}}},
    {"-k2,2n -k1b,1f", {{number(2), fold(bytes(1)), whole()}, {}}},
    {"-s -k3b,3r -k1,1n", {{desc(bytes(3)), number(1)}, {}}},
};

struct Keyed {
  std::string key;
  std::string record;
};

std::string sorted_by_keys(const Case &c, const std::string &text, char terminator) {
  const SortKeyEncoder encoder(c.spec);
  std::vector<Keyed> all;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find(terminator, at);
    Keyed &keyed = all.emplace_back(Keyed{"", text.substr(at, end - at)});
    encoder.append(keyed.record, &keyed.key);
    append_position(all.size(), &keyed.key);
    at = end + 1;
  }
  std::sort(all.begin(), all.end(), [](const Keyed &a, const Keyed &b) { return a.key < b.key; });
  auto same = [](const Keyed &a, const Keyed &b) {
    return Bytes(a.key).substr(0, a.key.size() - 8) == Bytes(b.key).substr(0, b.key.size() - 8);
  };
  if (c.unique) all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::string result;
  for (const Keyed &keyed : all) result += keyed.record + terminator;
  return result;
}

std::string visible(Bytes text) {
  std::string result;
  for (char c : text) {
    if (c >= ' ' && c < 0x7F) {
      result += c;
    } else {
      result += "\\" + std::to_string(static_cast<u8>(c)) + ";";
    }
  }
  return result;
}

void expect_as_sort(const std::string &text, char terminator) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", text);
  for (const Case &c : kCases) {
    const std::string options = c.options + (terminator == '\0' ? " -z" : "");
    ASSERT_EQ(run_shell("LC_ALL=C sort " + options + " " + in + " >" + folder.path("out")), 0);
    const std::string expected = folder.read("out");
    const std::string result = sorted_by_keys(c, text, terminator);
    if (result == expected) continue;
    const size_t at = static_cast<size_t>(
        std::mismatch(result.begin(), result.end(), expected.begin(), expected.end()).first -
        result.begin());
    ADD_FAILURE() << "sort " << options << ", byte " << at
                  << "\nkeys: " << visible(Bytes(result).substr(std::max<size_t>(at, 60) - 60, 120))
                  << "\nsort: "
                  << visible(Bytes(expected).substr(std::max<size_t>(at, 60) - 60, 120));
  }
}

const std::vector<std::string> kPieces = {"a",
                                          "b",
                                          "A",
                                          "B",
                                          "z",
                                          "Z",
                                          "[",
                                          "\\",
                                          "^",
                                          "_",
                                          "`",
                                          "{",
                                          "@",
                                          ",",
                                          ",",
                                          ",",
                                          " ",
                                          " ",
                                          "\t",
                                          "0",
                                          "1",
                                          "9",
                                          "-",
                                          ".",
                                          "-0",
                                          "00",
                                          "007",
                                          "10",
                                          "1.0",
                                          "1.50",
                                          "-.5",
                                          ".001",
                                          "+1",
                                          "1e5",
                                          "0x1",
                                          "1,000",
                                          "--5",
                                          "-1",
                                          "99999999999",
                                          "-",
                                          "\r",
                                          "\v",
                                          "\x01",
                                          "\x02",
                                          "\xFF",
                                          "\xC3\xA9",
                                          "123456789012345678901234567890.5"};

// Short records of few pieces, so that keys are often the same.
std::string random_records(std::mt19937_64 *random, std::vector<std::string> pieces,
                           char terminator) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const size_t longest = (*random)() % 8 == 0 ? 30 : 6;
    text += random_text(random, pieces, (*random)() % longest) + terminator;
  }
  return text;
}

TEST(SortKeyAgainstSort, AgreesOnLines) {
  std::mt19937_64 random(first_seed());
  std::vector<std::string> pieces = kPieces;
  pieces.push_back(std::string(1, '\0'));
  for (int round = 0; round < 4; ++round)
    expect_as_sort(random_records(&random, pieces, '\n'), '\n');
}

TEST(SortKeyAgainstSort, AgreesOnRecordsThatEndInNul) {
  std::mt19937_64 random(first_seed() + 1);
  std::vector<std::string> pieces = kPieces;
  pieces.push_back("\n");
  for (int round = 0; round < 2; ++round)
    expect_as_sort(random_records(&random, pieces, '\0'), '\0');
}

TEST(SortKeyAgainstSort, AgreesOnNumbers) {
  std::mt19937_64 random(first_seed() + 2);
  for (int round = 0; round < 2; ++round) {
    expect_as_sort(random_records(&random, {"-", ".", "0", "0", "1", "5", "9", ","}, '\n'), '\n');
  }
}

TEST(SortKeyAgainstSort, AgreesOnRandomBytes) {
  std::mt19937_64 random(first_seed() + 3);
  std::string text;
  for (int i = 0; i < 200000; ++i) {
    u8 byte = static_cast<u8>(random());
    // Sorting folds letters of all scripts, and sort -f in the C locale those of ASCII: there are
    // no first bytes of others.
    if (byte >= 0xC2 && byte < 0xF5) byte -= 0x40;
    // sort 9.1 -n takes 80 for the separator of thousands, of which C has none.
    text.push_back(static_cast<char>(byte == 0x80 ? 0x81 : byte));
  }
  expect_as_sort(text + "\n", '\n');
}

TEST(SortKeyAgainstSort, AgreesOnNothing) {
  expect_as_sort("", '\n');
  expect_as_sort("\n", '\n');
  expect_as_sort("\n\n", '\n');
}

}  // namespace
}  // namespace mrc
