// mrc --state over logs that are rotated, compressed, copied, truncated, replaced and removed at
// random: each answer has the bytes of a run without --state over what the state has to cover.
#include "rotated_logs.h"
#include "support/process.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace mrc {
namespace {

using std::string;
using Files = RotatedLogs::Files;

#ifdef MRC_SANITIZED
constexpr i64 kSteps = 8;
#else
constexpr i64 kSteps = 30;
#endif

const std::vector<string> kVerbs = {
    "count -k status",
    "wordcount --top 200",
    "stats -k status -a count,sum:bytes,mean:bytes,var:bytes,min:bytes,max:bytes,median:bytes",
    "stats -k ip -a first:path,last:path,distinct:method,mode:agent,p90:bytes,unique:path",
    "stats -a count,first:path,last:bytes,distinct:path,top3:ip,hist:bytes,p99~:bytes",
    "distinct --stable -k ip,method",
    "distinct -c -k agent",
    "hist bytes",
    "index --top 300",
    "index --positions file --top 300",
    "word_count",
    "sort --top 300 -k bytes:num",
    "sort -s -k status,method:desc",
    "sort -u -r -k ip,method",
    "select -w 'status >= 400'",
    "select -k ip,status,path --tac",
    "grep -H -n POST",
    "grep -h -o '[^ ]*html'",
};

// What the state of one job has to cover.
struct Portion {
  std::shared_ptr<LogText> log;
  size_t mark = 0;
  std::set<string> names = {};  // of its files; none: it is gone
};

// A line of mrc state show.
struct Shown {
  size_t bytes;
  bool is_here;
  string name;
};

std::vector<Shown> shown(const string &text) {
  std::vector<Shown> all;
  std::istringstream lines(text.substr(text.find("\nbytes\t") + 1));
  string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    string bytes, skip, where, name;
    fields >> bytes >> skip >> skip >> skip >> where >> name;
    if (where != "all") all.push_back({std::stoull(bytes), where == "here", name});
  }
  return all;
}

