// Jobs of a plugin that uses all of the interface (tests/plugins/every_job.c) against a naive
// program: the same bytes for every number of threads, split size, container and memory, from
// files, pipes and compressed files.
#include "base/int.h"
#include "group/group.h"
#include "output/encode.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 3;
#else
constexpr i64 kRounds = 10;
#endif

// ---- Input -----------------------------------------------------------------------------

string random_bytes(Random &random, i64 size) {
  static const string kAlphabet = "ab \t\\\xC3\x01z";
  string bytes;
  for (i64 i = 0; i < size; ++i)
    bytes += one_of<char>(random, {kAlphabet.begin(), kAlphabet.end()});
  return bytes;
}

// Around the classes of keys, and where words of texts change.
i64 random_size(Random &random) {
  if (pick(random, 0, 300) == 0) return one_of<i64>(random, {65534, 65535, 70000});
  return one_of<i64>(random, {0, 1, 1, 2, 3, 14, 15, 16, 31, 32, 100});
}

string random_integer(Random &random) {
  switch (pick(random, 0, 9)) {
    case 0: return "";
    case 1: return std::to_string(INT64_MAX);
    case 2: return std::to_string(INT64_MIN + 1);
    default: return std::to_string(pick(random, -20, 20));
  }
}

string random_line(Random &random, const std::vector<string> &keys) {
  if (pick(random, 0, 40) == 0) return "!bad " + random_bytes(random, 5);
  if (pick(random, 0, 40) == 0) return one_of(random, keys);
  const string text = pick(random, 0, 5) == 0 ? "-" : random_bytes(random, random_size(random));
  return one_of(random, keys) + "|" + random_integer(random) + "|" +
         (pick(random, 0, 5) == 0 ? "" : std::to_string(pick(random, -9, 9))) + "|" + text;
}

struct Input {
  std::vector<string> texts;
  i64 bytes() const { return std::ssize(std::accumulate(texts.begin(), texts.end(), string())); }
  // Also the last line of all but the last file has an end.
  std::vector<string> lines() const {
    std::vector<string> all;
    for (const string &text : texts) {
      for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        all.push_back(text.substr(at, end - at));
        at = end + 1;
      }
    }
    return all;
  }
};

Input random_input(Random &random, i64 most_lines) {
  std::vector<string> keys;
  for (i64 n = pick(random, 1, 60); n > 0; --n) {
    keys.push_back(random_bytes(random, random_size(random)));
  }
  Input input;
  for (i64 files = pick(random, 1, 3); files > 0; --files) {
    string text;
    for (i64 n = pick(random, 0, most_lines); n > 0; --n) text += random_line(random, keys) + "\n";
    if (!text.empty() && pick(random, 0, 1) == 0) text.pop_back();
    input.texts.push_back(text);
  }
  return input;
}

// ---- What every_job.c computes, written down once more -------------------------------------

struct Pair {
  string key;
  std::optional<i64> integer;
  std::optional<double> real;
  std::optional<string> text;
};

struct Options {
  i64 times = 1;
  double scale = 1;
  string label;
};

Pair pair_of(string line, const Options &options) {
  const auto field = [&line] {
    const size_t bar = std::min(line.find('|'), line.size());
    const string first = line.substr(0, bar);
    line.erase(0, bar + 1);
    return first;
  };
  Pair pair;
  pair.key = options.label + field();
  const string integer = field(), quarters = field();
  if (!integer.empty()) pair.integer = std::stoll(integer);
  if (!quarters.empty()) pair.real = static_cast<double>(std::stoll(quarters)) / 4 * options.scale;
  if (line != "-") pair.text = line;
  return pair;
}

struct Hash {
  u64 value;
  Hash &number(u64 number) {
    value = value * 31 + number;
    return *this;
  }
  Hash &bytes(const string &text) {
    for (char c : text) value = (value ^ static_cast<u8>(c)) * 1099511628211u;
    return *this;
  }
  Hash &text(const std::optional<string> &text) {
    return bytes(text ? std::to_string(text->size()) + ":" + *text : "none;");
  }
};

string listed(const string &key, const std::vector<Pair> &pairs) {
  Hash hash{1};
  hash.text(key);
  i64 kept = 0;
  for (const Pair &pair : pairs) {
    if (!pair.integer && !pair.real && !pair.text) continue;  // nothing is no row of a list
    ++kept;
    hash.number(static_cast<u64>(pair.integer.value_or(INT64_MIN)));
    hash.number(pair.real ? static_cast<u64>(static_cast<i64>(*pair.real * 4)) : 1);
    hash.text(pair.text);
  }
  return fmt::format("{}#{}", kept, hash.value);
}

string letters(const std::vector<Pair> &pairs) {
  std::array<u64, 256> counts{};
  i64 texts = 0;
  for (const Pair &pair : pairs) {
    texts += pair.text.has_value();
    for (char c : pair.text.value_or("")) ++counts[static_cast<u8>(c)];
  }
  Hash hash{7};
  for (u64 count : counts) hash.number(count);
  return texts == 0 ? "" : fmt::format("{}/{}", texts, hash.value);
}

