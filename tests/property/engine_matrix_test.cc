// The engine against naive.h: the same bytes for every number of threads, split
// size, way of reading, CPU and machine, on every kind of input.
#include "engine/engine.h"
#include "property/naive.h"
#include "support/temporary_folder.h"
#include "unit/sched/machines.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 15;
#else
constexpr i64 kRounds = 120;
#endif

class Silent : public Observer {
 public:
  void complain(const string &message) override { complaints += message + "\n"; }
  void progress(i64, i64) override {}
  void writing() override {}
  string complaints;
};

struct Knobs {
  i64 threads;
  i64 split;
  IoMode io;
  int scanner;
  const Topology *topology = nullptr;  // this machine's
  ContainerKind container = ContainerKind::flat;
};

string run_engine(Job job, const TemporaryFolder &folder, const Knobs &knobs) {
  job.output = folder.path("out");
  job.threads = knobs.threads;
  job.split_bytes = knobs.split;
  job.io = knobs.io;
  job.container = knobs.container;
  Plan plan = make_plan(job, knobs.topology);
  if (const Scanner *scanner = runnable_scanners()[static_cast<size_t>(knobs.scanner)]) {
    plan.scanner = scanner;
  }
  Silent observer;
  Result<Report> report = run(job, plan, &observer);
  EXPECT_TRUE(report.is_ok()) << report.status().message();
  EXPECT_EQ(observer.complaints, "");
  EXPECT_LE(report->stolen, report->splits);
  return folder.read("out");
}

using Random = std::mt19937_64;

i64 pick(Random &random, i64 least, i64 most) {
  return std::uniform_int_distribution<i64>(least, most)(random);
}

string random_key(Random &random, i64 alphabet) {
  static const std::vector<i64> kLengths = {0,  1,  2,  5,  7,  8,  9,  14,
                                            15, 16, 17, 30, 31, 32, 33, 70};
  string key;
  for (i64 n = kLengths[static_cast<size_t>(pick(random, 0, 15))]; n > 0; --n) {
    key += static_cast<char>(alphabet == 256 ? pick(random, 0, 255)
                                             : 'a' + pick(random, 0, alphabet - 1));
  }
  return key;
}

// Texts of several distributions; what joins the keys is random too.
string random_text(Random &random, i64 bytes) {
  static const std::vector<string> kGlue = {
      " ",    "\n",     "\r\n", "'", "\u2019", "\u00e9", "\u3002", "\t", string(1, '\0'),
      "\xff", "\u4f60", "_",    "X", "-"};
  const i64 distribution = pick(random, 0, 5);
  const i64 distinct = pick(random, 1, 200);
  const string prefix =
      distribution == 3 ? string(static_cast<size_t>(pick(random, 1, 40)), 'p') : "";
  string text;
  while (static_cast<i64>(text.size()) < bytes) {
    switch (distribution) {
      case 0: text += "constant"; break;
      case 1: text += std::to_string(random()); break;  // unique
      case 2: {                                         // Zipf: rank r with weight 1/r
        double u = std::uniform_real_distribution<>(0, 1)(random);
        text += "w" + std::to_string(static_cast<i64>(std::pow(static_cast<double>(distinct), u)));
        break;
      }
      case 3: text += prefix + random_key(random, 3); break;
      case 4: text += random_key(random, 256); break;
      default: text += random_key(random, 26); break;
    }
    text += pick(random, 0, 9) < 6
                ? " "
                : kGlue[static_cast<size_t>(pick(random, 0, static_cast<i64>(kGlue.size()) - 1))];
  }
  if (pick(random, 0, 1) == 0) text += "\n";
  return text;
}

Job random_job(Random &random) {
  Job job;
  job.shape.raw = true;
  job.map.records = pick(random, 0, 2) == 0 ? MapSpec::Records::lines : MapSpec::Records::words;
  job.map.words = static_cast<Words>(pick(random, 0, 2));
  job.map.ignore_case = pick(random, 0, 1) == 0;
  if (pick(random, 0, 4) == 0) job.map.terminator = job.shape.terminator = '\0';
  job.order.reducer = pick(random, 0, 1) - 1;
  job.order.descending = pick(random, 0, 1) == 0;
  job.order.ties_descending = pick(random, 0, 1) == 0;
  if (pick(random, 0, 2) == 0) job.order.limit = pick(random, 0, 50);
  return job;
}

// This machine, and some that have several groups.
std::vector<const Topology *> machines() {
  static const Topology chips = two_chips(), ring = ring_of_four(), uneven = six_and_two();
  return {nullptr, &chips, &ring, &uneven};
}

