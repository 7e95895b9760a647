// The engine against naive.h: the same bytes for every number of threads, split
// size, way of reading, CPU and machine, in any memory, on every kind of input.
#include "engine/engine.h"
#include "property/naive.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"
#include "unit/sched/machines.h"

#include <gtest/gtest.h>

#include <cstdlib>

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
  const ContainerType *container = &kFlatContainer;
  std::optional<i64> memory = {};
  Switches switches = {};
  std::optional<i64> tile = {};
};

Report run_program(Program program, const TemporaryFolder &folder, const Knobs &knobs) {
  program.output = folder.path("out");
  program.tmpdir = folder.path(".");
  program.threads = knobs.threads;
  program.split_bytes = knobs.split;
  program.io = knobs.io;
  program.memory = knobs.memory;
  program.switches = knobs.switches;
  if (knobs.tile) program.tiling = Tiling::fixed;
  program.tile_bytes = knobs.tile.value_or(0);
  program.container = knobs.container;
  Plan plan = make_plan(program, knobs.topology);
  if (const Scanner *scanner = runnable_scanners()[static_cast<size_t>(knobs.scanner)]) {
    plan.scanner = scanner;
  }
  Silent observer;
  Result<Report> report = run(program, plan, &observer);
  EXPECT_TRUE(report.is_ok()) << report.status().message();
  EXPECT_EQ(observer.complaints, "");
  if (!report.is_ok()) return {};
  EXPECT_LE(report->stolen, report->splits);
  return *report;
}

string run_engine(const Program &program, const TemporaryFolder &folder, const Knobs &knobs) {
  run_program(program, folder, knobs);
  return folder.read("out");
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
  static const std::vector<string> kNumbers = {"0",   "-0", "7",   "007", "-7",
                                               "1.5", "-2", ".50", "+3",  "123456789012345678901"};
  const i64 distribution = pick(random, 0, 6);
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
      case 5: text += kNumbers[static_cast<size_t>(pick(random, 0, 9))]; break;
      default: text += random_key(random, 26); break;
    }
    text += pick(random, 0, 9) < 6
                ? " "
                : kGlue[static_cast<size_t>(pick(random, 0, static_cast<i64>(kGlue.size()) - 1))];
  }
  if (pick(random, 0, 1) == 0) text += "\n";
  return text;
}

// Sorts by whole records, by fields, or by bytes of records of a fixed size.
void make_sort(Random &random, Program *program) {
  program->stage = &kSortStage;
  SortSpec &sort = program->sort.emplace();
  program->map.records = MapSpec::Records::lines;
  sort.terminator = program->map.terminator;
  sort.reverse = pick(random, 0, 1) == 0;
  sort.stable = pick(random, 0, 2) == 0;
  sort.unique = pick(random, 0, 2) == 0;
  if (pick(random, 0, 5) == 0) {
    sort.record_bytes = pick(random, 1, 40);
    program->shape.terminated = false;
    const i64 begin = pick(random, 0, sort.record_bytes - 1);
    if (pick(random, 0, 2) > 0) sort.range = {begin, pick(random, begin + 1, sort.record_bytes)};
    return;
  }
  if (pick(random, 0, 2) == 0) sort.key.delimiter = pick(random, 0, 1) == 0 ? 'a' : ' ';
  for (i64 fields = pick(random, 0, 2); fields > 0; --fields) {
    SortField field;
    field.field = pick(random, 0, 3);
    if (pick(random, 0, 1) == 0) field.type = SortField::Type::number;
    field.descending = pick(random, 0, 1) == 0;
    field.ignore_case = program->map.ignore_case;
    sort.key.fields.push_back(field);
  }
}

void make_index(Random &random, Program *program) {
  using Values = MapSpec::Values;
  program->map.records = MapSpec::Records::words;
  program->map.values = static_cast<Values>(pick(random, static_cast<i64>(Values::byte), 3));
  program->aggregation = positions_aggregation();
}

void make_distinct(Random &random, Program *program) {
  program->map.records = MapSpec::Records::lines;
  program->shape.key_only = true;
  program->aggregation = {};
  program->order.column = -1;
  switch (pick(random, 0, 2)) {
    case 0: program->counts_rows = true; break;
    case 1: break;
    default:  // in the order of the input
      program->map.values = MapSpec::Values::byte;
      program->aggregation = first_aggregation();
      program->order.column = 0;
  }
}