string table_row(const string &key, const std::vector<Pair> &pairs) {
  std::optional<__int128> sum;
  std::optional<i64> least, most;
  std::optional<double> reals;
  u64 folded = 0;
  Hash chained{17};
  for (const Pair &pair : pairs) {
    if (pair.text) chained.text(pair.text);
    if (pair.real) reals = reals.value_or(0) + *pair.real;
    if (!pair.integer) continue;
    sum = sum.value_or(0) + *pair.integer;
    least = std::min(least.value_or(INT64_MAX), *pair.integer);
    most = std::max(most.value_or(INT64_MIN), *pair.integer);
    folded += static_cast<u64>(*pair.integer) & 0xFFFF;
  }
  const auto shown = [](const auto &number) {
    return number ? fmt::format("{}", *number) : string();
  };
  string row;
  append_tsv(key, &row);
  return row + fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", pairs.size(),
                           shown(sum), shown(least), shown(most), shown(reals), shown(least),
                           shown(most), letters(pairs), listed(key, pairs), folded & 0xFFFF,
                           chained.value >> 2, chained.value % 10);
}

bool is_bad(const string &line) { return line.starts_with('!'); }

string table(const Input &input, const Options &options) {
  std::map<string, std::vector<Pair>> groups;
  for (const string &line : input.lines()) {
    if (is_bad(line)) continue;
    const Pair pair = pair_of(line, options);
    for (i64 i = 0; i < options.times; ++i) groups[pair.key].push_back(pair);
  }
  string rows;
  for (const auto &[key, pairs] : groups) rows += table_row(key, pairs);
  return rows;
}

string integers(const Input &input, const Options &) {
  std::map<i64, std::vector<Pair>> groups;
  for (const string &line : input.lines()) {
    const Pair pair = pair_of(line, {});
    groups[pair.integer.value_or(INT64_MIN)].push_back(pair);
  }
  string rows;
  for (const auto &[key, pairs] : groups) {
    rows += fmt::format("{}\t{}\t{}\n", key, pairs.size(), listed(std::to_string(key), pairs));
  }
  return rows;
}

std::vector<std::pair<string, i64>> counted_lines(const Input &input) {
  std::map<string, i64> counts;
  for (const string &line : input.lines()) ++counts[line];
  return {counts.begin(), counts.end()};
}

string printed(const std::vector<std::pair<string, i64>> &rows) {
  string text;
  for (const auto &[key, count] : rows) {
    append_tsv(key, &text);
    text += fmt::format("\t{}\n", count);
  }
  return text;
}

string line_keys(const Input &input, const Options &) { return printed(counted_lines(input)); }

string falling(const Input &input, const Options &) {
  auto rows = counted_lines(input);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto &a, const auto &b) { return a.second > b.second; });
  return printed(rows);
}

string behind(const Input &input, const Options &) {
  auto rows = counted_lines(input);
  const auto reversed = [](const string &text) {
    std::vector<u8> bytes(text.rbegin(), text.rend());
    return bytes;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto &a, const auto &b) {
    return reversed(a.first) < reversed(b.first);
  });
  return printed(rows);
}

// By the last byte first of ~count in big endian.
string both(const Input &input, const Options &) {
  auto rows = counted_lines(input);
  std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
    return __builtin_bswap64(~static_cast<u64>(a.second)) <
           __builtin_bswap64(~static_cast<u64>(b.second));
  });
  return printed(rows);
}

string formatted(const Input &input, const Options &) {
  string text = "# lines\n# and how many\n";
  for (const auto &[key, count] : counted_lines(input)) {
    for (i64 i = count % 4; i > 0; --i) text += fmt::format("{}={}\n", key, count);
  }
  return text;
}

string tally(const Input &input, const Options &) {
  i64 lines = 0, bytes = 0;
  for (const string &line : input.lines()) ++lines, bytes += std::ssize(line);
  if (lines == 0) return "*";  // as many workers as there were, and each emits
  return fmt::format("bytes of all lines, together\t{}\nlines\t{}\n", bytes, lines);
}

string rounds(const Input &input, const Options &options) {
  std::map<u64, i64> counts;
  u64 modulus = 1000;
  for (i64 round = 0; round < options.times; ++round) {
    counts.clear();
    for (const string &line : input.lines()) {
      if (!is_bad(line)) ++counts[Hash{5}.bytes(line).value % modulus];
    }
    modulus = 3;
    for (const auto &[key, count] : counts) {
      modulus = std::max(modulus, static_cast<u64>(count) + 3);
    }
  }
  string text;
  for (const auto &[key, count] : counts) text += fmt::format("{}\t{}\n", key, count);
  return text;
}

// ---- Runs ----------------------------------------------------------------------------------

