// `mrc stats` and `mrc count -k` on random CSV, JSON and access logs with all the quirks of
// real ones, against a std::map: the same bytes with any threads, splits, memory and way
// of reading, compressed or not, and the same word about what was left out.
#include "support/compress.h"
#include "support/process.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 3;
#else
constexpr u64 kRounds = 12;
#endif

u64 below(Random &random, u64 n) { return random() % n; }
bool one_in(Random &random, u64 n) { return below(random, n) == 0; }
template <typename T>
const T &pick(Random &random, const vector<T> &from) {
  return from[below(random, from.size())];
}

// ---- Records: two texts and a number, and how each format writes them.

struct Value {
  string text;
  std::optional<i64> hundredths;  // none: it is missing, or no number
  bool is_json = false;           // as it stands

  bool bad() const { return !hundredths && !text.empty() && text != "-"; }
};

struct Entry {
  string a, b;
  Value value;
  bool malformed = false;
};

Value random_value(Random &random) {
  if (one_in(random, 2)) {
    const i64 number = static_cast<i64>(below(random, 100000)) - 50000;
    return {std::to_string(number), number * 100, true};
  }
  return pick<Value>(random, {{"0", 0, true},
                              {"-0.00", 0, true},
                              {"12.50", 1250, true},
                              {"007", 700},
                              {"+5", 500},
                              {"1e2", 10000, true},
                              {".25", 25},
                              {"", {}},
                              {"-", {}},
                              {"x", {}}});
}

string in_quotes(const string &text, char quote_with) {
  string out = "\"";
  for (char c : text) {
    if (c == '"' || (c == '\\' && quote_with == '\\')) out += quote_with;
    out += c;
  }
  return out + "\"";
}

class Csv {
 public:
  static constexpr const char *kOptions = "-f csv --header-in yes";
  static constexpr const char *kA = "a", *kB = "b", *kValue = "v";
  static string head() { return "a,b,v\n"; }

  static Entry entry(Random &random) {
    const vector<string> texts = {"x",         "y",    "tea, green",     "say \"hi\"", "",  "é",
                                  "two\nrows", "a\tb", string(40, 'w'),  "10",         "-", "9",
                                  "\\n",       "it's", "cr\r\nlf inside"};
    return {pick(random, texts), pick(random, texts), random_value(random), one_in(random, 40)};
  }
  static string line(Random &random, const Entry &entry) {
    if (entry.malformed) return "1,2,3,4";
    return field(random, entry.a) + "," + field(random, entry.b) + "," +
           field(random, entry.value.text);
  }

 private:
  static string field(Random &random, const string &text) {
    const bool must = text.find_first_of(",\"\n\r") != string::npos;
    return must || one_in(random, 5) ? in_quotes(text, '"') : text;
  }
};

class Json {
 public:
  static constexpr const char *kOptions = "-f json";
  static constexpr const char *kA = "a", *kB = "o.0.b", *kValue = "v";
  static string head() { return ""; }

  static Entry entry(Random &random) {
    const vector<string> texts = {"x", "y", "say \"hi\"", "", "é", "back\\slash", "10", "-", "{}"};
    return {pick(random, texts), pick(random, texts), random_value(random), one_in(random, 40)};
  }
  static string line(Random &random, const Entry &entry) {
    if (entry.malformed) return pick<string>(random, {"{\"a\":", "[1]", "text", "{\"a\" 1}"});
    vector<string> members = {"\"z\" : {\"a\":[\"no\", 1e400]}"};
    if (!entry.a.empty() || one_in(random, 2)) members.push_back("\"a\":" + json(random, entry.a));
    if (!entry.b.empty() || one_in(random, 2)) {
      members.push_back("\"o\":[{\"b\": " + json(random, entry.b) + "}]");
    }
    const Value &value = entry.value;
    if (value.is_json && !one_in(random, 4)) {
      members.push_back("\"v\":" + value.text);
    } else {
      members.push_back("\"v\":" + json(random, value.text));
    }
    std::shuffle(members.begin(), members.end(), random);
    string out;
    for (const string &member : members) out += (out.empty() ? "{" : ", ") + member;
    return out + "}";
  }

 private:
  static string json(Random &random, const string &text) {
    if (text.empty()) return one_in(random, 2) ? "null" : "\"\"";
    if (text == "é" && one_in(random, 2)) return "\"\\u00e9\"";
    return in_quotes(text, '\\');
  }
};

class AccessLog {
 public:
  static constexpr const char *kOptions = "-f combined";
  static constexpr const char *kA = "path", *kB = "status", *kValue = "bytes";
  static string head() { return ""; }

