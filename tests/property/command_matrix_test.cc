// Commands as users type them, on records of which some are bad: the same bytes on both
// outputs, the same bad records and the same status, whatever the threads, splits, memory,
// containers and switches. That the plainest setting is right is for the tests against naive
// programs.
#include "base/int.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 15;
#else
constexpr i64 kRounds = 80;
#endif
constexpr i64 kSettings = 5;

// ---- Input -----------------------------------------------------------------------------

struct Record {
  string key, number, text;
  i64 time;
};

Record random_record(Random &random, i64 keys) {
  Record record;
  record.key = "k" + std::to_string(pick(random, 1, keys));
  switch (pick(random, 0, 9)) {
    case 0:
      record.number = one_of<string>(random, {"n/a", "-", "1e3", "0x1", "99999999999999999999"});
      break;
    case 1:
      record.number = fmt::format("{}.{}", pick(random, -99, 99), pick(random, 0, 999));
      break;
    default: record.number = std::to_string(pick(random, -50, 3000));
  }
  record.text =
      one_of<string>(random, {"a", "b", "sch\u00f6n", "x y", "a long text of more than 32 bytes"});
  if (one_in(random, 3)) record.text += std::to_string(pick(random, 0, 5000));
  record.time = 1700000000 + pick(random, 0, 200000);
  return record;
}

// How records are written, with what the arguments are to be.
struct Format {
  const char *arguments, *header;
  string (*write)(const Record &);
  const char *bad;  // a record that cannot be read as asked
};

string write_csv(const Record &r) {
  return fmt::format("{},{},\"{}\",{}\n", r.key, r.number, r.text, r.time);
}
string write_json(const Record &r) {
  return fmt::format("{{\"k\":\"{}\",\"n\":\"{}\",\"t\":\"{}\",\"time\":{}}}\n", r.key, r.number,
                     r.text, r.time);
}
string write_logfmt(const Record &r) {
  return fmt::format("k={} n={} t=\"{}\" time={}\n", r.key, r.number, r.text, r.time);
}
string write_fields(const Record &r) {
  return fmt::format("{}\t{}\t{}\t{}\n", r.key, r.number, r.text, r.time);
}

const std::vector<Format> kFormats = {
    {"-f csv -H", "k,n,t,time\n", write_csv, "one,two,\"three\n"},
    {"-f json", "", write_json, "{\"k\":\n"},
    {"-f logfmt", "", write_logfmt, "\n"},
    {"-d '\\t' --columns k,n,t,time", "", write_fields, "\n"},
};

string random_input(Random &random, const Format &format, i64 records) {
  const i64 keys = one_in(random, 2) ? 10 : 5000;
  const i64 bad = one_in(random, 2) ? 0 : pick(random, 2, 50);
  string text = format.header;
  while (records-- > 0) {
    text += bad > 0 && one_in(random, bad) ? format.bad : format.write(random_record(random, keys));
  }
  return text;
}

// ---- Commands --------------------------------------------------------------------------

string random_aggregates(Random &random) {
  string list;
  for (i64 n = pick(random, 1, 4); n > 0; --n) {
    list += one_of<string>(random, {"count",
                                    "count:n",
                                    "sum:n",
                                    "mean:n",
                                    "min:n",
                                    "max:n",
                                    "range:n",
                                    "var:n",
                                    "stddev:n",
                                    "first:t",
                                    "last:n",
                                    "mode:t",
                                    "antimode:k",
                                    "distinct:t",
                                    "distinct~:t",
                                    "median:n",
                                    "p50:n",
                                    "p99.9:n",
                                    "p90~:n",
                                    "top3:t",
                                    "unique:k",
                                    "hist:n",
                                    "hist:time:hour",
                                    "geometric_mean:n",
                                    "share",
                                    "share:n",
                                    "p95i:n",
                                    "'argmax(n, t)'",
                                    "'corr(n, n*n)'",
                                    "'slope(n, length(t))'",
                                    "'top(2, t, sum:n)'",
                                    "list:t",
                                    "'list(n, \"; \")'",
                                    "distinct_list:time",
                                    "mad:n",
                                    "'bins(n, 5)'",
                                    "'bins(time, 5)'",
                                    "'entries(time, 1m, t)'",
                                    "'sessions(time, 1m)'"});
    if (n > 1) list += ',';
  }
  return list;
}

string random_stats(Random &random) {
  const string keys = one_of<string>(random, {"", "k", "t", "k,t", "time:hour", "n"});
  string command = "stats --plugin $PLUGINS/geometric_mean.so -a " + random_aggregates(random);
  if (!keys.empty()) command += " -k " + keys;
  if (!keys.empty() && one_in(random, 3)) command += " --total";
  if (one_in(random, 6)) command += " --head 2";
  return command;
}

