// join against nested loops over records whose fields are known: the same bytes with any threads,
// splits and memory, from files, fifos and compressed files of different formats, in both orders.
#include "engine/engine.h"
#include "support/compress.h"
#include "support/fed_fifos.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <tuple>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 100;
#else
constexpr int kRounds = 800;
#endif

using Record = vector<string>;  // the parts of the key, and one more field
using Records = vector<Record>;

struct Question {
  JoinKind kind = JoinKind::inner;
  bool stable = false;
  size_t parts = 1;  // of the key
  i64 top = -1;
  std::array<Records, 2> sides;
};

// A row with what it is ordered by: the key or nothing, then where its records are.
using Row = std::tuple<Record, size_t, size_t, string>;

string text_of(const Record &key, const string &left, const string *right) {
  string text;
  for (const string &part : key) text += part + "\t";
  text += left;
  return text + (right != nullptr ? "\t" + *right : "") + "\n";
}

class Naive {
 public:
  explicit Naive(const Question &question) : question_(question) {}

  string answer() {
    const Records &left = question_.sides[kLeft], &right = question_.sides[kRight];
    vector<bool> matched(right.size());
    for (size_t i = 0; i < left.size(); ++i) {
      bool found = false;
      for (size_t j = 0; j < right.size(); ++j) {
        if (!matches(left[i], right[j])) continue;
        found = matched[j] = true;
        if (prints_right()) add(key_of(left[i]), i, j, left[i].back(), &right[j].back());
      }
      take_left(left[i], i, found);
    }
    for (size_t j = 0; j < right.size() && question_.kind == JoinKind::full; ++j) {
      if (!matched[j]) add(key_of(right[j]), left.size(), j, "", &right[j].back());
    }
    std::ranges::sort(rows_);
    string text;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (question_.top < 0 || static_cast<i64>(i) < question_.top) text += std::get<3>(rows_[i]);
    }
    return text;
  }

 private:
  Record key_of(const Record &record) const { return {record.begin(), record.end() - 1}; }
  bool prints_right() const {
    return question_.kind != JoinKind::semi && question_.kind != JoinKind::anti;
  }
  bool matches(const Record &a, const Record &b) const {
    const Record key = key_of(a);
    return key == key_of(b) && std::ranges::find(key, "") == key.end();
  }
  void take_left(const Record &record, size_t number, bool found) {
    static const string kMissing;
    const bool alone = question_.kind == JoinKind::semi ? found : !found;
    if (!alone || question_.kind == JoinKind::inner) return;
    add(key_of(record), number, 0, record.back(), prints_right() ? &kMissing : nullptr);
  }
  void add(const Record &key, size_t left, size_t right, const string &of_left,
           const string *of_right) {
    rows_.emplace_back(question_.stable ? Record() : key, left, right,
                       text_of(key, of_left, of_right));
  }

  const Question &question_;
  vector<Row> rows_;
};

class JoinAgainstNaive : public testing::Test {
 protected:
  Records random_records(size_t parts, const string &name) {
    Records records;
    const i64 keys = one_of<i64>(random_, {2, 10, 300});
    const bool is_skewed = one_in(random_, 4);
    const i64 most = one_of<i64>(random_, {0, 3, 40, keys < 10 ? 60 : 600});
    for (i64 i = pick(random_, 0, most); i > 0; --i) {
      Record record;
      const bool is_hot = is_skewed && one_in(random_, 2);
      for (size_t part = 0; part < parts; ++part) {
        record.push_back(is_hot                ? "the key that holds half of the records"
                         : one_in(random_, 20) ? ""
                                               : "k" + std::to_string(pick(random_, 1, keys)));
      }
      record.push_back(name + std::to_string(i) +
                       string(static_cast<size_t>(pick(random_, 0, 30)), 'x'));
      records.push_back(std::move(record));
    }
    return records;
  }

