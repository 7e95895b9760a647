// Partials of several processes, merged, against one process that reads all input: random verbs
// over random records give the same bytes, whatever is merged first, as files and as lines of text
// in any order; and units of any size, each mapped by a process of its own.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 8;
#else
constexpr int kRounds = 40;
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

// As jobs of every_job.c take them: KEY|INTEGER|QUARTERS|TEXT.
string records_with_bars(Random &random) {
  string text;
  for (i64 i = pick(random, 0, 300); i > 0; --i) {
    text += fmt::format("k{}|{}|{}|t{}\n", pick(random, 0, 9), pick(random, -9, 9),
                        pick(random, -9, 9), pick(random, 0, 99));
  }
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
      "stats -f csv -k a -a 'list:t,distinct_list(b, \";\"),mad:b,sessions(b, 2)'",
      "stats -f csv -k a --head 2",
      "stats -f csv -k t:day --head 3 -w 'b > 0' --header-out no",
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
    EXPECT_TRUE(is_same) << commands_.back() << "\n"
                         << folder_.read("difference") << folder_.read("expected.err");
  }
  // At most so many. Their names are in order.
  vector<string> write_inputs(i64 most) {
    vector<string> names;
    const bool crlf = one_in(random_, 3);
    for (i64 i = pick(random_, 1, most); i > 0; --i) {
      names.push_back(fmt::format("{}.csv", names.size()));
      folder_.write(names.back(), records(random_, crlf));
    }
    return names;
  }
  // Makes NAME.mrs and NAME.txt of each. Whether all can be made.
  bool map_each(const string &job, const vector<string> &names) {
    return std::ranges::all_of(names, [&](const string &name) {
      const string map = fmt::format("$MRC {} {} --to partial {}", job, knobs(), name);
      return run(name + ".txt", map) == 0 && run("out", map + " -o " + name + ".mrs") == 0;
    });
  }
  string packed_or_not(const string &name) {
    if (!one_in(random_, 4)) return name;
    run("out", "gzip -n " + name);
    return name + ".gz";
  }
  // Those of the file "job", in any order, some of them by one process.
  void map_units() {
    std::istringstream lines(folder_.read("job"));
    vector<string> units;
    for (string line; std::getline(lines, line);) {
      if (line.starts_with("unit ")) units.push_back(line.substr(5));
    }
    std::shuffle(units.begin(), units.end(), random_);
    for (auto begin = units.begin(), end = begin; begin != units.end(); begin = end) {
      end = begin + pick(random_, 1, std::min<i64>(3, units.end() - begin));
      const string some = fmt::format("'{}'", fmt::join(begin, end, "' --unit '"));
      const string map = fmt::format("$MRC units --job job {} --unit {}", knobs(), some);
      ASSERT_EQ(run("out", fmt::format("{} -o {}.mrs", map, begin - units.begin())), 0)
          << folder_.read("out.err");
    }
  }
  void begin_round() const { run("out", "rm -f *.mrs *.txt *.csv *.gz"); }
  // The partials of these inputs, merged in several ways, are what one run makes of them.
  void merge_files(const string &job, const vector<string> &names) {
    const string format = job.ends_with("--to table") ? " --to table" : "";
    const int status = run("expected", fmt::format("$MRC {} {}", job, fmt::join(names, " ")));
    SCOPED_TRACE(job);
    if (!map_each(job, names)) {  // an input that cannot be read by itself
      EXPECT_EQ(status, 2);
      return;
    }
    commands_ = {fmt::format("$MRC merge {}{} *.mrs", knobs(), format)};
    expect_answer("files", status);
    // Some of the front first, then the others.
    const auto first = names.begin() + pick(random_, 1, std::ssize(names));
    const string rest =
        first == names.end() ? "" : fmt::format("{}.mrs", fmt::join(first, names.end(), ".mrs "));
    commands_ = {fmt::format("$MRC merge --to partial -o m {}.mrs && $MRC merge{} m {}",
                             fmt::join(names.begin(), first, ".mrs "), format, rest)};
    expect_answer("merged", status);
    commands_ = {fmt::format("cat *.txt | sort >all; $MRC merge{} all", format)};
    expect_answer("lines", status);
  }
  // The same of units of any size, each mapped by itself or with others.
  void merge_units(const string &job, const vector<string> &names) {
    const string format = job.ends_with("--to table") ? " --to table" : "";
    string inputs;
    for (const string &name : names) inputs += " " + packed_or_not(name);
    SCOPED_TRACE(job + inputs);
    const int status = run("expected", "$MRC " + job + inputs);
    const i64 size = pick(random_, 1, 3000);
    if (run("job", fmt::format("$MRC units --list --size {} {}{}", size, job, inputs)) != 0) {
      EXPECT_EQ(status, 2);
      return;
    }
    map_units();
    commands_ = {"$MRC merge *.mrs" + format};
    expect_answer("units", status);
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
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    begin_round();
    merge_files(job_of(random_), write_inputs(one_in(random_, 4) ? 10 : 4));
  }
}

TEST_F(Partials, OfUnitsGiveTheBytesOfOneRun) {
  folder_.write("table", kTable);
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    begin_round();
    merge_units(job_of(random_), write_inputs(3));
  }
}

// Reducers that are MRC_ORDERED, or take lists, see the values of all partials in the order of the
// input, whichever was mapped and merged first.
TEST_F(Partials, OfPluginsWhoseOrderMattersGiveTheBytesOfOneRun) {
  const string plugin = "--force-plugin ", path = MRC_TEST_PLUGINS "/every_job.so";
  const string stats = "stats " + plugin + "--plugin " + path + " -f csv -k a -a ";
  for (int round = 0; round < kRounds / 4 && !HasFailure(); ++round) {
    begin_round();
    const string job = stats + (one_in(random_, 2) ? "chained:t,folded:b" : "chained:a --total");
    vector<string> names = write_inputs(5);
    one_in(random_, 2) ? merge_files(job, names) : merge_units(job, names);
    begin_round();
    names = write_inputs(5);
    for (const string &name : names) folder_.write(name, records_with_bars(random_));
    const string run = "run " + plugin + path + (one_in(random_, 2) ? " lines" : " bytes");
    one_in(random_, 2) ? merge_files(run, names) : merge_units(run, names);
  }
}

}  // namespace
}  // namespace mrc