string random_verb(Random &random) {
  switch (pick(random, 0, 9)) {
    case 0: return "count -k " + one_of<string>(random, {"k", "t", "k,t", "time:minute"});
    case 1: return "select -k " + one_of<string>(random, {"k", "n,t", "t,time:day,n"});
    case 2:
      return "distinct -k " + one_of<string>(random, {"k", "t", "n"}) +
             one_of<string>(random, {"", " --stable"});
    case 3: return "sort -k " + one_of<string>(random, {"n", "t,k", "time,n", "k:desc,n"});
    case 4: return "hist " + one_of<string>(random, {"n", "time"});
    default: return random_stats(random);
  }
}

// Options that change the answer; some commands do not take them, and say so each time.
string random_options(Random &random) {
  string options;
  if (one_in(random, 4))
    options += " -w " + one_of<string>(random, {"'n > 100'", "'t =~ \"^[ab]\"'", "'has(k)'"});
  if (one_in(random, 4))
    options += " --to " + one_of<string>(random, {"json", "csv", "table", "bars"});
  if (one_in(random, 4)) options += " --top " + std::to_string(pick(random, 0, 20));
  if (one_in(random, 6)) options += " --since 2023-11-15";
  if (one_in(random, 6)) options += " --strict";
  if (one_in(random, 3)) options += " --bad bad";
  return options;
}

string random_command(Random &random) {
  if (one_in(random, 6)) {
    const string program = one_of<string>(random, {"word_count", "string_match", "term_vector"});
    return program + one_of<string>(random, {"", " --top 5", " --to json"});
  }
  return random_verb(random) + random_options(random);
}

string random_setting(Random &random) {
  string setting = " -j" + one_of<string>(random, {"1", "2", "3", "8"});
  if (one_in(random, 2))
    setting += " --split " + one_of<string>(random, {"1", "7", "100", "1K", "10K"});
  if (one_in(random, 2))
    setting += " --memory " + one_of<string>(random, {"1", "4K", "100K", "1M"});
  if (one_in(random, 2)) setting += " --io mmap";
  if (one_in(random, 3)) setting += " --tile " + one_of<string>(random, {"100", "4K", "64K"});
  if (one_in(random, 3)) {
    setting += " --container " + one_of<string>(random, {"hashtree", "tree", "fixed", "append-sort",
                                                         "append-group", "array"});
  }
  for (const char *flag : {"bypass=on", "drift=off", "eager=on", "pipeline=off", "hot=0", "hot=64K",
                           "partitions=1", "partitions=64", "merge=tree", "schedule=static",
                           "runs=sort", "runs=reduce,start=1,stop=100%", "stagger=off"}) {
    if (one_in(random, 8)) setting += string(" --engine ") + flag;
  }
  return setting;
}

// ---- Runs ------------------------------------------------------------------------------

using Answer = std::array<string, 4>;  // both outputs, bad records, status

// A table that is too small for a job has a note, which says nothing about the answer.
string without_note_on_table(string said) {
  const size_t begin = said.find("mrc: info: --engine hot=");
  if (begin != string::npos) said.erase(begin, said.find('\n', begin) + 1 - begin);
  return said;
}

class CommandMatrix : public testing::Test {
 protected:
  void SetUp() override {
    setenv("PLUGINS", MRC_PLUGINS, 1);
    setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1);
  }

  Answer run(const string &command) const {
    const int status = run_shell(
        fmt::format("cd {}; rm -f bad; timeout 60 $MRC {} >out 2>err", folder_.path(""), command));
    // How much a stream of rows has printed before an error is a matter of time.
    const string out = status == 0 ? folder_.read("out") : "";
    return {out, without_note_on_table(folder_.read("err")), folder_.read("bad"),
            std::to_string(status)};
  }

  TemporaryFolder folder_;
};

TEST_F(CommandMatrix, AnswersAreTheSameWithAnySetting) {
  i64 good = 0;
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const Format &format = kFormats[static_cast<size_t>(pick(random, 0, std::ssize(kFormats) - 1))];
    string files;
    for (i64 file = pick(random, 1, 3); file > 0; --file) {
      const string name = "in" + std::to_string(file);
      folder_.write(name,
                    random_input(random, format, pick(random, 0, one_in(random, 4) ? 20000 : 300)));
      files += " " + name;
    }
    string command = random_command(random);
    if (command.find("_") == string::npos || command.starts_with("stats")) {
      command += string(" ") + format.arguments;
    }
    const Answer expected = run(command + " -j1" + files);
    if (expected[3] == "0") ++good;
    for (i64 i = 0; i < kSettings; ++i) {
      const string setting = random_setting(random);

      ASSERT_EQ(run(command + setting + files), expected) << command << setting << files;
    }
  }
  EXPECT_GT(good, kRounds / 2);  // most commands are no mistakes
}

}  // namespace
}  // namespace mrc
