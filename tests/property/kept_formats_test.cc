// --state of files whose first lines do not show yet how they are read.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class KeptFormats : public testing::Test {
 protected:
  // Returns the answer; "failed" if the records of the input do not have the field.
  string answer(const string &arguments) {
    const string in = "cd " + folder_.path(".") + "; $MRC ";
    const int status = run_shell(in + arguments + " >out 2>err");
    return status == 0 ? folder_.read("out") : "failed";
  }

  TemporaryFolder folder_;
};

string number(Random &random) { return std::to_string(random() % 5); }

string csv_line(Random &random) { return number(random) + "," + number(random) + "\n"; }
string json_line(Random &random) {
  const string more = random() % 2 == 0 ? "" : R"(,"b":"x")";
  return R"({"a":)" + number(random) + more + "}\n";
}
string text_line(Random &random) { return " word" + number(random) + " x\n"; }
string log_line(Random &random) {
  return "2026-01-0" + std::to_string(random() % 9 + 1) + " 10:00:00 " +
         one_of<string>(random, {"INFO", "WARN", "[main] ERROR"}) + " text " + number(random) +
         "\n";
}
string access_line(Random &random) {
  return "10.0.0." + number(random) + " - - [01/Jan/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 " +
         number(random) + "\n";
}

TEST_F(KeptFormats, CountAsIfAllWereReadAnew) {
  using Line = string (*)(Random &);
  const std::initializer_list<Line> kinds = {csv_line, json_line, text_line, log_line, access_line};
  int answers = 0, failures = 0;
  for (u64 seed = first_seed(); seed < first_seed() + 25 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto verb = one_of<string>(random, {"count -k 1 ", "count -k 2 ", "stats -k 1 -a count ",
                                              "sort -k 1 ", "select -k 1 ", "wordcount "});
    const string state = "state" + std::to_string(seed);
    string text = one_of<string>(random, {"", "a,b\n", "a\n", "a b\n"});
    Line kind = text_line;
    for (int step = 0; step < 5; ++step) {
      if (random() % 2 == 0) kind = one_of<Line>(random, kinds);
      for (u64 lines = random() % 6; lines > 0; --lines) text += kind(random);
      folder_.write("log", text);
      const string expected = answer(verb + "log");
      ++(expected == "failed" ? failures : answers);
      EXPECT_EQ(answer(verb + "--state " + state + " log"), expected) << step << "\n" << text;
      EXPECT_EQ(answer(verb + "--state " + state + " log"), expected) << step << "\n" << text;
    }
  }
  EXPECT_GT(answers, failures);
}

TEST_F(KeptFormats, AreReadAgainWithANote) {
  folder_.write("table", "day,bytes\n");
  EXPECT_EQ(answer("count -k 1 --state kept table"), answer("count -k 1 table"));
  folder_.write("table", "day,bytes\nmon,1\ntue,2\nmon,3\n");
  EXPECT_EQ(answer("count -k 1 --state kept table"), "mon\t2\ntue\t1\n");
  EXPECT_EQ(folder_.read("err"),
            "mrc: info: table: its records are read otherwise than they were: all is read again\n");
  folder_.write("table", "day,bytes\nmon,1\ntue,2\nmon,3\nmon,4\n");
  EXPECT_EQ(answer("count -k 1 --state kept table"), "mon\t3\ntue\t1\n");
  EXPECT_EQ(folder_.read("err"), "");
}

}  // namespace
}  // namespace mrc