// Fixed, or from the environment to repeat or extend a search.
u64 first_seed() {
  const char *seed = std::getenv("MRC_SEED");
  return seed == nullptr ? 20240229 : std::strtoull(seed, nullptr, 10);
}

TEST(EngineMatrix, PrintsWhatTheNaiveProgramPrints) {
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    TemporaryFolder folder;
    Job job = random_job(random);
    job.inputs.clear();
    std::vector<string> texts;
    for (i64 file = pick(random, 1, 3); file > 0; --file) {
      const i64 most = round % 10 == 0 ? 20000 : 600;
      texts.push_back(random_text(random, pick(random, 0, most)));
      job.inputs.push_back(folder.write("in" + std::to_string(file), texts.back()));
    }
    const string expected = naive::run(job, texts);
    const i64 whole = i64{1} << 40;
    for (i64 threads : {1, 2, 3, 8}) {
      for (i64 split : {i64{1}, i64{7}, i64{64}, i64{1000}, whole}) {
        if (split == 1 && texts[0].size() > 2000) continue;
        IoMode io = pick(random, 0, 1) == 0 ? IoMode::read : IoMode::mmap;
        int scanner = static_cast<int>(pick(random, 0, 2));
        const size_t machine = static_cast<size_t>(pick(random, 0, 3));
        job.pin = pick(random, 0, 3) == 0;
        auto container =
            static_cast<ContainerKind>(pick(random, 0, static_cast<i64>(ContainerKind::array)));
        const Knobs knobs = {threads, split, io, scanner, machines()[machine], container};
        ASSERT_EQ(run_engine(job, folder, knobs), expected)
            << "threads " << threads << " split " << split << " mmap " << (io == IoMode::mmap)
            << " machine " << machine << " pin " << job.pin << " container "
            << container_name(container);
      }
    }
  }
}

TEST(EngineMatrix, TakesAllShortTextsOverASmallAlphabet) {
  const string alphabet = "a'\n\xC3\xA9";
  Job job;
  job.shape.raw = true;
  TemporaryFolder folder;
#ifdef MRC_SANITIZED
  const size_t longest = 3;
#else
  const size_t longest = 5;
#endif
  std::vector<string> texts = {""};
  for (size_t i = 0; i < texts.size() && texts[i].size() < longest; ++i) {
    for (char c : alphabet) texts.push_back(texts[i] + c);
  }
  for (const string &text : texts) {
    SCOPED_TRACE(testing::PrintToString(text));
    job.inputs = {folder.write("in", text)};
    for (Words words : {Words::word, Words::blank}) {
      job.map.words = words;
      ASSERT_EQ(run_engine(job, folder, {2, 1, IoMode::read, 2}), naive::run(job, {text}));
    }
  }
}

TEST(EngineMatrix, TakesRecordsMuchLongerThanSplits) {
  TemporaryFolder folder;
  const string word(1 << 20, 'w');
  const std::vector<string> texts = {word + " a " + word + "\n" + word + "x\n" + word};
  Job job;
  job.shape.raw = true;
  job.inputs = {folder.write("in", texts[0])};
  for (auto records : {MapSpec::Records::words, MapSpec::Records::lines}) {
    job.map.records = records;
    for (bool ignore_case : {false, true}) {
      job.map.ignore_case = ignore_case;
      const string expected = naive::run(job, texts);
      for (IoMode io : {IoMode::read, IoMode::mmap}) {
        EXPECT_TRUE(run_engine(job, folder, {4, 10000, io, 2}) == expected);
      }
    }
  }
}

TEST(EngineMatrix, ManyKeysInAllClasses) {
  TemporaryFolder folder;
  string text;
  for (i64 i = 0; i < 120000; ++i) {
    text += "common/prefix/" + string(static_cast<size_t>(i % 3) * 12, '-') +
            std::to_string(i * 7919 % 60000) + "\n";
  }
  Job job;
  job.shape.raw = true;
  job.map.records = MapSpec::Records::lines;
  job.inputs = {folder.write("in", text)};
  for (i64 reducer : {-1, 0}) {
    job.order.reducer = reducer;
    const string expected = naive::run(job, {text});
    for (i64 threads : {1, 2, 5}) {
      EXPECT_TRUE(run_engine(job, folder, {threads, 50000, IoMode::read, 2}) == expected);
    }
    for (i64 kind = 0; kind <= static_cast<i64>(ContainerKind::array); ++kind) {
      const auto container = static_cast<ContainerKind>(kind);
      EXPECT_TRUE(run_engine(job, folder, {3, 50000, IoMode::read, 2, nullptr, container}) == expected)
          << container_name(container);
    }
  }
}

}  // namespace
}  // namespace mrc
