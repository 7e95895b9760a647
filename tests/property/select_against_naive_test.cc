// select against a page of obvious code that reads CSV byte by byte: the same bytes, bad
// records and their number with any threads, splits, memory and limit, from files, fifos
// and compressed files.
#include "engine/engine.h"
#include "output/record_text.h"
#include "support/compress.h"
#include "support/fed_fifos.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"
#include "unit/fields/naive_csv_records.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

// What is asked, in words that both sides understand.
struct Question {
  vector<size_t> keys;  // of a, b, c; none: whole records
  string value;         // b is equal to it; empty: all records
  const OutputFormat *format = &OutputFormat::tsv;
  bool header = false;
  i64 top = INT64_MAX;
};

struct Answer {
  string text, bad_text;
  i64 bad = 0, read = 0;
  bool operator==(const Answer &) const = default;
};

// The answer where there are records, and all of them are bad.
constexpr const char *kNothing = "no record can be used";

std::ostream &operator<<(std::ostream &out, const Answer &answer) {
  return out << testing::PrintToString(answer.text) << "\nbad "
             << testing::PrintToString(answer.bad_text) << " " << answer.bad << " of "
             << answer.read;
}

string escaped(const string &text, const OutputFormat *format) {
  string out;
  for (const char c : text) {
    const bool json = format == &OutputFormat::json;
    const size_t letter = format == &OutputFormat::csv ? string::npos : string("\t\n\r\\").find(c);
    if (letter != string::npos) {
      out += string("\\") + "tnr\\"[letter];
    } else if (c == '"' && format != &OutputFormat::tsv) {
      out += json ? "\\\"" : "\"\"";
    } else {
      out += c;
    }
  }
  if (format == &OutputFormat::json) return "\"" + out + "\"";
  const bool quote = format == &OutputFormat::csv && text.find_first_of(",\"\r\n") != string::npos;
  return quote ? "\"" + out + "\"" : out;
}

class Naive {
 public:
  explicit Naive(const Question &question) : question_(question) {}

  Answer answer(const vector<string> &inputs) {
    if (question_.header && question_.format != &OutputFormat::json) append_header();
    for (const string &input : inputs) {
      Bytes left = Bytes(input).substr(input.find('\n') + 1);
      while (!left.empty() && found_ < question_.top) {
        size_t taken = 0;
        const NaiveRecord record = naive_record(left, {}, &taken);
        take(record, left.substr(0, taken).ends_with("\r\n"));
        left.remove_prefix(taken);
      }
    }
    if (answer_.bad > 0 && answer_.bad == answer_.read) return {kNothing, answer_.bad_text, 0, 0};
    if (found_ == question_.top) answer_.read = 0;
    return answer_;
  }

 private:
  void append_header() {
    const char *separator =
        question_.format == &OutputFormat::csv || question_.keys.empty() ? "," : "\t";
    const vector<size_t> all = {0, 1, 2};
    const vector<size_t> &keys = question_.keys.empty() ? all : question_.keys;
    for (size_t i = 0; i < keys.size(); ++i) {
      answer_.text += (i > 0 ? separator : "") + string(1, "abc"[keys[i]]);
    }
    answer_.text += '\n';
  }

  void take(const NaiveRecord &record, bool has_return) {
    if (record.text.empty()) return;
    ++answer_.read;
    if (record.unclosed || record.fields.size() > 3) {
      ++answer_.bad;
      answer_.bad_text += record.text + "\n";
      return;
    }
    const bool has_b = record.fields.size() > 1;
    if (!question_.value.empty() && (!has_b || record.fields[1] != question_.value)) return;
    ++found_;
    if (question_.keys.empty()) {
      answer_.text += record.text + (has_return ? "\r\n" : "\n");
    } else {
      append_fields(record.fields);
    }
  }

  void append_fields(const vector<string> &fields) {
    const bool json = question_.format == &OutputFormat::json;
    for (size_t i = 0; i < question_.keys.size(); ++i) {
      const size_t key = question_.keys[i];
      const char separator = question_.format == &OutputFormat::tsv ? '\t' : ',';
      answer_.text += i > 0 ? string(1, separator) : json ? "{" : "";
      if (json) answer_.text += "\"" + member(i) + "\":";
      if (is_only_and_empty(fields, key)) {
        answer_.text += "\"\"";
      } else if (key < fields.size()) {
        answer_.text += escaped(fields[key], question_.format);
      } else if (json) {
        answer_.text += "null";
      }
    }
    answer_.text += json ? "}\n" : "\n";
  }

  // Readers of CSV pass blank lines by.
  bool is_only_and_empty(const vector<string> &fields, size_t key) const {
    return question_.format == &OutputFormat::csv && question_.keys.size() == 1 &&
           (key >= fields.size() || fields[key].empty());
  }