struct JobModel {
  string name;
  string (*expected)(const Input &, const Options &);
  bool spills = true;   // rows may be on disk
  string options = "";  // fixed ones
  bool has_table = false;
};

const std::vector<JobModel> kJobs = {
    {"lines", table, true, "", true},
    {"bytes", table, true, "", true},
    {"splits", table, true, "", true},
    {"acquired", table, true, "", true},
    {"integers", integers},
    {"line-keys", line_keys},
    {"tally", tally},
    {"falling", falling},
    {"behind", behind, false},
    {"both", both, false},
    {"formatted", formatted, true, " --header-out yes"},
    {"rounds", rounds, false},
};

// At most 5,000 splits, each of which may be a tile: long keys make inputs of many MB.
string random_engine(Random &random, const JobModel &job, i64 bytes) {
  string options = one_of<string>(random, {" -j1", " -j2", " -j8", " -j3"});
  const i64 split = one_of<i64>(random, {0, 7, 64, 5000});
  if (split > 0) options += fmt::format(" --split {}", std::max(split, bytes / 5000));
  options += one_of<string>(random, {"", " --io mmap", " --tile 1", " --tile 500"});
  if (pick(random, 0, 2) == 0) {
    options += fmt::format(" --container {}", one_of(random, all_containers())->name);
  }
  options += one_of<string>(
      random, {"", "", " --engine hot=0", " --engine hot=64K,partitions=4",
               " --engine hot=0,eager=off,reuse=off,partitions=2", " --engine bypass=off,drift=off",
               " --engine merge=tree,schedule=static", " --engine pipeline=off,pool=off",
               " --engine hot=0,runs=reduce,start=1"});
  if (job.spills) options += one_of<string>(random, {"", " --memory 1M", " --memory 4M"});
  return options;
}

// Files as they are, compressed, or from a pipe.
string random_sources(Random &random, const TemporaryFolder &folder, const Input &input,
                      bool may_pipe) {
  string files, command = "";
  for (size_t i = 0; i < input.texts.size(); ++i) {
    const string path = folder.write("in" + std::to_string(i), input.texts[i]);
    const i64 way = pick(random, 0, 5);
    if (way == 0) {
      EXPECT_EQ(run_shell("gzip -kf " + path), 0);
      files += " " + path + ".gz";
    } else if (way == 1 && may_pipe && command.empty()) {
      command = "cat " + path + " | ";
      files += " -";
    } else {
      files += " " + path;
    }
  }
  return command + "$MRC @" + files;
}

// What is printed. Complaints are notes of rounds and words about bad records, no errors.
string output_of(const TemporaryFolder &folder, string command, const string &words) {
  command.replace(command.find('@'), 1, words);
  const int status = run_shell(command + " >" + folder.path("out") + " 2>" + folder.path("err"));
  EXPECT_EQ(status, 0) << command << "\n" << folder.read("err");
  EXPECT_EQ(folder.read("err").find("error"), string::npos) << folder.read("err");
  return folder.read("out");
}

Options random_options(Random &random, const JobModel &job, string *words) {
  Options options;
  if (job.name == "rounds") {
    options.times = pick(random, 1, 5);
    *words += fmt::format(" --set rounds={}", options.times);
  }
  if (!job.has_table) return options;
  if (pick(random, 0, 2) == 0) {
    options.times = one_of<i64>(random, {1, 2, 3, 1000, 1100});
    if (options.times > 10) options.times = pick(random, 0, 5) == 0 ? options.times : 3;
    options.scale = one_of<double>(random, {-1, 0.5, 2});
    options.label = one_of<string>(random, {"", "label=", "a long label, longer than 31 bytes:"});
    *words += fmt::format(" --set times={} --set scale={} --set 'label={}'", options.times,
                          options.scale, options.label);
  }
  return options;
}

TEST(PluginJobs, PrintWhatTheNaiveProgramPrints) {
  for (i64 round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    for (const JobModel &job : kJobs) {
      TemporaryFolder folder;
      const Input input = random_input(random, one_of<i64>(random, {0, 5, 300, 300, 3000}));
      string words = "run " MRC_TEST_PLUGINS "/every_job.so " + job.name + job.options;
      Options options = random_options(random, job, &words);
      if (std::ssize(input.lines()) > 500) words += options.times > 10 ? " --set times=2" : "";
      if (std::ssize(input.lines()) > 500 && options.times > 10) options.times = 2;
      const string expected = job.expected(input, options);
      for (int run = 0; run < 3; ++run) {
        const string command = random_sources(random, folder, input, options.times == 1);
        const string all =
            words + random_engine(random, job, input.bytes()) + " --tmpdir " + folder.path(".");
        const string got = output_of(folder, command, all);
        ASSERT_TRUE(expected == "*" || got == expected)
            << fmt::format("{}\n{}\n{:.2000}\nexpected\n{:.2000}", all, command, got, expected);
      }
    }
  }
}

}  // namespace
}  // namespace mrc