string replaced(string text, const string &from, const string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// One job and its directory.
class KeptJob {
 public:
  KeptJob(const TemporaryFolder &folder, size_t number, bool drops_gone)
      : folder_(folder),
        verb_(kVerbs[number % kVerbs.size()]),
        state_(fmt::format("{}/state{}", folder.path(""), number)),
        drops_gone_(drops_gone) {}

  void run(const Files &files, const std::vector<string> &names, const string &setting) {
    expect_to_cover(files);
    string inputs;
    for (const string &name : names) inputs += " " + name;
    // The expected answer has no lines without an end: KeptLastLines checks those.
    const string command =
        fmt::format("{}{} --state-last-line leave --state {}{}{}", verb_, setting, state_,
                    drops_gone_ ? " --state-gone drop" : "", inputs);
    SCOPED_TRACE(command);
    const int status = run_shell(fmt::format(
        "cd {}; timeout 60 $MRC {} >../out 2>../err </dev/null", folder_.path("logs"), command));
    ASSERT_LE(WEXITSTATUS(status), most_status()) << folder_.read("err");
    const string answer = folder_.read("out");
    run_shell(fmt::format("$MRC state show {} >{}", state_, folder_.path("shown")));
    const std::vector<Shown> sources = shown(folder_.read("shown"));
    check(sources, names);
    if (testing::Test::HasFatalFailure()) return;
    const string expected = expected_answer(sources, names);
    const size_t differs = std::ranges::mismatch(answer, expected).in1 - answer.begin();
    ASSERT_TRUE(answer == expected) << "byte " << differs << ": " << answer.substr(differs, 200)
                                    << "\ninstead of " << expected.substr(differs, 200) << "\n"
                                    << folder_.read("shown");
  }

 private:
  // No line may match.
  int most_status() const { return verb_.starts_with("grep"); }
  void expect_to_cover(const Files &files) {
    if (drops_gone_) drop_gone(files);
    for (Portion &log : covered_) log.names.clear();
    for (const auto &[name, file] : files) {
      const auto is_this = [&](const Portion &log) { return log.log == file->log; };
      auto log = std::find_if(covered_.begin(), covered_.end(), is_this);
      if (log == covered_.end() && file->mark() == 0) continue;
      if (log == covered_.end()) log = covered_.insert(log, {.log = file->log});
      log->mark = std::max(log->mark, file->mark());
      log->names.insert(name);
    }
  }
  // Forgets logs of which less is there than before: a copy of the beginning is a new file then.
  void drop_gone(const Files &files) {
    known_ -= std::erase_if(covered_, [&](const Portion &log) {
      return std::ranges::none_of(files, [&](const auto &named) {
        return named.second->log == log.log && named.second->mark() >= log.mark;
      });
    });
  }

  // The state has these logs in the order that they were first seen in, as far as they are to be
  // covered. Which of equal files is read is up to it.
  void check(const std::vector<Shown> &sources, const std::vector<string> &names) {
    ASSERT_EQ(sources.size(), covered_.size()) << folder_.read("shown");
    for (size_t i = known_; i < covered_.size(); ++i) {
      const auto is_this = [&](const Portion &log) { return log.names.contains(sources[i].name); };
      const auto log = std::find_if(covered_.begin() + i, covered_.end(), is_this);
      ASSERT_NE(log, covered_.end()) << sources[i].name << "\n" << folder_.read("shown");
      std::rotate(covered_.begin() + i, log, log + 1);
      ASSERT_TRUE(i == known_ || place(names, sources[i - 1]) < place(names, sources[i]));
    }
    for (size_t i = 0; i < covered_.size(); ++i) {
      ASSERT_EQ(sources[i].bytes, covered_[i].mark) << sources[i].name;
      ASSERT_EQ(sources[i].is_here, !covered_[i].names.empty()) << sources[i].name;
      ASSERT_TRUE(!sources[i].is_here || covered_[i].names.contains(sources[i].name));
    }
    known_ = covered_.size();
  }
  static i64 place(const std::vector<string> &names, const Shown &source) {
    return std::find(names.begin(), names.end(), source.name) - names.begin();
  }

  // First those that are gone, then the others in the order of the arguments.
  static std::vector<size_t> order_of(const std::vector<Shown> &sources,
                                      const std::vector<string> &names) {
    std::vector<size_t> order(sources.size());
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](size_t i) { return sources[i].is_here ? place(names, sources[i]) : -1; };
    std::ranges::stable_sort(order, {}, at);
    return order;
  }
  string expected_answer(const std::vector<Shown> &sources,
                         const std::vector<string> &names) const {
    const std::vector<size_t> order = order_of(sources, names);
    string inputs;
    for (const size_t i : order) {
      inputs += fmt::format(" ={}=", i);
      folder_.write(fmt::format("={}=", i), covered_[i].log->bytes.substr(0, covered_[i].mark));
    }
    // Names are printed if there are several inputs, empty ones and copies included.
    folder_.write("empty", "");
    const size_t gone = std::ranges::count(sources, false, &Shown::is_here);
    if (gone + names.size() > 1) inputs += " empty";
    const int status = run_shell(
        fmt::format("cd {}; $MRC {} -j1{} >out 2>err </dev/null", folder_.path(""), verb_, inputs));
    EXPECT_LE(WEXITSTATUS(status), most_status()) << folder_.read("err");
    string answer = folder_.read("out");
    for (const size_t i : order) answer = replaced(answer, fmt::format("={}=", i), sources[i].name);
    return answer;
  }

  const TemporaryFolder &folder_;
  const string verb_, state_;
  const bool drops_gone_;
  std::vector<Portion> covered_;  // in the order that they were first seen in
  size_t known_ = 0;              // of them, from earlier runs
};