Program random_program(Random &random) {
  Program program;
  program.shape.raw = true;
  program.map.records = pick(random, 0, 2) == 0 ? MapSpec::Records::lines : MapSpec::Records::words;
  program.map.words = static_cast<Words>(pick(random, 0, 2));
  program.map.ignore_case = pick(random, 0, 1) == 0;
  if (pick(random, 0, 4) == 0) program.map.terminator = program.shape.terminator = '\0';
  program.order.column = pick(random, 0, 1) - 1;
  program.order.descending = pick(random, 0, 1) == 0;
  program.order.ties_descending = pick(random, 0, 1) == 0;
  if (pick(random, 0, 2) == 0) program.order.limit = pick(random, 0, 50);
  switch (pick(random, 0, 4)) {
    case 0: make_sort(random, &program); break;
    case 1: make_index(random, &program); break;
    case 2: make_distinct(random, &program); break;
    default: break;  // counts
  }
  return program;
}

// How it is run, but for threads and splits.
Knobs random_knobs(Random &random) {
  Knobs knobs{};
  knobs.io = pick(random, 0, 1) == 0 ? IoMode::read : IoMode::mmap;
  knobs.scanner = static_cast<int>(pick(random, 0, 2));
  if (pick(random, 0, 2) == 0) knobs.memory = i64{1} << pick(random, 0, 16);
  if (pick(random, 0, 2) == 0) knobs.switches.hot_bytes = i64{64} << 10;
  if (pick(random, 0, 1) == 0) knobs.switches.partition_bits = pick(random, 0, 8);
  switch (pick(random, 0, 5)) {
    case 0: knobs.switches.share_bytes = i64{1} << 30; break;
    case 1: knobs.switches.share_bytes = pick(random, 0, 1) << pick(random, 10, 20); break;
    default: break;  // as planned
  }
  knobs.switches.drift = pick(random, 0, 1) == 0;
  knobs.switches.bypass = pick(random, 0, 1) == 0;
  knobs.switches.eager = pick(random, 0, 1) == 0;
  knobs.switches.runs =
      one_of(random, std::vector{EagerRuns::wait, EagerRuns::sort, EagerRuns::reduce});
  knobs.switches.start = pick(random, 0, 1) == 0 ? 1 : pick(random, 2, 8);
  knobs.switches.stop = pick(random, 0, 1) == 0 ? 1 : 0.5;
  knobs.switches.low_priority = pick(random, 0, 3) == 0;
  knobs.switches.stagger = pick(random, 0, 1) == 0;
  knobs.switches.merge_tree = pick(random, 0, 3) == 0;
  knobs.switches.static_schedule = pick(random, 0, 3) == 0;
  if (pick(random, 0, 2) == 0) knobs.tile = i64{1} << pick(random, 0, 12);
  knobs.container = one_of(random, all_containers());
  return knobs;
}

string describe(const Knobs &knobs) {
  const Switches &switches = knobs.switches;
  return "threads " + std::to_string(knobs.threads) + " split " + std::to_string(knobs.split) +
         " mmap " + std::to_string(knobs.io == IoMode::mmap) + " memory " +
         std::to_string(knobs.memory.value_or(-1)) + " hot " +
         std::to_string(switches.hot_bytes.value_or(-1)) + " share " +
         std::to_string(switches.share_bytes.value_or(-1)) + " partition bits " +
         std::to_string(switches.partition_bits.value_or(-1)) + " eager " +
         std::to_string(switches.eager) + " runs " +
         std::to_string(static_cast<int>(switches.runs)) + " start " +
         std::to_string(switches.start) + " stagger " + std::to_string(switches.stagger) +
         " tree " + std::to_string(switches.merge_tree) + " static " +
         std::to_string(switches.static_schedule) + " tile " +
         std::to_string(knobs.tile.value_or(-1)) + " container " + knobs.container->name;
}

// This machine, and some that have several groups.
std::vector<const Topology *> machines() {
  static const Topology chips = two_chips(), ring = ring_of_four(), uneven = six_and_two();
  return {nullptr, &chips, &ring, &uneven};
}

TEST(EngineMatrix, PrintsWhatTheNaiveProgramPrints) {
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    TemporaryFolder folder;
    Program program = random_program(random);
    program.inputs.clear();
    std::vector<string> texts;
    for (i64 file = pick(random, 1, 3); file > 0; --file) {
      const i64 most = round % 10 == 0 ? 20000 : 600;
      texts.push_back(random_text(random, pick(random, 0, most)));
      const i64 record = program.sort ? program.sort->record_bytes : 0;
      if (record > 0) texts.back().resize(texts.back().size() / record * record);
      program.inputs.push_back(folder.write("in" + std::to_string(file), texts.back()));
    }
    const string expected = naive::run(program, texts);
    const i64 whole = i64{1} << 40;
    for (i64 threads : {1, 2, 3, 8}) {
      for (i64 split : {i64{1}, i64{7}, i64{64}, i64{1000}, whole}) {
        if (split == 1 && texts[0].size() > 2000) continue;
        const size_t machine = static_cast<size_t>(pick(random, 0, 3));
        program.pin = pick(random, 0, 3) == 0;
        Knobs knobs = random_knobs(random);
        knobs.threads = threads;
        knobs.split = split;
        knobs.topology = machines()[machine];
        ASSERT_EQ(run_engine(program, folder, knobs), expected)
            << describe(knobs) << " machine " << machine << " pin " << program.pin;
      }
    }
  }
}

