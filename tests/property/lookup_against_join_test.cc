// Fields of tables against mrc join: select --lookup prints what join --left --stable does, whose
// own answers are those of nested loops; with any threads, splits, memory and formats.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 30;
#else
constexpr int kRounds = 150;
#endif

class Lookups : public testing::Test {
 protected:
  string answer(const string &command) {
    const string script = "cd " + folder_.path(".") + " && " + command + " > out 2> err";
    EXPECT_EQ(WEXITSTATUS(run_shell(script)), 0) << command << "\n" << folder_.read("err");
    return folder_.read("out");
  }
  string key() {
    if (one_in(random_, 12)) return "";
    return one_in(random_, 10) ? "a \"key\", with all" : "k" + std::to_string(pick(random_, 1, 60));
  }
  static string csv(const string &value) {
    string text = "\"";
    for (char c : value) text.append(c == '"' ? 2 : 1, c);
    return text + "\"";
  }
  string records() {
    string text = "id,v\n";
    for (i64 i = pick(random_, 0, 1500); i > 0; --i) {
      text += csv(key()) + "," + std::to_string(i) + "\n";
    }
    return text;
  }
  // Each key once. As CSV, JSON, or CSV that is compressed.
  string write_table() {
    vector<string> seen = {""};
    string rows = "x,uid,y\nxa,one,ya\nxb,two,yb\n";  // enough to be CSV without being told
    for (i64 i = pick(random_, 0, 80); i > 0; --i) {
      const string id = key(), x = one_in(random_, 9) ? "" : "x\\" + std::to_string(i);
      if (std::ranges::find(seen, id) != seen.end()) continue;
      seen.push_back(id);
      rows += x + "," + csv(id) + ",y" + std::to_string(i) + "\n";
    }
    folder_.write("table", rows);
    if (one_in(random_, 3)) {
      answer("$MRC select -f csv --header-in yes -k x,uid,y --to json table > j && mv j table");
      return " --right-from json";
    }
    if (one_in(random_, 2)) answer("gzip -n table && mv table.gz table");
    return " --right-from csv --right-header-in yes";
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(Lookups, AreJoinsOfEachRecordWithOneAtMost) {
  static const vector<string> kSettings = {"", "-j1", "-j3 --split 7",
                                           "-j2 --split 300 --memory 4K", "-j4 --io mmap"};
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE(testing::Message() << "MRC_SEED=" << first_seed() << " round " << round);
    folder_.write("in", records());
    const string format = write_table(), to = one_in(random_, 2) ? " --to json" : " --to csv";
    const string joined =
        answer("$MRC join -k id=uid --left --stable -f csv --header-in yes" + format + to +
               " --header-out no --left-fields v --right-fields "
               "y,x in table");
    const string looked_up = answer("$MRC select " + one_of(random_, kSettings) +
                                    " -f csv --header-in yes --lookup t=table:id=uid -k "
                                    "id,v,t.y,t.x --header-out no" +
                                    to + " in");
    // A key that is missing is null in a join, and empty as a field of CSV.
    string expected = joined;
    for (size_t at; (at = expected.find("\"id\":null")) != string::npos;) {
      expected.replace(at, 9, "\"id\":\"\"");
    }
    string found = looked_up;
    for (const char *name : {"t.y", "t.x"}) {
      const string label = '"' + string(name) + "\":";
      for (size_t at; (at = found.find(label)) != string::npos;) {
        found.replace(at, label.size(), label.substr(0, 1) + label.substr(3));
      }
    }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace mrc
