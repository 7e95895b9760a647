// Tables of SQLite against the same rows as JSON: random values of all types, with and without
// rowids. The same answers with any threads.
#include "base/json_text.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <charconv>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 3;
#else
constexpr int kRounds = 10;
#endif

// A value as SQL and as JSON.
struct Value {
  string sql, json;
};

string in_quotes(const string &text) {
  string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

Value value_of(Random &random) {
  static const vector<string> kTexts = {"",
                                        "-",
                                        "a\tb",
                                        "two\nlines",
                                        "it's",
                                        "\"q\",x",
                                        "\\N",
                                        "caf\xc3\xa9",
                                        "null",
                                        "007",
                                        "\xef\xbb\xbfmark"};
  const i64 kind = pick(random, 0, 5);
  if (kind == 0) return {"NULL", "null"};
  if (kind == 1) {
    const string number = std::to_string(pick(random, -1000, 1000));
    return {number, number};
  }
  if (kind == 2) {
    const string number = std::to_string(random() % 2 == 0 ? INT64_MAX : INT64_MIN + 1);
    return {number, number};
  }
  if (kind == 3) {
    const double number = static_cast<double>(pick(random, -1000000, 1000000)) + 0.25;
    char text[40];
    const string shortest(text, std::to_chars(text, text + sizeof text, number).ptr);
    return {shortest, shortest};
  }
  if (kind == 4) return {"x'00ff0A'", "\"00FF0A\""};
  const string &text = one_of(random, kTexts);
  string json;
  append_json(text, &json);
  return {in_quotes(text), json};
}

class Databases : public testing::Test {
 protected:
  string answer(const string &command) {
    last_ = fmt::format("cd {} && $MRC {} >out 2>err", folder_.path("."), command);
    run_shell(last_);
    return folder_.read("out");
  }
  void execute(const string &path, const string &sql) {
    sqlite3 *database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char *error = nullptr;
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(database);
  }

  Random random_{first_seed()};
  const TemporaryFolder folder_;
  string last_;
};

TEST_F(Databases, HaveTheAnswersOfTheirRows) {
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    string sql = "PRAGMA synchronous=off; PRAGMA page_size=512; BEGIN;", json;
    const bool has_rowid = !one_in(random_, 3);
    sql += fmt::format(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, \"k\", \"a b\", c){};"
        "CREATE INDEX i ON t(c); CREATE VIEW v AS SELECT * FROM t ORDER BY id;",
        has_rowid ? "" : " WITHOUT ROWID");
    i64 id = pick(random_, -50, 50);
    for (i64 i = pick(random_, 0, one_in(random_, 3) ? 20000 : 100); i > 0; --i) {
      id += one_in(random_, 100) ? pick(random_, 1, 1000000000) : 1;
      const Value k = value_of(random_), a = value_of(random_), c = value_of(random_);
      sql += fmt::format("INSERT INTO t VALUES({},{},{},{});", id, k.sql, a.sql, c.sql);
      json +=
          fmt::format("{{\"id\":{},\"k\":{},\"a b\":{},\"c\":{}}}\n", id, k.json, a.json, c.json);
    }
    const string path = folder_.path("x.db");
    run_shell("rm -f " + path);
    execute(path, sql + "COMMIT;");
    folder_.write("x.json", json);
    for (const char *command :
         {"count -k k", "stats -k id:100 -a 'count,sum:\"a b\",max:id,distinct:c'",
          "select -k 4,id,'\"a b\"'", "stats -a count", "select -w 'id > 0'", "distinct -c -k k,c",
          "select -k id,c -w 'c > 10 and c < 500.5'", "count -k k -w 'id <= 0'",
          "stats -a 'count,sum:c' -w 'c between -700.25 and 7 or c:num == 100'",
          "stats -a count -w 'not c >= 3'", "stats -a count -w 'c != 5 and id > -20'"}) {
      const bool by_number = string(command).find("-k 4") != string::npos;
      const string expected = answer(
          fmt::format("{} -f json x.json", by_number ? "select -k c,id,'\"a b\"'" : command));
      for (const char *input : {"sqlite:x.db?table=t", "sqlite:x.db?table=v",
                                "sqlite:x.db?query=SELECT * FROM t ORDER BY id"}) {
        const string got = answer(fmt::format("{} -j{} '{}'", command, pick(random_, 1, 4), input));
        EXPECT_EQ(got, expected) << last_ << " in round " << round << ": " << folder_.read("err");
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace mrc
