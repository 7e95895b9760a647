// sort by fields against a page of obvious code, on CSV and JSON whose values are known
// because they were chosen one by one: the same bytes, bad records and first disorder with
// any threads, splits, memory and options, from files and fifos.
#include "engine/engine.h"
#include "support/fed_fifos.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr int kRounds = 150;
#else
constexpr int kRounds = 1500;
#endif

constexpr i64 kNone = INT64_MIN;  // less than all that have a place

// A value and what it is as a number, times ten, in steps of ten, in seconds, in hours.
struct Value {
  string text = {};
  i64 number = 0, step = kNone, time = kNone, hour = kNone;
};
constexpr i64 kTime = 1442125510, kHour = kTime / 3600;

const vector<Value> kTexts = {{"x"}, {"X"}, {"yy"}, {""}, {"a,b"}, {"q\"q"}, {"2\nlines"}, {"é"}};
const vector<Value> kNumbers = {{"1", 10, 0},    {"2", 20, 0},  {"10", 100, 10}, {"-3", -30, -10},
                                {"1.5", 15, 0},  {"01", 10, 0}, {"", kNone},     {"-", kNone},
                                {"25", 250, 20}, {"abc", kNone}};
const vector<Value> kTimes = {
    {.text = "2015-09-13T06:25:10Z", .time = kTime, .hour = kHour},
    {.text = "2015-09-13T08:25:10+02:00", .time = kTime, .hour = kHour},
    {.text = "13/Sep/2015:05:59:59 +0000", .time = kHour * 3600 - 1, .hour = kHour - 1},
    {.text = "1442125511", .time = kTime + 1, .hour = kHour},
    {.text = "never"},
    {.text = ""}};

struct Record {
  string bytes;  // as it is printed
  std::array<Value, 3> values;
  size_t input;
  i64 line;
};

struct Key {
  enum Kind { text, folded, lower, number, step, time, hour } kind;
  size_t field;
  bool descending;
};

struct Question {
  bool json = false;
  vector<Key> keys;
  bool reverse = false, unique = false, stable = false, check = false, header = true;
  bool only_x = false;  // a is "x"
  i64 top = -1;
};

struct Answer {
  string text, bad_text;
  i64 bad = 0;
  string disorder;  // NAME:NUMBER
  bool operator==(const Answer &) const = default;
};

// The answer where there are records, and all of them are bad.
constexpr const char *kNothing = "no record can be used";

std::ostream &operator<<(std::ostream &out, const Answer &answer) {
  return out << testing::PrintToString(answer.text) << "\nbad "
             << testing::PrintToString(answer.bad_text) << " " << answer.bad << " disorder at "
             << answer.disorder;
}

string cased(string text, int (*to)(int)) {
  for (char &c : text) c = c >= 0 ? static_cast<char>(to(c)) : c;
  return text;
}

int sign(i64 a, i64 b) { return a < b ? -1 : a > b ? 1 : 0; }
int sign(const string &a, const string &b) { return sign(a.compare(b), 0); }
int either(int first, int second) { return first != 0 ? first : second; }

// What has no place is in the order of its bytes.
int by_place(i64 a, i64 b, const string &of_a, const string &of_b) {
  return either(sign(a, b), a == kNone ? sign(of_a, of_b) : 0);
}

int compare_values(Key::Kind kind, const Value &a, const Value &b) {
  switch (kind) {
    case Key::text: return sign(a.text, b.text);
    case Key::folded: return sign(cased(a.text, toupper), cased(b.text, toupper));
    case Key::lower: return sign(cased(a.text, tolower), cased(b.text, tolower));
    case Key::number: return by_place(a.number, b.number, a.text, b.text);
    case Key::step: return by_place(a.step, b.step, a.text, b.text);
    case Key::time: return by_place(a.time, b.time, a.text, b.text);
    case Key::hour: break;
  }
  return by_place(a.hour, b.hour, a.text, b.text);
}

int compare(const Question &question, const Record &a, const Record &b) {
  int order = 0;
  for (const Key &key : question.keys) {
    const int by_key = compare_values(key.kind, a.values[key.field], b.values[key.field]);
    order = either(order, key.descending ? -by_key : by_key);
  }
  const bool keys_only = !question.keys.empty() && (question.stable || question.unique);
  if (!keys_only) order = either(order, sign(a.bytes, b.bytes));
  return question.reverse ? -order : order;
}

