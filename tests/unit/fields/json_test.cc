#include "fields/json.h"

#include "base/json_text.h"
#include "base/text.h"
#include "expr/expr.h"
#include "support/seed.h"
#include "unit/fields/naive_json.h"
#include "unit/fields/read_batches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

using Fields = std::vector<MaybeText>;

std::unique_ptr<RecordReader> json_reader_of(const std::vector<FieldName> &wanted,
                                             char terminator = '\n') {
  Dialect dialect;
  dialect.format = &LineFormat::json;
  dialect.terminator = terminator;
  Result<std::unique_ptr<RecordReader>> reader = make_json_reader(dialect, wanted);
  EXPECT_TRUE(reader.is_ok());
  return std::move(*reader);
}

std::vector<FieldName> named(const std::vector<std::string> &names) {
  std::vector<FieldName> fields;
  for (const std::string &name : names) fields.push_back({name, -1});
  return fields;
}

Fields json_fields_of(const std::string &line, const std::vector<std::string> &names) {
  const ReadBatches read = read_text(*json_reader_of(named(names)), line);
  EXPECT_EQ(read.bad.size(), 0u) << line << ": " << read.bad[0].second;
  EXPECT_EQ(read.rows.size(), 1u);
  return read.rows.empty() ? Fields() : read.rows[0].fields;
}

// Why a line is bad; empty if it is not.
std::string reason_of(const std::string &line) {
  const ReadBatches read = read_text(*json_reader_of({}), line);
  EXPECT_EQ(read.bad.size() + read.rows.size(), 1u);
  return read.bad.empty() ? "" : read.bad[0].second;
}

TEST(Json, HasMembersByName) {
  EXPECT_EQ(
      json_fields_of(R"({"a":"x","b":1.50,"c":true,"d":false})", {"d", "a", "b", "z", "a", "c"}),
      (Fields{"false", "x", "1.50", std::nullopt, "x", "true"}));
}

TEST(Json, TakesNullForMissingAndTellsItFromEmpty) {
  EXPECT_EQ(json_fields_of(R"({"a":null,"b":"","c":{}})", {"a", "b", "c"}),
            (Fields{std::nullopt, "", "{}"}));
}

TEST(Json, TellsStringsFromOtherValues) {
  const std::string line =
      R"({"a":"x","b":1,"c":true,"d":{"e":"y"},"f":["z"],"g":"","h":"\u0041","i":"{}"})";
  const PaddedText padded(line);
  const Chunk chunk{padded.text(), 0, 0};
  RecordBatch batch;
  const char *next = chunk.bytes.data();
  json_reader_of(named({"a", "d.e", "f.0", "g", "h", "i", "b", "c", "d", "f"}))
      ->read(chunk, &next, &batch);
  ASSERT_EQ(batch.size, 1);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(is_json_string(batch.fields[i][0]), i < 6) << i;
}

TEST(Json, FollowsPaths) {
  const std::string line =
      R"({"a":{"b":[{"c":1},{"c":2, "d":[3,4]}],"0":"zero"},"e.f":5,"g":{"h.i":{"j":6}}})";
  EXPECT_EQ(json_fields_of(line, {"a.b.1.c", "a.b.0", "a.b.1.d.1", "a.0", "a.b.2", "a.b.c"}),
            (Fields{"2", R"({"c":1})", "4", "zero", std::nullopt, std::nullopt}));
  EXPECT_EQ(json_fields_of(line, {"e.f", "g.\"h.i\".j", "\"e.f\"", "g.h.i.j", "a.b.1"}),
            (Fields{"5", "6", "5", std::nullopt, R"({"c":2, "d":[3,4]})"}));
  EXPECT_EQ(json_fields_of(R"({"":{"":1}})", {"", "."}), (Fields{R"({"":1})", "1"}));
}

TEST(Json, TakesAWholeNameForOneMember) {
  const std::string line = R"({"a":{"b":1,"c\"d":2},"a.b":3,"x\"":4})";
  auto field_of = [&](const FieldName &name) {
    return read_text(*json_reader_of({name}), line).rows.at(0).fields.at(0);
  };
  EXPECT_EQ(field_of({"a.b", -1, true}), "3");
  EXPECT_EQ(field_of({"a.b", -1}), "1");
  EXPECT_EQ(field_of({"a.\"c\"\"d\"", -1}), "2");
  EXPECT_EQ(field_of({"x\"", -1, true}), "4");
}

