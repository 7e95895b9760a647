// Logs that are written, rotated, compressed, copied, truncated and deleted at random, while runs
// read what is new: each line that a run has seen is counted once, whatever became of it.
#include "support/compress.h"
#include "support/kept_run.h"
#include "support/random.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

// A log and its rotated files: NAME, NAME.1, NAME.2.gz ... What takes more than a moment (a copy,
// or a compression) is done in two steps, with runs between them.
class RotatedLog {
 public:
  RotatedLog(const TemporaryFolder &folder, const string &name, i64 longest)
      : folder_(folder), name_(name), longest_(longest) {
    folder_.write(name_, "");
  }

  void step(Random &random) {
    if (under_way_) return finish();
    const i64 what = pick(random, 0, 19);
    if (what < 11) return append(random);
    if (what < 14) return rotate(random);
    if (what < 16) return copy_and_truncate(random);
    if (what < 17) return remove_oldest(random);
    if (what < 18) return back_up(random);
    if (what < 19) return truncate();
    return compress(random);
  }

 private:
  string path(const string &name) const { return folder_.path(name); }
  bool exists(const string &name) const { return fs::exists(path(name)); }
  string rotated(i64 i) const { return name_ + "." + std::to_string(i) + (i > 1 ? ".gz" : ""); }

  // A part of a line is the start of one that the next append goes on with.
  void append(Random &random) {
    string text;
    const i64 bytes = pick(random, 0, one_in(random, 4) ? longest_ : longest_ / 20);
    while (std::ssize(text) <= bytes) {
      static i64 next = 0;
      text += "line " + std::to_string(next++) + " ";
      text.append(static_cast<size_t>(pick(random, 0, 90)), 'x');
      text += '\n';
    }
    const i64 drawn = one_in(random, 3) ? pick(random, 1, 12) : 0;
    const size_t cut = std::min(static_cast<size_t>(drawn), text.size());
    text = half_line_ + text;
    half_line_ = text.substr(text.size() - cut);
    std::ofstream(path(name_), std::ios::app)
        << text.substr(half_written_, text.size() - cut - half_written_);
    half_written_ = 0;
    if (cut > 2 && one_in(random, 2)) {  // half of it is written
      std::ofstream(path(name_), std::ios::app) << half_line_.substr(0, cut / 2);
      half_written_ = cut / 2;
    }
  }
  // A log that is closed ends with its line.
  void end_line() {
    std::ofstream(path(name_), std::ios::app) << half_line_.substr(half_written_);
    half_line_.clear();
    half_written_ = 0;
  }

  void move_up() {
    for (i64 i = 6; i > 1; --i) {
      if (exists(rotated(i))) fs::rename(path(rotated(i)), path(rotated(i + 1)));
    }
    if (exists(rotated(1))) {
      folder_.write(rotated(2), gzipped(folder_.read(rotated(1))));
      fs::remove(path(rotated(1)));
    }
    fs::remove(path(rotated(7)));
  }
  void rotate(Random &random) {
    end_line();
    move_up();
    fs::rename(path(name_), path(rotated(1)));
    if (!one_in(random, 3)) folder_.write(name_, "");
    std::ofstream(path(name_), std::ios::app) << "";
  }
  void copy_and_truncate(Random &random) {
    end_line();
    move_up();
    if (one_in(random, 2)) {
      fs::copy_file(path(name_), path(rotated(1)));
      return truncate();
    }
    start(rotated(1), folder_.read(name_), folder_.read(name_), random, [this] { truncate(); });
  }
  void compress(Random &random) {
    if (!exists(rotated(1))) return;
    for (i64 i = 6; i > 1; --i) {
      if (exists(rotated(i))) fs::rename(path(rotated(i)), path(rotated(i + 1)));
    }
    fs::remove(path(rotated(7)));
    const string text = folder_.read(rotated(1));
    start(rotated(2), text, gzipped(text), random, [this] { fs::remove(path(rotated(1))); });
  }
  // A copy that stays; of what is short it would be another log.
  void back_up(Random &random) {
    const string from = one_in(random, 2) ? name_ : rotated(1);
    if (!exists(from)) return;
    const string text = folder_.read(from);
    if (text.size() < 4096 || text.rfind('\n') + 1 < 4096) return;
    start(name_ + ".backup", text, one_in(random, 2) ? gzipped(text) : text, random, [] {});
  }
  void remove_oldest(Random &random) {
    const string name = one_in(random, 3) ? name_ + ".backup" : rotated(pick(random, 1, 6));
    fs::remove(path(name));
  }
  void truncate() {
    fs::resize_file(path(name_), 0);
    half_line_.clear();
    half_written_ = 0;
  }

