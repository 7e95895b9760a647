// Partials of mrc sort, merged, against one process that sorts all input: random orders of random
// records give the same bytes, whatever is merged first; and units of any size in any ranges, each
// range merged by a process of its own.
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
constexpr int kJobs = 8;
#else
constexpr int kJobs = 40;
#endif

// Columns a, b (numbers, mostly), t (times); few values, so that many keys are equal. Some records
// are bad.
string records(Random &random, const string &separator) {
  static const vector<string> kTexts = {"",  "x", "a b", "\xc3\xbc", "y", "z",
                                        "-", "X", "\"q", "10",       "9", "x\r"};
  static const string kLong(300, 'l');
  string text = one_in(random, 12) ? "" : "a,b,t\n";
  for (i64 i = one_in(random, 8) ? 0 : pick(random, 1, 400); i > 0; --i) {
    const string first = one_in(random, 30) ? kLong : one_of(random, kTexts);
    text += fmt::format("{}{}{}{}2026-01-0{}T0{}:00:00Z\n", first, separator, pick(random, -5, 20),
                        separator, pick(random, 1, 9), pick(random, 0, 3));
  }
  if (one_in(random, 4) && !text.empty()) text.pop_back();
  return text;
}

string job_of(Random &random) {
  static const vector<string> kKeys = {"",
                                       "-n",
                                       "-i",
                                       "-d , -k 1",
                                       "-d , -k 2:num:desc,1",
                                       "-d , -k 1 -i",
                                       "-k 2:num",
                                       "-f csv -H yes -k a",
                                       "-f csv -H yes -k b:num,t",
                                       "-f csv -H yes -k t:day:desc",
                                       "-f csv -H yes -k 'v=b*b-b'",
                                       "-f csv -H yes -k a -w 'b > 3' --header-out no",
                                       "-f csv -H yes",
                                       "-z",
                                       "--record 7",
                                       "--record 5 -k 1:3"};
  string job = "sort " + one_of(random, kKeys);
  if (one_in(random, 3)) job += " -r";
  if (one_in(random, 3)) job += " -s";
  if (one_in(random, 4)) job += " -u";
  if (one_in(random, 4)) job += fmt::format(" --top {}", pick(random, 0, 60));
  return job;
}

class SortedPartials : public testing::Test {
 protected:
  // The status of a command, whose output is in a file of that name.
  int run(const string &name, const string &command) const {
    const int status = run_shell(
        fmt::format("cd {} && ({}) >{} 2>{}.err", folder_.path("."), command, name, name));
    return WEXITSTATUS(status);
  }
  void expect_answer(const string &name, const string &command, int status) const {
    EXPECT_EQ(run(name, command), status) << command << folder_.read(name + ".err");
    const bool is_same = folder_.read(name) == folder_.read("expected");
    run("difference", fmt::format("diff -a expected {} | cut -c -200 | head -n 20", name));
    EXPECT_TRUE(is_same) << command << "\n" << folder_.read("difference");
  }
  vector<string> write_inputs(i64 most) {
    vector<string> names;
    const string separator = one_in(random_, 4) ? " " : ",";
    for (i64 i = pick(random_, 1, most); i > 0; --i) {
      names.push_back(fmt::format("{}.csv", names.size()));
      folder_.write(names.back(), records(random_, separator));
    }
    return names;
  }
  // True if merge refuses the partials because some input has bad records only, which show no
  // kinds.
  bool is_unlike(const vector<string> &names) {
    run("out", fmt::format("$MRC merge {}.mrs", fmt::join(names, ".mrs ")));
    return folder_.read("out.err").find("\"--kinds ") != string::npos;
  }
  string packed_or_not(const string &name) {
    if (!one_in(random_, 4)) return name;
    run("out", "gzip -n " + name);
    return name + ".gz";
  }
  // Those of the file "job", in any order, some of them by one process. As files and as lines.
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
      const i64 number = begin - units.begin();
      ASSERT_EQ(run("out", fmt::format("{} -o {}.mrs", map, number)), 0) << folder_.read("out.err");
      ASSERT_EQ(run(fmt::format("{}.txt", number), map), 0);
    }
  }
  string knobs() {
    static const vector<string> kKnobs = {"-j1", "-j4 --split 50", "-j2 --split 512 --memory 4K"};
    return one_of(random_, kKnobs);
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(SortedPartials, OfFilesGiveTheBytesOfOneRun) {
  for (int round = 0; round < kJobs; ++round) {
    run("out", "rm -f *.mrs *.txt *.csv *.gz");
    const string job = job_of(random_);
    const vector<string> names = write_inputs(one_in(random_, 4) ? 10 : 4);
    const int status = run("expected", fmt::format("$MRC {} {}", job, fmt::join(names, " ")));
    if (status == 2) continue;  // a field is missing
    SCOPED_TRACE(job);
    for (const string &name : names) {
      const string map =
          fmt::format("$MRC {} {} --to partial {} -o {}.mrs", job, knobs(), name, name);
      const int mapped = run("out", map);
      ASSERT_TRUE(mapped == 0 || mapped == 3) << map << folder_.read("out.err");
      run(name + ".txt", fmt::format("$MRC {} {} --to partial {}", job, knobs(), name));
    }
    if (status == 3 && is_unlike(names)) continue;
    expect_answer("files", fmt::format("$MRC merge {} {}.mrs", knobs(), fmt::join(names, ".mrs ")),
                  status);
    // Some of the front first, then the others.
    const auto first = names.begin() + pick(random_, 1, std::ssize(names));
    const string rest =
        first == names.end() ? "" : fmt::format("{}.mrs", fmt::join(first, names.end(), ".mrs "));
    expect_answer("merged",
                  fmt::format("$MRC merge {} --to partial {}.mrs | $MRC merge {} - {}", knobs(),
                              fmt::join(names.begin(), first, ".mrs "), knobs(), rest),
                  status);
    expect_answer("lines", "cat *.txt | sort >all; $MRC merge all", status);
    if (HasFailure()) return;
  }
}

TEST_F(SortedPartials, OfUnitsInRangesGiveTheBytesOfOneRun) {
  for (int round = 0; round < kJobs; ++round) {
    run("out", "rm -f *.mrs *.txt *.csv *.gz");
    const string job = job_of(random_);
    string inputs;
    for (const string &name : write_inputs(3)) inputs += " " + packed_or_not(name);
    SCOPED_TRACE(job + inputs);
    const int status = run("expected", "$MRC " + job + inputs);
    if (status != 0) continue;  // a field is missing, or the end of a record, and with it a unit
    const i64 ranges = one_in(random_, 3) ? 1 : pick(random_, 2, 12);
    ASSERT_EQ(run("job", fmt::format("$MRC units --list --size {} --splitters {} {}{}",
                                     pick(random_, 1, 3000), ranges, job, inputs)),
              0)
        << folder_.read("job.err");
    map_units();
    expect_answer("units", "$MRC merge *.mrs", status);
    // Each range by itself, unless only the first of all are wanted.
    if (job.find("--top") == job.npos) {
      expect_answer("ranges",
                    "for p in 0 1 2 3 4 5 6 7 8 9 10 11; do "
                    "  grep -ah \"^$p\t\" *.txt | $MRC merge --partitions some || exit; done",
                    status);
    }
    expect_answer("merged",
                  "for p in 0 1 2 3 4 5 6 7 8 9 10 11; do "
                  "  grep -ah \"^$p\t\" *.txt | $MRC merge --partitions some --to partial || exit; "
                  "done | $MRC merge",
                  status);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mrc
