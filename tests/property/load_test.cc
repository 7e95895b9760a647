// Logs grow, are rotated and copied, and are loaded again and again, with loads that are killed in
// between: the directory has each record once, in the folder of its day, and in order.
#include "support/compress.h"
#include "support/loads.h"
#include "support/seed.h"

#include <chrono>
#include <thread>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Clock = std::chrono::steady_clock;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 4;
#else
constexpr i64 kRounds = 12;
#endif
constexpr i64 kSteps = 6;

class Loads : public LoadedLogs {
 protected:
  Loads() : random_(first_seed()) {}

  void begin() {
    for (const auto &entry : std::filesystem::directory_iterator(path(""))) {
      std::filesystem::remove_all(entry.path());
    }
    logs_.clear();
    by_host_ = one_in(random_, 2);
    compresses_ = one_in(random_, 3);
  }
  string records(i64 most) {
    string text;
    for (i64 n = pick(random_, 1, most); n > 0; --n) text += record(random_);
    return text;
  }

  void change_logs() {
    switch (logs_.empty() ? 0 : pick(random_, 0, 5)) {
      case 0: append(fmt::format("new{}.log", pick(random_, 0, 1000)), records(400)); break;
      case 1: rotate(one_of(random_, logs_)); break;
      default: append(one_of(random_, logs_), records(one_in(random_, 4) ? 3000 : 100));
    }
  }
  void rotate(const string &log) {
    const string old = fmt::format("{}.{}", log, pick(random_, 1000, 9999));
    std::filesystem::rename(path(log), path(old));
    std::ranges::replace(logs_, log, old);
    append(log, records(50));
  }

  string load() const {
    string command = fmt::format("load -q --partition-by time:day{} --sort-by time --memory 1M ",
                                 by_host_ ? ",h=host" : "");
    if (compresses_) command += "--compress zst ";
    return command + "-o " + path("dir");
  }
  // Kills a load at some moment. Returns true if it had not ended.
  bool kill_load() {
    Background mrc("$MRC " + load() + " " + names_with_paths());
    std::this_thread::sleep_for(std::chrono::microseconds(pick(random_, 0, 40000)));
    mrc.send(SIGKILL);
    return WIFSIGNALED(mrc.wait());
  }
  string names_with_paths() const {
    string names;
    for (const string &log : logs_) names += " " + path(log);
    return names;
  }

  static string day_of(const string &record) { return record.substr(record.find(',') + 1, 10); }

  // Each file is in the folder of the days of its records, which are in order.
  void expect_order(const string &file, const string &text) const {
    EXPECT_TRUE(text.starts_with(kHeader)) << file;
    string last;
    for (const string &record : records_of(text)) {
      EXPECT_TRUE(file.starts_with("dir/day=" + day_of(record) + "/")) << file << ": " << record;
      const string time = record.substr(record.find(',') + 1, 20);
      EXPECT_LE(last, time) << file;
      last = time;
    }
  }
  void expect_all() {
    vector<string> names, found;
    for (const auto &[name, bytes] : files()) {
      const string text = compresses_ ? filtered("zstd -dc", bytes) : bytes;
      EXPECT_EQ(name.ends_with(".csv.zst"), compresses_) << name;
      names.push_back(name);
      expect_order(name, text);
      std::ranges::move(records_of(text), std::back_inserter(found));
    }
    EXPECT_EQ(names, listed());
    std::ranges::sort(found);
    EXPECT_TRUE(found == all_records()) << found.size() << " of " << all_records().size();
  }

  // The directory answers as the logs do.
  void expect_answers() const {
    const string day = fmt::format("2025-11-{}", 24 + Random(random_)() % 6);
    const vector<string> questions = {
        "-k time:day", "-k host", fmt::format("-k time:hour -w 'time >= {}'", day),
        fmt::format("-k host -w 'time:day == {} and size > 500'", day)};
    for (const string &question : questions) {
      EXPECT_EQ(run("count -q " + question + " " + names_of_logs()), 0) << error();
      const string expected = out();
      EXPECT_EQ(run("count -q " + question + " dir"), 0) << error();
      EXPECT_EQ(out(), expected) << question;
    }
    EXPECT_EQ(run("count -q -k host -w 'time:day < " + day + "' " + names_of_logs()), 0);
    const string expected = out();
    EXPECT_EQ(run("count -q -k host -w 'day < " + day + "' dir"), 0) << error();
    EXPECT_EQ(out(), expected);
  }

  Random random_;
  bool by_host_ = false, compresses_ = false;
};

TEST_F(Loads, HaveEachRecordOnce) {
  i64 killed = 0;
  for (i64 round = 0; round < kRounds * rounds() && !HasFailure(); ++round) {
    begin();
    for (i64 step = 0; step < kSteps && !HasFailure(); ++step) {
      for (i64 n = pick(random_, 1, 3); n > 0; --n) change_logs();
      const vector<string> before = listed();
      const auto old = files();
      for (i64 n = pick(random_, 0, 2); n > 0; --n) killed += kill_load();
      ASSERT_EQ(run(load() + names_with_paths()), 0) << error();
      expect_all();
      const auto now = files();
      for (const string &name : before) EXPECT_EQ(now.at(name), old.at(name)) << name;
    }
    expect_answers();
  }
  EXPECT_GT(killed, 0);
}

// Loads of the same bytes write the same files, with any threads and memory.
TEST_F(Loads, AreTheSameWithAnyThreads) {
  begin();
  append("a.log", records(20000));
  append("b.log", records(20000));
  ASSERT_EQ(run("load --partition-by time:day,host --sort-by size:num -o dir a.log b.log"), 0)
      << error();
  const auto expected = files();
  EXPECT_GT(expected.size(), 20u);
  std::map<string, string> compressed;
  for (const char *options : {"-j1", "-j3 --memory 1M", "-j2 --split 4K", "--compress zst",
                              "-j3 --memory 1M --compress zst", "-j1 --split 4K --compress zst"}) {
    std::filesystem::remove_all(path("dir"));
    ASSERT_EQ(run(fmt::format("load --partition-by time:day,host --sort-by size:num -o dir {} "
                              "a.log b.log",
                              options)),
              0)
        << error();
    const bool is_compressed = string(options).ends_with("zst");
    if (is_compressed && compressed.empty()) compressed = files();
    EXPECT_TRUE(files() == (is_compressed ? compressed : expected)) << options;
  }
  EXPECT_EQ(compressed.size(), expected.size());
}

}  // namespace
}  // namespace mrc