// Each path that is found in a record names its value again.
TEST(Json, ReadsThePathsItFinds) {
  std::mt19937_64 random(first_seed());
  const std::vector<std::string> pieces = {"a", "7", " ", ".", ":", ",", "\"", "ü"};
  for (int round = 0; round < 500; ++round) {
    std::string inner, outer;
    for (u64 n = random() % 4; n > 0; --n) inner += pieces[random() % pieces.size()];
    for (u64 n = random() % 4; n > 0; --n) outer += pieces[random() % pieces.size()];
    std::string line = "{";
    append_json(outer, &line);
    line += ":{";
    append_json(inner, &line);
    line += ":\"value\"}}";
    const std::optional<Dialect> dialect =
        sniff_json({.format = &LineFormat::json}, line + "\n", true);
    ASSERT_EQ(dialect->names.size(), 1) << line;
    const Result<std::vector<FieldExpr>> exprs = parse_fields(dialect->names[0], {});
    ASSERT_TRUE(exprs.is_ok()) << line << dialect->names[0];
    const ReadBatches read = read_text(*json_reader_of({(*exprs)[0].field}), line);
    EXPECT_EQ(read.rows.at(0).fields, Fields{"value"}) << line << dialect->names[0];
  }
}

TEST(Json, HasTheWholeRecord) {
  const ReadBatches read =
      read_text(*json_reader_of({{"0", 0}, {"a", -1}}), " {\"a\": 1}\t\r\n{\"a\":2}");
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(read.rows[0], (ReadRow{" {\"a\": 1}\t", {" {\"a\": 1}\t", "1"}}));
  EXPECT_EQ(read.rows[1], (ReadRow{"{\"a\":2}", {"{\"a\":2}", "2"}}));
}

TEST(Json, KeepsNumbersAsTheyAreWritten) {
  for (const char *number : {"0", "-0", "1.0", "1e3", "1E-03", "0.10", "-12.50e+7",
                             "123456789012345678901234567890", "1e999"}) {
    EXPECT_EQ(json_fields_of(fmt::format("{{\"n\":{} }}", number), {"n"}), (Fields{number}));
  }
}

TEST(Json, UndoesEscapesInNamesAndStrings) {
  EXPECT_EQ(json_fields_of(R"({"\u0061\"":"\"\\\/\b\f\n\r\t\u20AC\ud83d\ude00\u0000."})", {"a\""}),
            (Fields{std::string("\"\\/\b\f\n\r\t\u20AC\U0001F600\0.", 17)}));
}

TEST(Json, TakesTheFirstOfMembersOfOneName) {
  EXPECT_EQ(json_fields_of(R"({"a":1,"a":2,"b":null,"b":3,"c":{"d":4},"c":{"e":5}})",
                           {"a", "b", "c.d", "c.e"}),
            (Fields{"1", std::nullopt, "4", std::nullopt}));
}

TEST(Json, PassesOverBlankLinesAndAByteOrderMark) {
  const ReadBatches read =
      read_text(*json_reader_of(named({"a"})), "\xEF\xBB\xBF\n \t\r\n{\"a\":1}\n\n{\"a\":2}\n\n");
  EXPECT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(read.bad.size(), 0u);
}