  static Entry entry(Random &random) {
    // Bytes are digits or "-": anything else is no record of an access log.
    const i64 bytes = static_cast<i64>(below(random, 5000));
    const Value value =
        one_in(random, 4) ? Value{"-", {}} : Value{std::to_string(bytes), bytes * 100};
    return {pick<string>(random, {"/", "/index.html", "/a/b.png", "", "/%7Ex", "/é", "*"}),
            pick<string>(random, {"200", "304", "404", "500"}), value, one_in(random, 40)};
  }
  // Common or combined; a host in front; or wrapped as a field of CSV.
  static string line(Random &random, const Entry &entry) {
    if (entry.malformed) return pick<string>(random, {"junk", "1.2.3.4 - - [x] GET", "\"\""});
    string line = one_in(random, 4) ? "www.example.org:443 " : "";
    line += "10.0.0." + std::to_string(below(random, 256)) + " - ";
    line += pick<string>(random, {"-", "ann", "bob smith"});
    line += " [13/Sep/2015:06:25:10 +0000] ";
    line += in_quotes(request(random, entry.a), '\\') + " " + entry.b + " " + entry.value.text;
    if (one_in(random, 4)) return one_in(random, 2) ? line : in_quotes(line, '"');
    return line + " \"-\" \"" + pick<string>(random, {"-", "curl \\\"x\\\" 8", "M/5 (X)"}) + "\"";
  }

 private:
  static string request(Random &random, const string &path) {
    if (path.empty()) return pick<string>(random, {"-", "\x16\x03", "MGLNDD_1.2.3.4_443"});
    return "GET " + path + (one_in(random, 3) ? "?q=1&r=/x" : "") + " HTTP/1.1";
  }
};

// ---- Inputs, and what a page of obvious code says of them.

struct Input {
  string name, text;
  vector<Entry> entries;
  vector<i64> lines;  // where each begins, from 1
};

template <typename Form>
Input random_input(Random &random, const string &name) {
  Input input{name, one_in(random, 4) ? "\xEF\xBB\xBF" : "", {}, {}};
  input.text += Form::head();
  const u64 crlf = below(random, 3), entries = below(random, one_in(random, 5) ? 4000 : 100);
  for (u64 i = 0; i < entries; ++i) {
    if (one_in(random, 50)) input.text += "\n";
    input.entries.push_back(Form::entry(random));
    input.lines.push_back(1 + std::count(input.text.begin(), input.text.end(), '\n'));
    input.text += Form::line(random, input.entries.back());
    input.text += crlf == 2 || (crlf == 1 && one_in(random, 2)) ? "\r\n" : "\n";
  }
  if (entries > 0 && input.text.ends_with("\n") && !input.text.ends_with("\r\n") &&
      one_in(random, 2)) {
    input.text.pop_back();
  }
  return input;
}

string escaped(const string &text) {
  string out;
  for (char c : text) {
    const size_t at = string("\t\n\r\\").find(c);
    out += at == string::npos ? string(1, c) : string("\\") + "tnr\\"[at];
  }
  return out;
}

string decimal(i64 hundredths) {
  const i64 size = hundredths < 0 ? -hundredths : hundredths;
  string text = std::to_string(size / 100);
  if (size % 100 != 0) {
    text += "." + std::to_string(100 + size % 100).substr(1);
    if (text.ends_with("0")) text.pop_back();
  }
  return hundredths < 0 ? "-" + text : text;
}

bool is_missing(const string &text) { return text.empty() || text == "-"; }

struct Group {
  i64 count = 0, present = 0, sum = 0;
  std::optional<i64> least, most;
  std::set<string> texts;
  string first;

  void add(const Entry &entry) {
    ++count;
    present += !is_missing(entry.value.text);
    if (!is_missing(entry.b) && texts.empty()) first = entry.b;
    if (!is_missing(entry.b)) texts.insert(entry.b);
    if (!entry.value.hundredths) return;
    const i64 value = *entry.value.hundredths;
    sum += value;
    least = std::min(least.value_or(value), value);
    most = std::max(most.value_or(value), value);
  }
  string row() const {
    auto shown = [](const std::optional<i64> &number) { return number ? decimal(*number) : ""; };
    return std::to_string(count) + "\t" + std::to_string(present) + "\t" + decimal(sum) + "\t" +
           shown(least) + "\t" + shown(most) + "\t" + std::to_string(texts.size()) + "\t" +
           escaped(first) + "\n";
  }
};

struct Answer {
  string rows;
  vector<string> complaints;  // how the lines on standard error begin
  int status = 0;
};

// How often something is wrong, and where first.
struct Fault {
  i64 count = 0;
  string first;

  void add(const Input &input, size_t entry, bool piped) {
    const string name = piped ? "standard input" : input.name;
    if (count++ == 0) first = name + ":" + std::to_string(input.lines[entry]) + ": ";
  }
};

enum class Question { count, positive, stats, total };

vector<string> complaints_about(const Fault &records, const Fault &values, i64 all) {
  vector<string> lines;
  if (records.count == all && all > 0) {
    return {"mrc: error: no record can be used, of " + std::to_string(all) +
            " read; the first: " + records.first};
  }
  if (records.count > 0) {
    lines.push_back("mrc: warning: " + std::to_string(records.count) + " of " +
                    std::to_string(all) + (records.count == 1 ? " records is" : " records are") +
                    " left out; the first: " + records.first);
  }
  if (values.count > 0) {
    lines.push_back("mrc: warning: " + std::to_string(values.count) +
                    (values.count == 1 ? " value in " : " values in ") + std::to_string(all) +
                    (all == 1 ? " record" : " records") +
                    (values.count == 1 ? " does not fit and counts" : " do not fit and count") +
                    " as missing; the first: " + values.first);
  }
  return lines;
}