  // Writes `text`, which is `bytes` in its file, and then does `then`. A run between sees a part of
  // it: at least 4 KiB, or what it cannot unpack, since less would be a log of its own.
  void start(const string &name, const string &text, const string &bytes, Random &random,
             std::function<void()> then) {
    fs::remove(path(name));
    const bool packed = bytes != text;
    const i64 least = packed ? 0 : std::min<i64>(4096, std::ssize(bytes));
    folder_.write(name,
                  bytes.substr(0, static_cast<size_t>(pick(random, least, std::ssize(bytes)))));
    target_ = name;
    bytes_ = bytes;
    then_ = std::move(then);
    under_way_ = true;
    if (text.size() < 4096) finish();
  }
  void finish() {
    const auto done = static_cast<size_t>(fs::file_size(path(target_)));
    std::ofstream(path(target_), std::ios::app | std::ios::binary) << bytes_.substr(done);
    then_();
    under_way_ = false;
  }

  const TemporaryFolder &folder_;
  const string name_;
  const i64 longest_;
  string half_line_;         // what is to follow in the log
  size_t half_written_ = 0;  // of it
  bool under_way_ = false;
  string target_, bytes_;
  std::function<void()> then_;
};

class KeptIdentity : public testing::Test {
 protected:
  std::vector<string> paths() const {
    std::vector<string> all;
    for (const auto &entry : fs::directory_iterator(folder_.path(""))) {
      all.push_back(entry.path().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  // All whole lines of all files.
  void look(const std::vector<string> &all) {
    for (const string &name : all) {
      const Result<Source> source = examine(name);
      if (!source.is_ok()) continue;
      bool damaged = false;
      const string text = contents_of(*source, &damaged);
      for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
        seen_.insert(text.substr(at, end - at));
      }
    }
  }
  // The first that is lost or counted twice; "": none.
  string fault() const {
    const std::map<string, i64> counted = run_.lines();
    for (const auto &[line, count] : counted) {
      if (count != 1) return std::to_string(count) + " times: " + line;
      if (!seen_.contains(line)) return "never written: " + line;
    }
    for (const string &line : seen_) {
      if (!counted.contains(line)) return "lost: " + line;
    }
    return "";
  }

  TemporaryFolder folder_;
  KeptRun run_;
  std::set<string> seen_;
};

TEST_F(KeptIdentity, OutlivesTenThousandRotations) {
  Random random(first_seed());
  constexpr int kSteps = 10000, kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    for (const string &path : paths()) fs::remove(path);
    run_ = {};
    seen_.clear();
    std::vector<std::unique_ptr<RotatedLog>> logs;
    for (const i64 longest : {500, 4000, 30000, 200000}) {
      logs.push_back(
          std::make_unique<RotatedLog>(folder_, "log" + std::to_string(longest), longest));
    }
    for (int step = 0; step < kSteps / kRounds; ++step) {
      one_of(random, std::vector<RotatedLog *>{logs[0].get(), logs[0].get(), logs[1].get(),
                                               logs[1].get(), logs[2].get(), logs[3].get()})
          ->step(random);
      if (!one_in(random, 3)) continue;
      look(paths());
      run_.run(paths());
      if (!one_in(random, 10)) continue;
      ASSERT_EQ(fault(), "") << "round " << round << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace mrc