// Sorted input, with one record out of place or none.
TEST(EngineMatrix, FindsTheFirstDisorder) {
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    TemporaryFolder folder;
    Program program;
    make_sort(random, &program);
    const i64 record = program.sort->record_bytes;
    string text = random_text(random, pick(random, 0, 400));
    std::replace(text.begin(), text.end(), ' ', '\n');
    if (record > 0) text.resize(text.size() / record * record);
    text = naive::run_sort(program, {text});
    std::vector<string> records = naive::records(*program.sort, text);
    for (i64 swaps = pick(random, 0, 2); swaps > 0 && !records.empty(); --swaps) {
      const i64 last = std::ssize(records) - 1;
      std::swap(records[static_cast<size_t>(pick(random, 0, last))],
                records[static_cast<size_t>(pick(random, 0, last))]);
    }
    std::vector<string> texts(static_cast<size_t>(pick(random, 1, 3)));
    for (size_t i = 0; i < records.size(); ++i) {
      texts[i * texts.size() / records.size()] += records[i] + (record > 0 ? "" : "\n");
    }
    program.inputs.clear();
    for (size_t i = 0; i < texts.size(); ++i) {
      program.inputs.push_back(folder.write("in" + std::to_string(i), texts[i]));
    }
    program.stage = &kCheckStage;
    const string expected = naive::first_disorder(program, texts);
    for (i64 threads : {1, 2, 8}) {
      for (i64 split : {1, 7, 64, 100000}) {
        Knobs knobs = random_knobs(random);
        knobs.threads = threads;
        knobs.split = split;
        knobs.topology = machines()[static_cast<size_t>(pick(random, 0, 3))];
        const string found = run_program(program, folder, knobs).disorder;
        ASSERT_EQ(found.substr(0, found.find(": disorder: ")), expected) << describe(knobs);
      }
    }
  }
}

TEST(EngineMatrix, TakesAllShortTextsOverASmallAlphabet) {
  const string alphabet = "a'\n\xC3\xA9";
  Program program;
  program.shape.raw = true;
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
    program.inputs = {folder.write("in", text)};
    for (Words words : {Words::word, Words::blank}) {
      program.map.words = words;
      ASSERT_EQ(run_engine(program, folder, {2, 1, IoMode::read, 2}), naive::run(program, {text}));
    }
  }
}

TEST(EngineMatrix, TakesRecordsMuchLongerThanSplits) {
  TemporaryFolder folder;
  const string word(1 << 20, 'w');
  const std::vector<string> texts = {word + " a " + word + "\n" + word + "x\n" + word};
  Program program;
  program.shape.raw = true;
  program.inputs = {folder.write("in", texts[0])};
  for (auto records : {MapSpec::Records::words, MapSpec::Records::lines}) {
    program.map.records = records;
    for (bool ignore_case : {false, true}) {
      program.map.ignore_case = ignore_case;
      const string expected = naive::run(program, texts);
      for (IoMode io : {IoMode::read, IoMode::mmap}) {
        EXPECT_TRUE(run_engine(program, folder, {4, 10000, io, 2}) == expected);
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
  Program program;
  program.shape.raw = true;
  program.map.records = MapSpec::Records::lines;
  program.inputs = {folder.write("in", text)};
  for (i64 column : {-1, 0}) {
    program.order.column = column;
    const string expected = naive::run(program, {text});
    for (i64 threads : {1, 2, 5}) {
      Knobs knobs = {threads, 50000, IoMode::read, 2};
      EXPECT_TRUE(run_engine(program, folder, knobs) == expected);
      for (i64 hot : {i64{64} << 10, i64{1} << 20}) {
        knobs.switches.hot_bytes = hot;
        EXPECT_TRUE(run_engine(program, folder, knobs) == expected) << threads << " hot " << hot;
      }
      knobs.switches = {};
      knobs.memory = i64{1} << 20;
      EXPECT_TRUE(run_engine(program, folder, knobs) == expected) << threads;
    }
    for (const ContainerType *container : all_containers()) {
      EXPECT_TRUE(run_engine(program, folder, {3, 50000, IoMode::read, 2, nullptr, container}) ==
                  expected)
          << container->name;
    }
  }
}

}  // namespace
}  // namespace mrc
