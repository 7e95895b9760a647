// Lists of values, median deviations and sessions of `mrc stats` on random CSV, against a page of
// obvious code: the same bytes with any threads, splits and memory, compressed or not, in one run
// or from what was kept, and from merged partials.
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 4;
#else
constexpr u64 kRounds = 20;
#endif

u64 below(Random &random, u64 n) { return random() % n; }
template <typename T>
const T &pick(Random &random, const vector<T> &from) {
  return from[below(random, from.size())];
}

struct Record {
  string key, text;
  std::optional<i64> number;  // in tenths
  std::optional<i64> time;    // in seconds of a day
};

string decimal(i64 digits, i64 unit) {
  string text = std::to_string(std::abs(digits) / unit);
  if (digits % unit != 0) {
    text += "." + std::to_string(unit + std::abs(digits) % unit).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return digits < 0 ? "-" + text : text;
}

string in_quotes(const string &text) {
  string out = "\"";
  for (char c : text) out += c == '"' ? "\"\"" : string(1, c);
  return out + "\"";
}

string time_of(i64 seconds) {
  return fmt::format("2026-11-02T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60,
                     seconds % 60);
}

Record random_record(Random &random, u64 keys, bool long_texts) {
  static const vector<string> kTexts = {"",  "-",  "a",  "b,c",     "x;y", "say \"hi\"", "l1\nl2",
                                        "é", "::", "a:", ":b\tc\\", "10",  "9",          "9.0"};
  Record record{"k" + std::to_string(below(random, keys)), pick(random, kTexts), {}, {}};
  if (below(random, 2) == 0) {
    record.text =
        string(1 + below(random, long_texts ? 400 : 20), 'w') + std::to_string(random() % 99);
  }
  if (below(random, 9) != 0) record.number = static_cast<i64>(below(random, 5000)) - 2000;
  if (below(random, 9) != 0) record.time = static_cast<i64>(below(random, 86400));
  return record;
}

string line_of(const Record &record) {
  return fmt::format("{},{},{},{}\n", record.key, in_quotes(record.text),
                     record.number ? decimal(*record.number, 10) : "",
                     record.time ? time_of(*record.time) : "-");
}

string joined(const vector<string> &values, const string &separator) {
  string out;
  bool is_first = true;
  for (const string &value : values) {
    const bool holds_it = (value + separator).find(separator) < value.size();
    const bool quotes = holds_it || value.find_first_of("\"\r\n") != string::npos;
    out += (is_first ? "" : separator) + (quotes ? in_quotes(value) : value);
    is_first = false;
  }
  return out;
}

// A cell of TSV.
string escaped(const string &text) {
  string out;
  for (char c : text) {
    const size_t at = string("\t\n\r\\").find(c);
    out += at == string::npos ? string(1, c) : string("\\") + "tnr\\"[at];
  }
  return out;
}

// The middle of two times as much.
i64 twice_the_median(vector<i64> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2];
}

string deviation(const vector<i64> &numbers) {
  if (numbers.empty()) return "";
  const i64 middle = twice_the_median(numbers);
  vector<i64> distances;
  for (i64 number : numbers) distances.push_back(std::abs(2 * number - middle));
  return decimal(25 * twice_the_median(distances), 1000);
}

i64 sessions(vector<i64> times, i64 gap) {
  std::sort(times.begin(), times.end());
  i64 sessions = 0;
  for (size_t i = 0; i < times.size(); ++i) sessions += i == 0 || times[i] - times[i - 1] > gap;
  return sessions;
}

// The first text of each session, of the records in their order; none is empty.
vector<string> entries(vector<Record> records, i64 gap) {
  std::erase_if(records, [](const Record &record) { return !record.time; });
  std::ranges::stable_sort(records, {}, [](const Record &record) { return *record.time; });
  vector<string> texts;
  for (size_t i = 0; i < records.size(); ++i) {
    const bool begins = i == 0 || *records[i].time - *records[i - 1].time > gap;
    if (begins) texts.emplace_back();
    if (texts.back().empty() && records[i].text != "-") texts.back() = records[i].text;
  }
  return texts;
}

// Numbers by value, then texts.
vector<string> in_order(const vector<string> &values) {
  const std::set<string> distinct(values.begin(), values.end());
  vector<string> sorted(distinct.begin(), distinct.end());
  const auto number = [](const string &text) {
    return text == "10" ? 10 : text[0] == '9' ? 9 : 99;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const string &a, const string &b) { return number(a) < number(b); });
  return sorted;
}

