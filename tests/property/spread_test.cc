// --each and --stack against records that are written out: a job that makes several records of one
// prints what the job without it prints of these, with any threads, splits, memory and container.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 20;
#else
constexpr int kRounds = 60;
#endif

class Spreads : public testing::Test {
 protected:
  string answer(const string &command) {
    const string script = "cd " + folder_.path(".") + " && " + command + " > out 2> err";
    EXPECT_EQ(WEXITSTATUS(run_shell(script)), 0) << command << "\n" << folder_.read("err");
    return folder_.read("out");
  }
  string settings() {
    string text = " -j" + std::to_string(pick(random_, 1, 8));
    if (one_in(random_, 2)) text += " --split " + std::to_string(pick(random_, 1, 5000));
    if (one_in(random_, 3)) text += " --memory 64K";
    return text;
  }
  string word() {
    const char *words[] = {"a", "b", "cc", "", "x y", "12", "-3", "ü"};
    return words[pick(random_, 0, 7)];
  }
  // Mostly few; sometimes more than a batch has records.
  i64 number() { return one_in(random_, 40) ? pick(random_, 500, 1200) : pick(random_, 0, 4); }

  // Compares the job on `many` with that on `one`, which has the records written out.
  void compare(const string &spread, const string &job) {
    const string want = answer("$MRC " + job + " one");
    const string command = "$MRC " + job + " " + spread + settings();
    EXPECT_EQ(answer(command + " many"), want) << command;
    if (!one_in(random_, 4)) return;
    answer("gzip -kfn many");
    EXPECT_EQ(answer(command + " many.gz"), want) << command;
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(Spreads, ElementsAreRecords) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    string many, one;
    for (i64 id = pick(random_, 1, 400); id > 0; --id) {
      const string begin = "{\"id\":" + std::to_string(id);
      string array;
      for (i64 left = number(); left > 0; --left) {
        const string escaped = one_in(random_, 5) ? "\\u0041\\n" : word();
        const string element = one_in(random_, 9)
                                   ? "null"
                                   : "{\"s\": \"" + escaped +
                                         "\" ,\"n\":" + std::to_string(pick(random_, -5, 99)) + "}";
        array += (array.empty() ? "" : one_in(random_, 3) ? " ,\t" : ",") + element;
        one += begin + ",\"items\":" + element + "}\n";
      }
      const bool lacks = one_in(random_, 20);
      if (lacks) one += begin + "}\n";
      if (lacks) array.clear();
      many += lacks ? begin + "}\n" : begin + ",\"items\":[" + array + "]}\n";
      // The elements of a record that lacks them were written already.
      if (lacks) {
        const size_t first = one.find(begin + ",");
        if (first != string::npos) one.erase(first, one.rfind(begin + "}") - first);
      }
    }
    folder_.write("many", many);
    folder_.write("one", one.empty() ? "{\"id\":0}\n" : one);
    if (one.empty()) continue;
    for (const char *job : {"select -f json --to json -k id,items.s,items.n,items",
                            "select -f json -k id,items.n -w 'items.n > 20 or items.s == \"a\"'",
                            "count -f json -k items.s", "distinct -f json --stable -k items.n",
                            "stats -f json -k items.s -a sum:items.n,max:items.n,first:id,last:id",
                            "select -f json --top 30 -k id,items.n"}) {
      compare("--each items", job);
    }
  }
}

TEST_F(Spreads, PiecesAreRecords) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const string separator = one_in(random_, 2) ? ";" : "||";
    string many = "id,tags,v\n", one = many;
    for (i64 id = pick(random_, 1, 400); id > 0; --id) {
      string tags;
      const i64 pieces = number();
      for (i64 i = 0; i < pieces; ++i) {
        const string tag = pieces == 1 ? "only" : word();
        tags += (i == 0 ? "" : separator) + tag;
        one += std::to_string(id) + ",\"" + tag + "\"," + std::to_string(id % 7) + "\n";
      }
      many += std::to_string(id) + ",\"" + tags + "\"," + std::to_string(id % 7) + "\n";
    }
    folder_.write("many", many);
    folder_.write("one", one);
    for (const char *job : {"select -f csv -H --to csv -k id,tags,v,2", "count -f csv -H -k tags,v",
                            "distinct -f csv -H --stable -k tags",
                            "stats -f csv -H -k 2 -a sum:v,count,first:id,last:id",
                            "select -f csv -H -k id -w 'tags == \"b\" and v > 2'"}) {
      compare("--each 'tags:" + separator + "'", job);
    }
  }
}

TEST_F(Spreads, ColumnsAreRecords) {
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    string many = "a,id,b,c,d\n", one = "id,c,key,value\n";
    for (i64 id = pick(random_, 1, 400); id > 0; --id) {
      vector<string> cells;
      for (int i = 0; i < 4; ++i)
        cells.push_back(one_in(random_, 9) ? "" : std::to_string(pick(random_, 0, 50)));
      const string name = std::to_string(id);
      many += cells[0] + "," + name + "," + cells[1] + "," + cells[2] + "," + cells[3] + "\n";
      one += name + "," + cells[2] + ",d," + cells[3] + "\n";
      one += name + "," + cells[2] + ",a," + cells[0] + "\n";
      one += name + "," + cells[2] + ",b," + cells[1] + "\n";
    }
    folder_.write("many", many);
    folder_.write("one", one);
    for (const char *job : {"select -f csv -H --to csv -k '*'", "select -f csv -H -k 4,3,2,1",
                            "count -f csv -H -k key,value -w 'value > 10'",
                            "stats -f csv -H -k key -a sum:value,first:id,last:value",
                            "distinct -f csv -H --stable -k value"}) {
      compare("--stack d,a,b", job);
    }
  }
}

}  // namespace
}  // namespace mrc