TEST(Json, SaysWhyALineIsBad) {
  EXPECT_EQ(reason_of("[1]"), "no JSON object");
  EXPECT_EQ(reason_of("17"), "no JSON object");
  EXPECT_EQ(reason_of("null"), "no JSON object");
  EXPECT_EQ(reason_of("GET / HTTP/1.1"), "no JSON object");
  EXPECT_EQ(reason_of(R"({"a":1,})"), "a member has no name in quotes");
  EXPECT_EQ(reason_of(R"({"a":[1,]})"), "a value that is none of JSON's");
  EXPECT_EQ(reason_of(R"({"a":1}{"a":2})"), "something follows the object");
  EXPECT_EQ(reason_of(R"({"a":1} x)"), "something follows the object");
  EXPECT_EQ(reason_of(R"({"a":1)"), "no comma between members");
  EXPECT_EQ(reason_of(R"({"a":)"), "ends too early");
  EXPECT_EQ(reason_of(R"({"a" 1})"), "no colon after a name");
  EXPECT_EQ(reason_of(R"({"a":"x)"), "a string that is not closed");
  EXPECT_EQ(reason_of("{\"a\":\"\t\"}"), "a control character in a string");
  EXPECT_EQ(reason_of("{\"a\":\"\xFF\"}"), "invalid UTF-8");
  EXPECT_EQ(reason_of(R"({"a":"\x"})"), "a wrong escape in a string");
  EXPECT_EQ(reason_of(R"({"a":"\ud83d"})"), "a wrong escape in a string");
  EXPECT_EQ(reason_of(R"({"a":"\udc00"})"), "a wrong escape in a string");
  EXPECT_EQ(reason_of(R"({"a":01})"), "a bad number");
  EXPECT_EQ(reason_of(R"({"a":1.})"), "a bad number");
  EXPECT_EQ(reason_of(R"({"a":NaN})"), "a value that is none of JSON's");
  EXPECT_EQ(reason_of(R"({"a":truex})"), "a value that is none of JSON's");
  EXPECT_EQ(reason_of(R"({"a":1})"), "");
}

TEST(Json, NestsAsDeepAsLogsDo) {
  const auto nested = [](size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(reason_of(nested(400)), "");
  EXPECT_EQ(reason_of(nested(100000)), "nested too deep");
}

TEST(Json, ReadsOnBehindBadLines) {
  const ReadBatches read =
      read_text(*json_reader_of(named({"a"})),
                "{\"a\":1}\n{\"a\":\"x\n{\"a\":2}\n\xFF\n{\"a\":3}\nx\\\n{\"a\":4}");
  ASSERT_EQ(read.rows.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(read.rows[i].fields, (Fields{std::to_string(i + 1)}));
  ASSERT_EQ(read.bad.size(), 3u);
  EXPECT_EQ(read.bad[0].first, "{\"a\":\"x");
  EXPECT_EQ(read.bad[1].second, "invalid UTF-8");
  EXPECT_EQ(read.bad[2].first, "x\\");
}

TEST(Json, TakesRecordsThatEndInNul) {
  const std::string text("{\"a\":\n1}\0{\"a\":2}\0\0\0{\"a\":3}\0", 27);
  const ReadBatches read = read_text(*json_reader_of(named({"a"}), '\0'), text);
  ASSERT_EQ(read.rows.size(), 3u);
  EXPECT_EQ(read.rows[2].fields, (Fields{"3"}));
  EXPECT_TRUE(read.bad.empty());
}

TEST(Json, TakesStringsOfAnyLength) {
  for (size_t size : {size_t{32700}, size_t{32768}, size_t{1} << 20, size_t{5} << 20}) {
    const std::string text(size, 'x');
    const ReadBatches read =
        read_text(*json_reader_of(named({"a", "b"})),
                  "{\"b\":0}\n{\"a\":\"\\u0041" + text + "\",\"b\":\"" + text + "\"}\n{\"b\":1}\n");
    ASSERT_EQ(read.rows.size(), 3u);
    EXPECT_EQ(read.rows[1].fields, (Fields{"A" + text, text}));
  }
}

TEST(Json, HasNoNumberedFields) {
  Dialect dialect;
  dialect.format = &LineFormat::json;
  const std::vector<FieldName> third = {{"3", 3}};
  EXPECT_EQ(make_json_reader(dialect, third).status().message(),
            "no field 3 in json; members have names, not numbers; \"3\" in quotes is a name");
}

// The value at the end of a path, as its field.
MaybeText naive_field(const NaiveJson &value, const std::vector<std::string> &path, size_t at) {
  if (at == path.size()) {
    if (value.kind == 'n') return std::nullopt;
    return value.kind == '"' ? value.meaning : value.text;
  }
  for (size_t i = 0; i < value.values.size(); ++i) {
    const std::string name = value.kind == '{' ? value.names[i] : std::to_string(i);
    if (name == path[at]) return naive_field(value.values[i], path, at + 1);
  }
  return std::nullopt;
}

bool is_utf8(Bytes text) {
  const PaddedText padded(text);
  const char *p = padded.text().data(), *end = p + text.size();
  while (p < end) {
    const i64 size = static_cast<unsigned char>(*p) < 0x80 ? 1 : decode_utf8(p, end).size;
    if (size == 0) return false;
    p += size;
  }
  return true;
}

class RandomJson {
 public:
  explicit RandomJson(u64 seed) : random_(seed) {}

  std::string value(int depth) {
    switch (random_() % (depth > 3 ? 5 : 8)) {
      case 0: return "null";
      case 1: return random_() % 2 ? "true" : "false";
      case 2: return std::to_string(static_cast<i64>(random_() % 20000) - 10000);
      case 3: return pick({"0.5", "-1e9", "1E+2", "0", "12345678901234567890123"});
      case 4: return string();
      case 5: return list('[', ']', depth);
      default: return list('{', '}', depth);
    }
  }
  std::string list(char open, char close, int depth) {
    std::string text(1, open);
    for (u64 i = 0, size = random_() % 5; i < size; ++i) {
      if (i > 0) text += ',' + blanks();
      if (open == '{') text += string() + blanks() + ':' + blanks();
      text += value(depth + 1) + blanks();
    }
    return text + close;
  }
  // One byte changed, or gone, or one more.
  void damage(std::string *text) {
    const size_t at = random_() % text->size();
    const std::string byte =
        pick({"\"", "{", "}", "[", "]", ":", ",", "\\", " ", "1", "x", "\xFF", "\x01", "\r", "-"});
    if (random_() % 3 == 0) {
      text->erase(at, 1);
    } else {
      text->replace(at, random_() % 2, byte);
    }
  }
  u64 operator()() { return random_(); }

 private:
  std::string pick(const std::vector<std::string> &of) { return of[random_() % of.size()]; }
  std::string blanks() { return pick({"", "", "", " ", "\t  "}); }
  std::string string() {
    return '"' +
           pick({"a", "b", "0", "1", "a", "long name of something", "", "\\n", "\\u0061", "\\\\",
                 "\u20AC", "x\\\"y", "\\ud83d\\ude00", "{", "],"}) +
           '"';
  }
  std::mt19937_64 random_;
};

TEST(Json, IsReadAsByTheNaiveParser) {
  const std::vector<std::string> paths = {"a", "b", "a.b", "a.0.b", "0", "1.a", "a.a.a", "b.1"};
  for (u64 round = 0; round < 300; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    RandomJson random(seed);
    std::vector<std::string> lines;
    std::string text;
    for (u64 i = 0, size = 1 + random() % 60; i < size; ++i) {
      std::string line = random.list('{', '}', 0);
      if (round % 3 != 0 && random() % (round % 3 == 1 ? 30 : 2) == 0) random.damage(&line);
      lines.push_back(line);
      text += line + "\n";
    }
    const ReadBatches read = read_text(*json_reader_of(named(paths)), text);
    size_t row = 0, bad = 0;
    for (const std::string &line : lines) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      std::optional<NaiveJson> naive = NaiveJsonParser(line).parse();
      if (!is_utf8(line) || (naive && naive->kind != '{')) naive.reset();
      if (!naive) {
        ASSERT_LT(bad, read.bad.size()) << line;
        ASSERT_EQ(read.bad[bad++].first,
                  line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        continue;
      }
      ASSERT_LT(row, read.rows.size()) << line;
      for (size_t k = 0; k < paths.size(); ++k) {
        std::vector<std::string> path;
        for (size_t at = 0; at <= paths[k].size(); at = paths[k].find('.', at) + 1) {
          path.push_back(paths[k].substr(at, paths[k].find('.', at) - at));
          if (paths[k].find('.', at) == std::string::npos) break;
        }
        const MaybeText expected = naive_field(*naive, path, 0);
        ASSERT_EQ(read.rows[row].fields[k], expected) << paths[k] << " of " << line;
      }
      ++row;
    }
    ASSERT_EQ(row, read.rows.size());
    ASSERT_EQ(bad, read.bad.size());
  }
}

TEST(SniffJson, TakesLinesOfObjects) {
  const std::optional<Dialect> dialect = sniff_json(
      {},
      "\xEF\xBB\xBF{\"a\":1,\"b\":{\"c.d\":[{\"x\":1}],\"e\":{}}}\n\n{\"a\":2,\"f\":null}\n{\"cut",
      false);
  ASSERT_TRUE(dialect.has_value());
  EXPECT_EQ(dialect->format, &LineFormat::json);
  EXPECT_TRUE(dialect->open);
  EXPECT_EQ(dialect->names, (std::vector<std::string>{"a", "b.\"c.d\"", "f"}));
  EXPECT_EQ(dialect->reason, "2 of the first 2 records are JSON objects");
}

TEST(SniffJson, LeavesOtherTextAlone) {
  for (const char *text : {"", "\n", "{\n", "[1]\n", "{}\nx\n", "{\"a\": 1\n", "text\n"}) {
    EXPECT_FALSE(sniff_json({}, text, true).has_value()) << text;
  }
  EXPECT_TRUE(sniff_json({}, "{\"a\": 1", false).has_value());
  FormatSpec told;
  told.format = &LineFormat::json;
  EXPECT_TRUE(sniff_json(told, "text\n", true).has_value());
  told.format = &LineFormat::csv;
  EXPECT_FALSE(sniff_json(told, "{}\n", true).has_value());
}

}  // namespace
}  // namespace mrc
