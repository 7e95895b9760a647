// With worker processes, a job has the answer that it has with threads: byte for byte, messages
// included, whatever the input is and however it comes.
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;

class IsolatedJobs : public testing::Test {
 protected:
  IsolatedJobs() {
    string log, bad, csv = "name,size,time\n";
    for (i64 i = 0; i < 60000; ++i) {
      const string group = "g" + std::to_string(i * 7919 % 1009);
      log += std::to_string(i) + " " + group + " words of line\n";
      csv += group + "," + std::to_string(i % 977) +
             ".25,2026-11-23T10:00:" + std::to_string(10 + i % 50) + "\n";
      bad += i % 5003 == 77 ? "{\"name\":\n"
                            : "{\"name\":\"" + group +
                                  "\",\"size\":" + (i % 4001 == 400 ? "\"x\"" : "7") + "}\n";
    }
    folder_.write("log", log);
    folder_.write("ragged", log + "no end");
    folder_.write("bad.json", bad);
    folder_.write("t.csv", csv);
    folder_.write("empty", "");
    folder_.write("nul", string("a\0b\n\0\n", 6));
    folder_.write("log.gz", gzipped(log));
    folder_.write("log.zst", zstandard(log));
  }

  string in_folder(string command) const {
    for (size_t place; (place = command.find("@/")) != string::npos;) {
      command.replace(place, 2, folder_.path(""));
    }
    return command;
  }
  // Status, answer and messages.
  string outcome(const string &command) const {
    const int status = run_shell(in_folder("{ " + command + "; } > @/out 2>@/err"));
    return std::to_string(WEXITSTATUS(status)) + "\n" + folder_.read("out") + "--\n" +
           folder_.read("err");
  }
  void expect_same(const string &job, const string &more = "") const {
    const string plain = outcome("$MRC " + job);
    for (const string workers : {"1", "3"}) {
      const string options = " --isolate --split 64K -j" + workers + " " + more;
      EXPECT_EQ(outcome("$MRC " + job + options), plain) << job << options;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(IsolatedJobs, AnswerAsWithThreads) {
  const string jobs[] = {
      "wordcount @/log",
      "wordcount @/ragged @/log @/empty @/nul",
      "count @/log",
      "count --distinct @/log",
      "count -k 2 --top 10 @/log",
      "distinct @/log",
      "stats -k name -a count,sum:size,p95:size,distinct:time,first:size,last:size @/t.csv",
      "stats -k name -a min:size,max:size,mode:size,stddev:size --total @/t.csv",
      "stats -k name -a 'share:size,argmax(size, time),top(2, time, sum:size)' @/t.csv",
      "stats -k name -a 'list:size,distinct_list:time,mad:size,sessions(time, 1h)' @/t.csv",
      "stats -k name -a 'bins(size, 5),entries(time, 1h, size)' @/t.csv",
      "stats -k name --head 3 @/t.csv",
      "stats -a count,sum:size @/t.csv",
      "stats -k time:minute -a count --to json @/t.csv",
      "hist -k size @/t.csv",
      "index @/log",
      "index --positions line @/log @/ragged",
      "index --positions byte @/log",
      "online @/log",
  };
  for (const string &job : jobs) expect_same(job);
}

TEST_F(IsolatedJobs, PutRecordsInOrder) {
  const string jobs[] = {
      "sort @/log @/ragged @/empty @/nul",
      "sort -r -k 2 -s @/log",
      "sort -u -k 2 @/log",
      "sort --top 7 -k 2 @/log",
      "sort --top 0 @/log",
      "sort -k size:num:desc,name @/t.csv",
      "sort -k name -w 'size > 900' --top 100 @/t.csv",
      "sort -k size:num @/bad.json",
      "sort --record 16 @/log",
      "sort --memory 1M -k 3 @/log @/ragged",
  };
  for (const string &job : jobs) expect_same(job);
}

TEST_F(IsolatedJobs, PrintTextInTheOrderOfTheInput) {
  const string jobs[] = {
      "grep g7 @/log @/ragged @/empty @/nul",
      "grep -n g77 @/log @/log.gz",
      "grep -c g77 @/log @/log.gz",
      "grep -c nothing @/log",
      "grep -l g77 @/empty @/log",
      "grep -q g77 @/log",
      "grep -v -m 5 g7 @/log @/ragged",
      "grep -o 'g7[0-9]' @/log",
      "grep --to json g77 @/log",
      "select -k name,size -w 'size > 900' @/t.csv",
      "select -k name,size --to json --top 1000 @/t.csv @/t.csv",
      "select -k name --top 0 @/t.csv",
      "select -k name --tail 10 --tac @/t.csv",
      "select -k name,size @/bad.json",
      "select -k name,size --top 9000 @/bad.json",
      "select -w 'size > 900' --header-out yes @/t.csv",
  };
  for (const string &job : jobs) expect_same(job);
  EXPECT_EQ(outcome("cat @/log | $MRC grep -n g77 --isolate -j2"),
            outcome("$MRC grep -n g77 @/log"));
}

TEST_F(IsolatedJobs, ReadWhatIsCompressedOrComesOnce) {
  expect_same("wordcount @/log.gz @/log.zst @/log");
  expect_same("index --positions line @/log.gz");
  const string plain = outcome("$MRC wordcount @/log");
  for (const string before : {"cat @/log | ", "cat @/log.gz | "}) {
    EXPECT_EQ(outcome(before + "$MRC wordcount --isolate -j2 --split 64K"), plain) << before;
  }
  EXPECT_EQ(outcome("$MRC wordcount --isolate - < @/log.gz"), plain);
  EXPECT_EQ(outcome("$MRC wordcount --isolate - < @/log"), plain);
}

TEST_F(IsolatedJobs, SayWhatIsBadOfTheInput) {
  expect_same("stats -k name -a sum:size @/bad.json");
  expect_same("stats -k name -a sum:size --strict @/bad.json");
  expect_same("count @/log @/missing");
  // Compressed data that ends too early.
  folder_.write("cut.gz", folder_.read("log.gz").substr(0, 60000));
  expect_same("count @/cut.gz @/log");
}

TEST_F(IsolatedJobs, KeepBadRecords) {
  outcome("$MRC stats -k name -a sum:size --bad @/plain @/bad.json");
  outcome("$MRC stats -k name -a sum:size --bad @/isolated --isolate -j3 --split 64K @/bad.json");
  EXPECT_FALSE(folder_.read("plain").empty());
  EXPECT_EQ(folder_.read("isolated"), folder_.read("plain"));
}

TEST_F(IsolatedJobs, FitInLittleMemory) {
  string keys;
  for (i64 i = 0; i < 600000; ++i) keys += "key" + std::to_string(i * 7919 % 400009) + "\n";
  folder_.write("keys", keys);
  expect_same("count -k 1 @/keys", "--memory 24M");
  expect_same("stats -f csv --header-in no -k 1 -a count @/keys", "--memory 24M");
}

// A job with rounds has new workers in each.
TEST_F(IsolatedJobs, GoRoundAfterRound) {
  const string job = "run --force-plugin " MRC_TEST_PLUGINS "/every_job.so rounds";
  expect_same(job + " @/log");
}

TEST_F(IsolatedJobs, AreRefusedWhereNothingIsHandedOver) {
  for (const string job :
       {"sort -c @/log", "distinct -c --approx @/log", "join -k 1 @/log @/log",
        "count --live @/log", "grep --checkpoint @/kept --output @/out x @/log",
        "count --follow @/log", "count --state @/kept @/log", "count --checkpoint @/kept @/log",
        "wordcount --tile 1M @/log", "wordcount --container tree @/log"}) {
    const string said = outcome("$MRC " + job + " --isolate");
    EXPECT_TRUE(said.starts_with("2\n--\nmrc: error: ")) << said;
    EXPECT_NE(said.find("--isolate"), string::npos) << said;
  }
  EXPECT_NE(outcome("$MRC count --unit-timeout 5s @/log").find("there is no --isolate"),
            string::npos);
}

}  // namespace
}  // namespace mrc
