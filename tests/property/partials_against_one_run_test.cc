// Partials of several processes, merged, against one process that reads all input: random verbs
// over random records give the same bytes, whatever is merged first, as files and as lines of text
// in any order; and units of any size, each mapped by a process of its own.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kJobs = 8;
#else
constexpr int kJobs = 40;
#endif

string text_of(Random &random) {
  static const vector<string> kTexts = {
      "",  "-", "x",     "a b",        "über", "a,b",
      "y", "z", "\"q\"", "two\nlines", "x\r",  "long enough for no short key at all"};
  return one_of(random, kTexts);
}

string quoted(const string &text) {
  string out = "\"";
  for (const char c : text) out += c == '"' ? string("\"\"") : string(1, c);
  return out + "\"";
}

// Columns a, b (numbers, mostly), t (times); some records are bad.
string records(Random &random, bool crlf) {
  const string end = crlf ? "\r\n" : "\n";
  string text = (one_in(random, 8) ? "\xEF\xBB\xBF" : "") + ("a,b,t" + end);
  for (i64 i = one_in(random, 6) ? 0 : pick(random, 1, 300); i > 0; --i) {
    static const vector<string> kNumbers = {"0", "1", "-2", "2.50", "1e3", "0.1", "", "x", "3e-7"};
    text += one_in(random, 60) ? "bad" + end
                               : quoted(text_of(random)) + "," + one_of(random, kNumbers) +
                                     fmt::format(",2026-01-0{}T0{}:00:00Z", pick(random, 1, 9),
                                                 pick(random, 0, 9)) +
                                     end;
  }
  if (one_in(random, 4)) text.erase(text.size() - end.size());
  if (one_in(random, 10)) text += "\"no end,1,2\n3,4,5\n";
  return text;
}

string job_of(Random &random) {
  static const vector<string> kJobs = {
      "count -f csv -k a",
      "count -f csv -k a,t:day --by count --top 3",
      "wordcount",
      "count",
      "distinct -f csv -k a --stable",
      "distinct -c -f csv -k a",
      "hist -f csv b",
      "hist -f csv b --to table",
      "index",
      "index --positions file",
      "index --positions line",
      "stats -f csv -a count,sum:b,mean:b,stddev:b,p50:b",
      "stats -f csv -k a -a first:b,last:b,unique:t,mode:b,top2:a",
      "stats -f csv -k t:hour -a sum:b,distinct:a,distinct~:a,p90~:b --by sum:b",
      "stats -f csv -k a -a sum:b,count --total -w 'b > 0'",
      "stats -f csv -k a -a count,max:b --having 'count > 2' --round 1",
      "stats -f csv -k a -a count,share,sum:b,share:b --by share --total",
      "stats -f csv -k 'day=substr(t,1,10)' -a 'x=sum(b*b)/count,argmax(b,a),top(2,a,sum:b)'",
      "stats -f csv -k t:weekday -a 'var:b,mode:b,distinct~:b,p50i:b,unique:a,hist:b'",
      "count -f csv -k u.c --lookup u=table:a=k"};
  return one_of(random, kJobs);
}

constexpr const char *kTable = "k,c\nx,1\ny,2\nz,1\n";