SortExpr expr_of(const Key &key) {
  constexpr const char *kSuffixes[] = {":text", ":text", ":lower", ":num", ":10", ":time", ":hour"};
  const string text = string(1, "abc"[key.field]) + kSuffixes[key.kind];
  SortExpr expr = *parse_sort_expr(text + (key.descending ? ":desc" : ""), {});
  expr.ignore_case = key.kind == Key::folded;
  return expr;
}

Question random_question(Random *random) {
  auto one_in = [&](u64 n) { return (*random)() % n == 0; };
  Question question;
  question.json = one_in(2);
  for (u64 left = (*random)() % 4; left > 0; --left) {
    const size_t field = (*random)() % 3;
    vector<Key::Kind> kinds = {Key::text, Key::folded, Key::lower};
    if (field == 1) kinds = {Key::text, Key::number, Key::step};
    if (field == 2) kinds = {Key::text, Key::time, Key::hour};
    question.keys.push_back({kinds[(*random)() % 3], field, one_in(2)});
  }
  question.reverse = one_in(2);
  question.unique = one_in(3);
  question.stable = one_in(3);
  question.check = one_in(4);
  question.header = !one_in(3);
  question.only_x = one_in(4);
  if (one_in(4)) question.top = static_cast<i64>((*random)() % 9);
  return question;
}