  // Members have different names.
  string member(size_t i) const {
    const vector<size_t> &keys = question_.keys;
    const auto before = std::count(keys.begin(), keys.begin() + static_cast<i64>(i), keys[i]);
    return string(1, "abc"[keys[i]]) + (before > 0 ? "_" + std::to_string(before + 1) : "");
  }

  const Question &question_;
  Answer answer_;
  i64 found_ = 0;
};

Question random_question(Random *random) {
  auto one_in = [&](u64 n) { return (*random)() % n == 0; };
  Question question;
  for (u64 left = (*random)() % 4; left > 0; --left) question.keys.push_back((*random)() % 3);
  if (!one_in(3)) question.value = one_in(2) ? "x" : "yy";
  if (!question.keys.empty()) {
    constexpr const OutputFormat *kFormats[] = {&OutputFormat::tsv, &OutputFormat::csv,
                                                &OutputFormat::json};
    question.format = kFormats[(*random)() % 3];
  }
  question.header = one_in(2);
  if (one_in(3)) question.top = static_cast<i64>(1 + (*random)() % 12);
  return question;
}

class SelectAgainstNaive : public testing::Test {
 protected:
  void offer(Random *random) {
    const vector<string> pieces = {"x",  "yy", ",",    ",",    ",",       ",x,",         "\n",
                                   "\n", "\n", "\r\n", "\"\"", "\"q\n\"", "\"x,\"\"y\"", "\\\t"};
    const u64 inputs = 1 + (*random)() % 3;
    for (u64 i = 0; i < inputs; ++i) {
      inputs_.push_back("a,b,c\n" + random_text(random, pieces, (*random)() % 500));
      // Now and then a quote that nothing closes.
      if ((*random)() % 8 == 0) inputs_.back() += "\n\"x,y\nx,x,x\n";
      const string name = "in" + std::to_string(i);
      names_.push_back(folder_.path(name));
      unlink(names_.back().c_str());
      switch ((*random)() % 6) {
        case 0: fifos_.feed(names_.back(), inputs_.back()); break;
        case 1: folder_.write(name, gzipped(inputs_.back())); break;
        case 2: folder_.write(name, bgzipped(inputs_.back(), 1 + (*random)() % 90)); break;
        default: folder_.write(name, inputs_.back());
      }
    }
  }
  // By a fifo, in two pieces.
  void end_feeding() {
    fifos_.end();
    names_.clear();
    inputs_.clear();
  }

  Answer select(const Question &question, Random *random) {
    Program program;
    program.inputs = names_;
    program.output = folder_.path("out");
    program.bad_path = folder_.path("bad");
    program.map.records = MapSpec::Records::fields;
    program.map.fields.format.format = &LineFormat::csv;
    program.map.fields.format.delimiter = ',';
    program.map.fields.format.header = true;
    for (const size_t key : question.keys) {
      const string name(1, "abc"[key]);
      program.map.fields.keys.push_back({{name, -1}, nullptr, name});
    }
    if (!question.value.empty()) {
      program.map.fields.filter = *make_filter("b == '" + question.value + "'", "", "", {});
    }
    program.threads = static_cast<i64>(1 + (*random)() % 5);
    program.split_bytes = static_cast<i64>(1 + (*random)() % 300);
    if ((*random)() % 3 == 0) program.memory = static_cast<i64>(1 + (*random)() % 4000);
    if ((*random)() % 3 == 0) program.io = IoMode::mmap;
    SelectSpec spec{program.map.fields, program.shape};
    spec.of_all = question.top;
    spec.shape.format = question.format;
    spec.shape.header = question.header;
    program.stage = &kTextStage;
    program.transform = make_select(std::move(spec));
    SilentObserver observer;
    Result<Report> report = run(program, make_plan(program), &observer);
    if (!report.is_ok()) {
      const string message = report.status().message();
      if (!message.starts_with(kNothing)) return {message, "", 0, 0};
      return {kNothing, folder_.read("bad"), 0, 0};
    }
    return {folder_.read("out"), folder_.read("bad"), report->bad_records, report->read_records};
  }

  TemporaryFolder folder_;
  vector<string> names_, inputs_;
  FedFifos fifos_;
};

TEST_F(SelectAgainstNaive, PrintsTheSameBytesAndKeepsTheSameBadRecords) {
  signal(SIGPIPE, SIG_IGN);
  Random random(first_seed());
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    const Question question = random_question(&random);
    offer(&random);
    SCOPED_TRACE(testing::Message() << "MRC_SEED=" << first_seed() << " round " << round << ": "
                                    << testing::PrintToString(inputs_) << " top " << question.top);
    EXPECT_EQ(select(question, &random), Naive(question).answer(inputs_));
    end_feeding();
  }
}

}  // namespace
}  // namespace mrc