  Question random_question() {
    Question question;
    question.kind = one_of<JoinKind>(
        random_, {JoinKind::inner, JoinKind::left, JoinKind::full, JoinKind::anti, JoinKind::semi});
    question.stable = one_in(random_, 2);
    question.parts = static_cast<size_t>(pick(random_, 1, 2));
    if (one_in(random_, 4)) question.top = pick(random_, 0, 30);
    question.sides = {random_records(question.parts, "l"), random_records(question.parts, "r")};
    return question;
  }

  // LEFT is CSV, RIGHT has tabs. Neither has a header.
  string write(const Question &question, Side side) {
    string text;
    for (const Record &record : question.sides[side]) {
      for (size_t i = 0; i < record.size(); ++i) {
        text += (i == 0 ? "" : side == kLeft ? "," : "\t") + record[i];
      }
      text += '\n';
    }
    const string name = side == kLeft ? "left" : "right", path = folder_.path(name);
    unlink(path.c_str());
    switch (pick(random_, 0, 4)) {
      case 0: fifos_.feed(path, text); break;
      case 1: folder_.write(name, gzipped(text)); break;
      default: folder_.write(name, text);
    }
    return path;
  }

  JoinInput input_of(const Question &question, Side side) {
    JoinInput input;
    input.format.format = side == kLeft ? &LineFormat::csv : &LineFormat::tsv;
    input.format.header = false;
    for (size_t i = 0; i < question.parts; ++i) {
      input.format.columns.push_back("key" + std::to_string(i));
      input.keys.push_back(*parse_field(input.format.columns.back(), {}));
    }
    input.format.columns.push_back("value");
    if (one_in(random_, 2)) input.fields = {*parse_field("value", {})};
    return input;
  }

  string join(const Question &question) {
    Program program;
    program.inputs = {write(question, kLeft), write(question, kRight)};
    program.output = folder_.path("out");
    program.map.records = MapSpec::Records::fields;
    program.stage = &kJoinStage;
    program.join = {
        question.kind, question.stable, {input_of(question, kLeft), input_of(question, kRight)}};
    program.map.fields.format = program.join->inputs[kLeft].format;
    program.threads = pick(random_, 1, 5);
    program.split_bytes = pick(random_, 1, 2000);
    if (one_in(random_, 2)) program.memory = pick(random_, 1, 4000);
    if (one_in(random_, 3)) program.io = IoMode::mmap;
    program.order.limit = question.top;
    SilentObserver observer;
    const Plan plan = make_plan(program);
    if (!plan.problem.is_ok()) return plan.problem.message();
    Result<Report> report = run(program, plan, &observer);
    if (!report.is_ok()) return report.status().message();
    spilled_ += report->spilled_rows;
    ++ways_[report->join.substr(0, report->join.find(':')) +
            (report->join.find("the first input in") == string::npos ? "" : " of LEFT") +
            (question.stable ? ", stable" : "")];
    return folder_.read("out");
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
  FedFifos fifos_;
  i64 spilled_ = 0;
  std::map<string, i64> ways_;
};

TEST_F(JoinAgainstNaive, PrintsTheSameBytes) {
  signal(SIGPIPE, SIG_IGN);
  for (i64 round = 0; round < kRounds * rounds() && !HasFailure(); ++round) {
    const Question question = random_question();
    SCOPED_TRACE(testing::Message()
                 << "MRC_SEED=" << first_seed() << " round " << round << " kind "
                 << static_cast<int>(question.kind) << " stable " << question.stable << " top "
                 << question.top << " " << testing::PrintToString(question.sides));
    EXPECT_EQ(join(question), Naive(question).answer());
    fifos_.end();
  }
  EXPECT_GT(spilled_, 0);
  for (const char *way : {"broadcast", "broadcast, stable", "broadcast of LEFT",
                          "broadcast of LEFT, stable", "by key", "by key, stable"}) {
    EXPECT_GT(ways_[way], 0) << way;
  }
}

}  // namespace
}  // namespace mrc