string quoted(const string &text, bool json) {
  string out = "\"";
  for (const char c : text) {
    if (c == '"') {
      out += json ? "\\\"" : "\"\"";
    } else if (c == '\n' && json) {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

string csv_record(const std::array<Value, 3> &values) {
  string out;
  for (size_t i = 0; i < 3; ++i) {
    const string &text = values[i].text;
    const bool quote = i == 0 && text.find_first_of(",\"\n") != string::npos;
    out += (i > 0 ? "," : "") + (quote ? quoted(text, false) : text);
  }
  return out;
}

// A missing field is like one that is empty.
string json_record(const std::array<Value, 3> &values, bool may_miss) {
  string out;
  for (size_t i = 0; i < 3; ++i) {
    if (values[i].text.empty() && may_miss) continue;
    out += (out.empty() ? "" : ",") + quoted(string(1, "abc"[i]), true) + ":" +
           quoted(values[i].text, true);
  }
  return "{" + out + "}";
}

class SortFieldsAgainstNaive : public testing::Test {
 protected:
  // Makes inputs, and what is to be said of them.
  void offer(const Question &question, Random *random) {
    const u64 inputs = 1 + (*random)() % 3;
    const bool in_order = (*random)() % 2 == 0;  // nearly, for the check
    for (u64 i = 0; i < inputs; ++i) {
      text_ = question.json ? "" : "a,b,c\n";
      const u64 records = question.check ? (*random)() % 6 : (*random)() % 60;
      for (u64 n = 0; n < records; ++n) add_record(question, i, in_order ? n : 0, random);
      const string name = "in" + std::to_string(i);
      names_.push_back(folder_.path(name));
      unlink(names_.back().c_str());
      if ((*random)() % 4 == 0) {
        fifos_.feed(names_.back(), text_);
      } else {
        folder_.write(name, text_);
      }
    }
  }

  void add_record(const Question &question, size_t input, u64 least, Random *random) {
    const i64 line = 1 + std::count(text_.begin(), text_.end(), '\n');
    if ((*random)() % 12 == 0) {
      const string bad = question.json ? "{\"a\":" : "x,x,x,x";
      bad_text_ += bad + "\n";
      ++bad_;
      text_ += bad + "\n";
      return;
    }
    auto any = [&](const vector<Value> &values) {
      return values[std::min<size_t>(least + (*random)() % values.size(), values.size() - 1)];
    };
    Record record{"", {any(kTexts), any(kNumbers), any(kTimes)}, input, line};
    record.bytes = question.json ? json_record(record.values, (*random)() % 2 == 0)
                                 : csv_record(record.values);
    if ((*random)() % 8 == 0) record.bytes += '\r';
    text_ += record.bytes + "\n";
    records_.push_back(record);
  }

  Answer expected(const Question &question) {
    Answer answer{"", bad_text_, bad_, ""};
    if (records_.empty() && bad_ > 0) return {kNothing, bad_text_, 0, ""};
    vector<Record> all;
    std::copy_if(records_.begin(), records_.end(), std::back_inserter(all),
                 [&](const Record &r) { return !question.only_x || r.values[0].text == "x"; });
    if (question.check) {
      for (size_t i = 1; i < all.size() && answer.disorder.empty(); ++i) {
        const int order = compare(question, all[i - 1], all[i]);
        if (order < 0 || (order == 0 && !question.unique)) continue;
        answer.disorder = names_[all[i].input] + ":" + std::to_string(all[i].line);
      }
      return answer;
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const Record &a, const Record &b) { return compare(question, a, b) < 0; });
    auto same = [&](const Record &a, const Record &b) { return compare(question, a, b) == 0; };
    if (question.unique) all.erase(std::unique(all.begin(), all.end(), same), all.end());
    if (question.top >= 0) all.resize(std::min(all.size(), static_cast<size_t>(question.top)));
    if (question.header && !question.json) answer.text = "a,b,c\n";
    for (const Record &record : all) answer.text += record.bytes + "\n";
    return answer;
  }

  Program program_of(const Question &question, Random *random) {
    Program program;
    program.inputs = names_;
    program.output = folder_.path("out");
    program.bad_path = folder_.path("bad");
    program.shape.header = question.header;
    program.order.limit = question.top;
    program.map.records = MapSpec::Records::fields;
    FieldsSpec &fields = program.map.fields;
    fields.format.format = question.json ? &LineFormat::json : &LineFormat::csv;
    if (!question.json) {
      fields.format.delimiter = ',';
      fields.format.header = true;
    }
    if (question.only_x) fields.filter = *make_filter("a == 'x'", "", "", {});
    program.stage = question.check ? &kCheckStage : &kSortStage;
    program.sort.emplace();
    program.sort->reverse = question.reverse;
    program.sort->unique = question.unique;
    program.sort->stable = question.stable;
    vector<SortExpr> exprs;
    for (const Key &key : question.keys) exprs.push_back(expr_of(key));
    program.sort->fields = *FieldSort::make(std::move(exprs), {});
    fields.others = program.sort->fields->fields();
    program.threads = static_cast<i64>(1 + (*random)() % 5);
    program.split_bytes = static_cast<i64>(1 + (*random)() % 300);
    if ((*random)() % 3 == 0) program.memory = static_cast<i64>(1 + (*random)() % 4000);
    if ((*random)() % 3 == 0) program.io = IoMode::mmap;
    return program;
  }

  Answer sorted(const Question &question, Random *random) {
    const Program program = program_of(question, random);
    SilentObserver observer;
    Result<Report> report = run(program, make_plan(program), &observer);
    if (!report.is_ok()) {
      const string message = report.status().message();
      if (!message.starts_with(kNothing)) return {message, "", 0, ""};
      return {kNothing, folder_.read("bad"), 0, ""};
    }
    const string disorder = report->disorder.substr(0, report->disorder.find(": disorder"));
    return {question.check ? "" : folder_.read("out"), folder_.read("bad"), report->bad_records,
            disorder};
  }

  // Where reading ended early, not all bad records have been seen.
  void forget() {
    fifos_.end();
    names_.clear();
    records_.clear();
    bad_text_.clear();
    bad_ = 0;
  }

  TemporaryFolder folder_;
  FedFifos fifos_;
  vector<string> names_;
  vector<Record> records_;
  string text_, bad_text_;
  i64 bad_ = 0;
};

TEST_F(SortFieldsAgainstNaive, PrintsTheSameBytesAndKeepsTheSameBadRecords) {
  signal(SIGPIPE, SIG_IGN);
  Random random(first_seed());
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    const Question question = random_question(&random);
    offer(question, &random);
    Answer expected = this->expected(question), actual = sorted(question, &random);
    if (!expected.disorder.empty()) {  // reading ends there, so bad records are not all known
      expected.bad_text = actual.bad_text = "";
      expected.bad = actual.bad = 0;
    }
    string keys;
    for (const Key &key : question.keys) keys += expr_of(key).field.text + " ";
    SCOPED_TRACE(testing::Message() << "MRC_SEED=" << first_seed() << " round " << round << " by "
                                    << keys << (question.check ? "check" : ""));
    EXPECT_EQ(actual, expected);
    forget();
  }
}

}  // namespace
}  // namespace mrc