// `piped`: there is one input, and it has no name.
Answer naive(Question question, const vector<Input> &inputs, bool piped) {
  const bool adds = question == Question::stats || question == Question::total;
  std::map<vector<string>, Group> groups;
  if (question == Question::total) groups[{}];
  i64 all = 0;
  Fault records, values;
  for (const Input &input : inputs) {
    for (size_t i = 0; i < input.entries.size(); ++i, ++all) {
      const Entry &entry = input.entries[i];
      if (entry.malformed) {
        records.add(input, i, piped);
        continue;
      }
      if (question == Question::positive && entry.value.hundredths.value_or(0) <= 0) continue;
      if (adds && entry.value.bad()) values.add(input, i, piped);
      vector<string> key = {entry.a};
      if (!adds) key.push_back(entry.b);
      if (question == Question::total) key.clear();
      groups[key].add(entry);
    }
  }
  Answer answer{"", complaints_about(records, values, all)};
  if (records.count == all && all > 0) {
    answer.status = 2;
    return answer;
  }
  for (const auto &[key, group] : groups) {
    for (const string &part : key) answer.rows += escaped(part) + "\t";
    answer.rows += adds ? group.row() : std::to_string(group.count) + "\n";
  }
  return answer;
}

// ---- The same questions to mrc.

template <typename Form>
string arguments(Question question) {
  const string key = string(" -k ") + Form::kA, both = key + "," + Form::kB;
  const string v = Form::kValue;
  const string aggregates = " -a count,count:" + v + ",sum:" + v + ",min:" + v + ",max:" + v +
                            ",distinct:" + Form::kB + ",first:" + Form::kB;
  switch (question) {
    case Question::count: return "count " + string(Form::kOptions) + both;
    case Question::positive:
      return "count " + string(Form::kOptions) + both + " -w 'if(" + v + " == \"x\", 0, " + v +
             ") > 0'";
    case Question::stats: return "stats " + string(Form::kOptions) + key + aggregates;
    case Question::total: break;
  }
  return "stats " + string(Form::kOptions) + aggregates;
}

string random_engine(Random &random) {
  string options = " -j" + std::to_string(1 + below(random, 6));
  if (one_in(random, 2)) options += " --split " + std::to_string(1 + below(random, 3000));
  if (one_in(random, 2)) options += " --memory " + pick<string>(random, {"4K", "64K", "1M"});
  if (one_in(random, 2)) options += " --io " + pick<string>(random, {"mmap", "read"});
  return options;
}

string packed(Random &random, const string &text) {
  switch (below(random, 6)) {
    case 0: return gzipped(text);
    case 1: return bgzipped(text, 1 + below(random, 5000));
    case 2: return zstandard(text);
    default: return text;
  }
}

// The naive program does not say that no record has a field, as where all requests are malformed.
bool begin_with(const string &text, const vector<string> &begins) {
  std::istringstream lines(text);
  size_t count = 0;
  for (string line; std::getline(lines, line);) {
    if (line.starts_with("mrc: warning: no record that was read has the field")) continue;
    if (count == begins.size() || !line.starts_with(begins[count++])) return false;
  }
  return count == begins.size();
}

template <typename Form>
void compare(u64 seed) {
  Random random(seed);
  const TemporaryFolder folder;
  vector<Input> inputs;
  string names;
  for (u64 i = 0; i <= below(random, 3); ++i) {
    inputs.push_back(random_input<Form>(random, "in" + std::to_string(i)));
    folder.write(inputs.back().name, packed(random, inputs.back().text));
    names += " " + inputs.back().name;
  }
  const bool piped = inputs.size() == 1 && one_in(random, 2);
  for (Question question :
       {Question::count, Question::positive, Question::stats, Question::total}) {
    const Answer expected = naive(question, inputs, piped);
    for (int turn = 0; turn < 3; ++turn) {
      const string command = "cd " + folder.path("") + " && " + (piped ? "cat in0 | " : "") +
                             "$MRC " + arguments<Form>(question) + random_engine(random) +
                             (piped ? "" : names) + " >out 2>err";
      EXPECT_EQ(WEXITSTATUS(run_shell(command)), expected.status) << command << "\n"
                                                                  << folder.read("err");
      EXPECT_EQ(folder.read("out"), expected.rows) << command;
      EXPECT_TRUE(begin_with(folder.read("err"), expected.complaints))
          << command << "\n"
          << folder.read("err") << testing::PrintToString(expected.complaints);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(StatsAgainstNaive, PrintsTheSameBytes) {
  for (u64 seed = first_seed(); seed < first_seed() + kRounds && !HasFailure(); ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    compare<Csv>(seed);
    compare<Json>(seed);
    compare<AccessLog>(seed);
  }
}

}  // namespace
}  // namespace mrc