string naive(const vector<Record> &records, const string &separator, i64 gap) {
  std::map<string, vector<Record>> groups;
  for (const Record &record : records) groups[record.key].push_back(record);
  string rows;
  for (const auto &[key, group] : groups) {
    vector<string> texts, shown_times;
    vector<i64> numbers, times;
    for (const Record &record : group) {
      if (!record.text.empty() && record.text != "-") texts.push_back(record.text);
      if (record.number) numbers.push_back(*record.number);
      if (record.time) times.push_back(*record.time);
      if (record.time) shown_times.push_back(time_of(*record.time));
    }
    const std::set<string> instants(shown_times.begin(), shown_times.end());
    rows += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", key, escaped(joined(texts, separator)),
                        escaped(joined(in_order(texts), separator)), deviation(numbers),
                        sessions(times, gap), sessions(numbers, 25),
                        joined({instants.begin(), instants.end()}, ";"),
                        escaped(joined(entries(group, gap), ",")));
  }
  return rows;
}

string random_engine(Random &random) {
  string options = " -j" + std::to_string(1 + below(random, 6));
  if (below(random, 2) == 0) options += " --split " + std::to_string(1 + below(random, 3000));
  options += pick<string>(random, {"", " --memory 4K", " --memory 64K", " --memory 1M"});
  return options + pick<string>(random, {" --tile 2K", " --isolate", " --container tree",
                                         " --engine groups=apart", "", ""});
}

class ListsAgainstNaive : public testing::Test {
 protected:
  // Writes the records to two files, which may be compressed.
  void write(Random &random, const vector<Record> &records) {
    const size_t cut = below(random, records.size());
    for (size_t file = 0; file < 2; ++file) {
      string text = "k,v,x,t\n";
      for (size_t i = file == 0 ? 0 : cut; i < (file == 0 ? cut : records.size()); ++i) {
        text += line_of(records[i]);
      }
      folder_.write("in" + std::to_string(file), below(random, 3) == 0 ? gzipped(text) : text);
    }
  }
  void expect(const string &command, const string &expected) {
    const string line = "cd " + folder_.path("") + " && (" + command + ") >out 2>err";
    EXPECT_EQ(WEXITSTATUS(run_shell(line)), 0) << command << folder_.read("err");
    EXPECT_EQ(folder_.read("out"), expected) << command;
    EXPECT_EQ(folder_.read("err"), "") << command;
  }

  const TemporaryFolder folder_;
};

TEST_F(ListsAgainstNaive, PrintTheSameBytes) {
  for (u64 seed = first_seed(); seed < first_seed() + kRounds && !HasFailure(); ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const u64 keys = pick<u64>(random, {1, 3, 60, 2000});
    const bool long_texts = below(random, 3) == 0;
    vector<Record> records;
    for (u64 i = 1 + below(random, 3000); i > 0; --i) {
      records.push_back(random_record(random, keys, long_texts));
    }
    write(random, records);
    const string separator = pick<string>(random, {",", ";", "::", " | ", "ab"});
    const i64 gap = pick<i64>(random, {0, 1, 60, 1800, 7200});
    const string expected = naive(records, separator, gap);
    const string job = fmt::format(
        "$MRC stats -k k -f csv --header-in yes -a \"list(v, '{0}'),distinct_list(v, '{0}'),mad:x,"
        "sessions(t:time, {1}s),sessions(x:num, 2.5),distinct_list(t:time, ';'),"
        "entries(t:time, {1}s, v)\"",
        separator, gap);
    for (int turn = 0; turn < 3 && !HasFailure(); ++turn) {
      expect(job + random_engine(random) + " in0 in1", expected);
    }
    // What is kept of the second file goes on with the first, which moves its records.
    const string state =
        fmt::format(" --state s{} --memory {}", seed, pick<string>(random, {"4K", "1M"}));
    expect(job + state + " in1 >first && " + job + state + " in0 in1", expected);
    expect(job + random_engine(random).substr(0, 4) + " --to partial -o p0 in0 && " + job +
               " --memory 4K --to partial -o p1 in1 && $MRC merge p0 p1",
           expected);
  }
}

}  // namespace
}  // namespace mrc