class Partials : public testing::Test {
 protected:
  // The status of a command, whose output is in a file of that name.
  int run(const string &name, const string &command) const {
    const int status = run_shell(
        fmt::format("cd {} && ({}) >{} 2>{}.err", folder_.path("."), command, name, name));
    return WEXITSTATUS(status);
  }
  void expect_answer(const string &name, int status) const {
    EXPECT_EQ(run(name, commands_.back()), status) << folder_.read(name + ".err");
    const bool is_same = folder_.read(name) == folder_.read("expected");
    run("difference", fmt::format("diff expected {} | cut -c -200 | head -n 20", name));
    EXPECT_TRUE(is_same) << commands_.back() << "\n" << folder_.read("difference");
  }
  string knobs() {
    static const vector<string> kKnobs = {"-j1", "-j4 --split 50", "-j2 --split 512 --memory 4K"};
    return one_of(random_, kKnobs);
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
  vector<string> commands_;
};

TEST_F(Partials, OfFilesGiveTheBytesOfOneRun) {
  folder_.write("table", kTable);
  for (int round = 0; round < kJobs; ++round) {
    const string job = job_of(random_);
    const i64 files = pick(random_, 1, 4);
    string inputs, partials;
    const bool crlf = one_in(random_, 3);
    for (i64 i = 0; i < files; ++i) {
      const string name = fmt::format("{}.csv", i);
      folder_.write(name, records(random_, crlf));
      inputs += " " + name;
      partials += fmt::format(" {}.mrs", i);
      ASSERT_EQ(
          run("out", fmt::format("$MRC {} {} --to partial -o {}.mrs {}", job, knobs(), i, name)), 0)
          << job << folder_.read("out.err");
      ASSERT_EQ(run(fmt::format("{}.txt", i),
                    fmt::format("$MRC {} {} --to partial {}", job, knobs(), name)),
                0);
    }
    SCOPED_TRACE(job);
    const int status = run("expected", "$MRC " + job + inputs);
    commands_ = {fmt::format("$MRC merge {}{}", knobs(), partials)};
    if (job.ends_with("--to table")) commands_[0] += " --to table";
    expect_answer("files", status);
    // The first two first, then the others.
    const string first = files > 1 ? "0.mrs 1.mrs" : "0.mrs";
    string rest;
    for (i64 i = 2; i < files; ++i) rest += fmt::format(" {}.mrs", i);
    commands_.push_back(fmt::format("$MRC merge --to partial -o m.mrs {} && $MRC merge m.mrs{}{}",
                                    first, rest, job.ends_with("--to table") ? " --to table" : ""));
    expect_answer("merged", status);
    commands_.push_back(
        fmt::format("cat [0-9].txt | shuf --random-source=0.csv >all; $MRC merge all{}",
                    job.ends_with("--to table") ? " --to table" : ""));
    if (folder_.read("0.csv").size() > 4000) expect_answer("lines", status);
    if (HasFailure()) return;
    run("out", "rm -f *.mrs *.txt *.csv");
  }
}

TEST_F(Partials, OfUnitsGiveTheBytesOfOneRun) {
  folder_.write("table", kTable);
  for (int round = 0; round < kJobs; ++round) {
    const string job = job_of(random_);
    string inputs;
    for (i64 i = pick(random_, 1, 3); i > 0; --i) {
      const string name = fmt::format("{}.csv", i);
      folder_.write(name, records(random_, one_in(random_, 3)));
      inputs += " " + name;
      if (!one_in(random_, 4)) continue;
      run("out", "gzip -n " + name);
      inputs += ".gz";
    }
    SCOPED_TRACE(job + inputs);
    const int status = run("expected", "$MRC " + job + inputs);
    ASSERT_EQ(run("job", fmt::format("$MRC units --list --size {} {}{}", pick(random_, 1, 3000),
                                     job, inputs)),
              0)
        << folder_.read("job.err");
    std::istringstream lines(folder_.read("job"));
    vector<string> units;
    for (string line; std::getline(lines, line);) {
      if (line.starts_with("unit ")) units.push_back(line.substr(5));
    }
    std::shuffle(units.begin(), units.end(), random_);
    string all;
    for (size_t i = 0; i < units.size(); i += 3) {  // several in one process, too
      string some;
      for (size_t k = i; k < std::min(i + 3, units.size()); ++k)
        some += " --unit '" + units[k] + "'";
      ASSERT_EQ(run("out", fmt::format("$MRC units --job job {}{} -o u{}.mrs", knobs(), some, i)),
                0)
          << folder_.read("out.err");
      all += fmt::format(" u{}.mrs", i);
    }
    commands_ = {
        fmt::format("$MRC merge{}{}", all, job.ends_with("--to table") ? " --to table" : "")};
    expect_answer("units", status);
    if (HasFailure()) return;
    run("out", "rm -f *.mrs *.csv *.gz");
  }
}

}  // namespace
}  // namespace mrc