string random_setting(Random &random) {
  return " -j" + one_of<string>(random, {"1", "2"}) +
         one_of<string>(random, {"", " --split 500", " --split 20K"}) +
         one_of<string>(random, {"", " --memory 4K", " --memory 100K"});
}

class KeptRotations : public testing::TestWithParam<u64> {
 protected:
  void SetUp() override { setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1); }

  // As a pattern gives them, or in any order.
  static std::vector<string> arguments(Random &random, const Files &files) {
    std::vector<string> names;
    for (const auto &[name, file] : files) names.push_back(name);
    if (one_in(random, 3)) std::shuffle(names.begin(), names.end(), random);
    return names;
  }
};

TEST_P(KeptRotations, GiveTheAnswerOfOneRun) {
  const u64 seed = first_seed() + GetParam();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  const TemporaryFolder folder;
  RotatedLogs logs(folder);
  std::vector<KeptJob> jobs;
  for (size_t i = 0; i < 2 * kVerbs.size(); ++i) jobs.emplace_back(folder, i, i >= kVerbs.size());
  bool is_settled = false;
  string done;
  for (i64 step = 0; step < kSteps * rounds(); ++step) {
    done += fmt::format("\n{}: {}", step, logs.step(random, is_settled));
    SCOPED_TRACE("the steps:" + done);
    if (logs.files().empty()) continue;
    is_settled = one_in(random, 5);
    for (KeptJob &job : jobs) {
      if (!is_settled && !one_in(random, 6)) continue;
      job.run(logs.files(), arguments(random, logs.files()), random_setting(random));
      if (HasFatalFailure()) return;
    }
  }
}

// Two sites that write the same few lines, each log of less than 4 KiB.
class Twin {
 public:
  Twin(const TemporaryFolder &folder, string name) : folder_(folder), name_(std::move(name)) {}

  void step(Random &random) {
    string text = logs_.back();
    for (i64 n = pick(random, 0, 3); n > 0 && text.size() < 3000; --n) {
      text += fmt::format("line {} of log {}\n", std::count(text.begin(), text.end(), '\n'),
                          logs_.size());
    }
    logs_.back() = text;
    folder_.write(name_, text);
    if (text.empty() || !one_in(random, 3)) return;
    const string rotated = fmt::format("{}.{}", name_, logs_.size());
    logs_.emplace_back();
    if (one_in(random, 2)) {
      folder_.write(rotated + ".gz", gzipped(text));
      std::filesystem::remove(folder_.path(name_));
    } else if (one_in(random, 2)) {
      std::filesystem::rename(folder_.path(name_), folder_.path(rotated));
    } else {
      std::filesystem::copy(folder_.path(name_), folder_.path(rotated));
    }
    folder_.write(name_, "");
  }
  string all() const {
    string all;
    for (const string &log : logs_) all += log;
    return all;
  }

 private:
  const TemporaryFolder &folder_;
  const string name_;
  std::vector<string> logs_ = {""};
};

TEST_P(KeptRotations, CountShortLogsOfTwoSitesTwice) {
  const u64 seed = first_seed() + GetParam();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  for (i64 round = 0; round < 5 * rounds(); ++round) {
    const TemporaryFolder logs, folder;
    Twin a(logs, "a.log"), b(logs, "b.log");
    for (i64 step = 0; step < kSteps; ++step) {
      a.step(random), b.step(random);
      if (!one_in(random, 2)) continue;
      folder.write("all", a.all() + b.all());
      run_shell(
          fmt::format("cd {}; $MRC count all >expected; $MRC count -q --state s {} >found 2>err",
                      folder.path(""), logs.path("*")));
      ASSERT_EQ(folder.read("found"), folder.read("expected"))
          << "step " << step << folder.read("err");
      ASSERT_EQ(folder.read("err"), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeptRotations, testing::Range<u64>(0, 4));

}  // namespace
}  // namespace mrc
