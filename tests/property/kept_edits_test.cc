// mrc --state --state-tiles over files that are edited anywhere at random: each answer has the
// bytes of a run without --state over the same files.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kSteps = 4;
#else
constexpr i64 kSteps = 14;
#endif

const std::vector<string> kVerbs = {
    "count",
    "count -k name",
    "wordcount --top 100",
    "stats -k name -a count,sum:n,mean:n,var:n,median:n,first:word,last:word",
    "stats -a count,first:name,last:n,distinct:word,top3:word,p90:n",
    "distinct --stable -k name,word",
    "hist n",
    "index --top 50",
    "index --positions file --top 50",
    "word_count",
    "sort",
    "sort -s -k n:num",
    "sort -u -k word",
    "select -w 'n > 100'",
    "select -k word,n --tail 100",
    "grep -n anna",
};
const std::vector<string> kNames = {"a.csv", "b.csv", "c.csv"};

// A file of lines, with names of fields in the first one.
class Text {
 public:
  explicit Text(Random &random) {
    lines_.push_back(header());
    for (i64 n = pick(random, 100, 1200); n > 0; --n) lines_.push_back(line(random));
  }

  string edit(Random &random) {
    const i64 most = std::ssize(lines_);
    const i64 at = one_of<i64>(random, {1, most, pick(random, 1, most)});
    const auto place = lines_.begin() + at;
    switch (pick(random, 0, 7)) {
      case 0: lines_.insert(lines_.end(), 20, line(random)); return "appended";
      case 1:
        lines_.erase(place, place + std::min(most - at, pick(random, 1, 40)));
        return "erased";
      case 2: std::rotate(lines_.begin() + 1, place, lines_.end()); return "rotated";
      case 3:
        swaps_fields_ = !swaps_fields_;
        lines_[0] = header();
        return "new header";
      case 4: lines_.insert(place, quoted(random)); return "quoted";
      case 5: rest_ = one_in(random, 2) ? "" : "half a l"; return "rest";
      case 6:
        if (at < most) *place = line(random);
        return "replaced";
      default: lines_.insert(place, static_cast<size_t>(pick(random, 1, 30)), line(random));
    }
    return "inserted";
  }
  string bytes() const {
    string text;
    for (const string &line : lines_) text += line + "\n";
    return text;
  }
  // With a line that has no end yet.
  string all() const { return bytes() + rest_; }

 private:
  string header() const { return swaps_fields_ ? "word,n,name" : "name,n,word"; }
  static string line(Random &random) {
    return fmt::format("{},{},w{}", one_of<string>(random, {"anna", "bob", "carl"}),
                       pick(random, -50, 1000), pick(random, 0, 300));
  }
  static string quoted(Random &random) {
    return fmt::format("anna,{},{}", pick(random, 0, 9),
                       one_in(random, 5) ? "\"two\nlines\"" : "plain");
  }

  bool swaps_fields_ = false;
  std::vector<string> lines_;
  string rest_;
};

class KeptEdits : public testing::TestWithParam<u64> {
 protected:
  void SetUp() override { setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1); }

  // As an editor does that writes a new file, or in place.
  void save(Random &random, const string &name, const string &bytes) {
    const string path = folder_.path("files/" + name);
    if (one_in(random, 2)) std::filesystem::remove(path);
    folder_.write("files/" + name, bytes);
  }
  string answer_of(const string &folder, const string &command) {
    const int status = run_shell(
        fmt::format("cd {}; timeout 60 $MRC {} >../out 2>../err", folder_.path(folder), command));
    EXPECT_EQ(status, 0) << command << "\n" << folder_.read("err");
    return folder_.read("out");
  }
  // Of files without their last half lines, which the state leaves to the next run.
  void expect_the_same(size_t verb, const string &setting, const std::vector<Text> &texts) {
    std::filesystem::create_directory(folder_.path("whole"));
    for (size_t i = 0; i < texts.size(); ++i) {
      folder_.write("whole/" + kNames[i], texts[i].bytes());
    }
    string inputs;
    for (const string &name : kNames) inputs += " " + name;
    const string state = fmt::format(" --quiet --state ../state{} --state-tiles {}", verb, setting);
    const string found = answer_of("files", kVerbs[verb] + state + inputs);
    EXPECT_EQ(folder_.read("err"), "");
    const string expected = answer_of("whole", kVerbs[verb] + inputs);
    const auto differs = std::ranges::mismatch(found, expected).in1 - found.begin();
    ASSERT_TRUE(found == expected) << kVerbs[verb] << setting << ": byte " << differs << " of\n"
                                   << found.substr(0, 2000);
  }

  const TemporaryFolder folder_;
};

TEST_P(KeptEdits, GiveTheAnswerOfOneRun) {
  const u64 seed = first_seed() + GetParam();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  std::filesystem::create_directory(folder_.path("files"));
  std::vector<Text> texts;
  for (const string &name : kNames) {
    texts.emplace_back(random);
    save(random, name, texts.back().all());
  }
  string done;
  for (i64 step = 0; step < kSteps * rounds(); ++step) {
    for (size_t verb = 0; verb < kVerbs.size(); ++verb) {
      if (!one_in(random, 2)) continue;
      const string setting = one_of<string>(
          random, {"1K -j1", "1K -j2", "1K -j2 --split 500", "1K -j2 --memory 100K"});
      SCOPED_TRACE("the steps:" + done);
      expect_the_same(verb, setting, texts);
      if (HasFatalFailure()) return;
    }
    const size_t i = static_cast<size_t>(pick(random, 0, 2));
    if (one_in(random, 8)) {
      std::swap(texts[0], texts[1]);
      save(random, kNames[0], texts[0].all());
      save(random, kNames[1], texts[1].all());
      done += "\nswapped";
    } else {
      done += fmt::format("\n{}: {}", kNames[i], texts[i].edit(random));
      save(random, kNames[i], texts[i].all());
    }
  }
}

// Runs are rewritten when there are many; tiles stay what they are.
TEST_P(KeptEdits, AreFoundAfterRunsWereRewritten) {
  Random random(first_seed() + GetParam());
  std::filesystem::create_directory(folder_.path("files"));
  std::vector<Text> texts;
  for (size_t i = 0; i < kNames.size(); ++i) texts.emplace_back(random);
  for (i64 step = 0; step < 24; ++step) {
    Text &text = texts[static_cast<size_t>(step % 3)];
    text.edit(random);
    for (size_t i = 0; i < texts.size(); ++i) save(random, kNames[i], texts[i].all());
    expect_the_same(7, "1K -j2", texts);
    if (HasFatalFailure()) return;
  }
  const auto runs = std::filesystem::directory_iterator(folder_.path("state7"));
  EXPECT_LE(std::distance(begin(runs), end(runs)), 16 + 3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeptEdits, testing::Range<u64>(0, 4));

}  // namespace
}  // namespace mrc
