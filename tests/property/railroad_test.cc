// The railroad of the grammar in mrc-expressions(7): every sentence that a walk along its rails
// makes is an expression.
//
// A rail goes on in the direction that the train has. At a + it may go straight on, or up or down
// where there is a + or a |. A word is passed from left to right, and so is a >; a < is passed from
// right to left, and so is a word beside one. Words of small letters are other rules, those in
// quotes stand for themselves, and the others are in kWords.
#include "combine/aggregates.h"
#include "expr/expression.h"
#include "expr/running.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

const std::map<string, vector<string>> kWords = {
    {"CONSTANT",
     {"0", "3", "12.50", ".5", "1e3", "10k", "1.5MiB", "250ms", "1h30m", "2026-11-03", "now",
      "2026-11-03T10:00Z", "10.0.0.0/8", "2001:db8::1", "true"}},
    {"TEXT", {"'x'", "'it''s'", "''", "\"q\"", "'a b'"}},
    {"SIGN", {"==", "!=", "<", "<=", ">", ">="}},
    {"MATCH", {"=~", "!~"}},
    {"NAME", {"price", "_x", "request.headers.0.name", "Not", "unit-price", "@timestamp"}},
    {"$NAME", {"$price", "$and"}},
    {"$N", {"$1", "$20"}},
    {"$\"name\"", {"$\"any name\"", "$\"3\""}},
    {"BUCKET", {"hour", "100", "4Ki", "0.5", "/24", "lower"}},
    {"FUNCTION", {"coalesce", "concat"}},  // of any number of arguments
    {"AGGREGATE", {"sum", "p95", "distinct~"}},
};

struct Train {
  int row, column, down, right;
  auto operator<=>(const Train &) const = default;
};

// One rule, whose first line is the way through it.
class Rails {
 public:
  explicit Rails(vector<string> lines) : lines_(std::move(lines)) {
    for (bool more = true; more;) {
      more = false;
      for (const Train &train : all()) {
        if (leads_out_.contains(train) || !may_lead_out(train)) continue;
        leads_out_.insert(train);
        more = true;
      }
    }
  }

  // The words on one way.
  vector<string> walk(bool wander, Random *random) const {
    vector<string> words;
    Train train{0, static_cast<int>(lines_[0].find('-')), 0, 1};
    while (!is_out(train)) {
      vector<Train> ways = next(train);
      std::erase_if(ways, [&](const Train &way) { return !leads_out_.contains(way); });
      if (ways.empty()) return {"no way out"};
      const bool straight = ways[0].right == train.right && ways[0].down == train.down;
      const size_t way =
          straight && (*random)() % 10 < (wander ? 5 : 9) ? 0 : (*random)() % ways.size();
      train = ways[way];
      take_word(train, &words);
    }
    return words;
  }

 private:
  char at(int row, int column) const {
    if (row < 0 || row >= std::ssize(lines_) || column < 0) return ' ';
    const string &line = lines_[static_cast<size_t>(row)];
    return column < std::ssize(line) ? line[static_cast<size_t>(column)] : ' ';
  }
  bool is_out(const Train &train) const {
    return train.row == 0 && train.column + 1 == std::ssize(lines_[0]);
  }
  static bool is_rail(char c) { return string("-+|<>").find(c) != string::npos; }
  // Words have one blank before and after them, and one between them.
  bool is_word(int row, int column) const {
    const char c = at(row, column), before = at(row, column - 1), after = at(row, column + 1);
    if (c != ' ') return !is_rail(c) || before == '"' || after == '"' || before == '$';
    return before != ' ' && after != ' ' && column > 0;
  }

  // Where the train may be next, straight on first.
  vector<Train> next(const Train &train) const {
    vector<Train> ways;
    auto go = [&](int down, int right) {
      const Train way{train.row + down, train.column + right, down, right};
      if (fits(way)) ways.push_back(way);
    };
    go(train.down, train.right);
    if (at(train.row, train.column) != '+' || is_word(train.row, train.column)) return ways;
    if (train.down != 0) go(0, 1), go(0, -1);
    if (train.right != 0) go(1, 0), go(-1, 0);
    return ways;
  }
  bool fits(const Train &way) const {
    const char c = at(way.row, way.column);
    if (is_word(way.row, way.column)) return way.down == 0 && (way.right > 0) == is_forward(way);
    if (way.down != 0) return c == '|' || c == '+';
    return c == '-' || c == '+' || c == (way.right > 0 ? '>' : '<');
  }
  // Whether a word is passed from left to right.
  bool is_forward(const Train &way) const {
    int column = way.column;
    while (is_word(way.row, column)) --column;
    return at(way.row, column) != '<';
  }
  void take_word(const Train &train, vector<string> *words) const {
    if (!is_word(train.row, train.column) || at(train.row, train.column) != ' ') return;
    const string &line = lines_[static_cast<size_t>(train.row)];
    const auto column = static_cast<size_t>(train.column);
    if (train.right < 0 && !is_word(train.row, train.column - 1)) return;
    if (train.right > 0 && !is_word(train.row, train.column + 1)) return;
    if (train.right > 0) {
      words->push_back(line.substr(column + 1, line.find(' ', column + 1) - column - 1));
    } else {
      const size_t begin = line.rfind(' ', column - 1) + 1;
      words->push_back(line.substr(begin, column - begin));
    }
  }

  vector<Train> all() const {
    vector<Train> trains;
    for (int row = 0; row < std::ssize(lines_); ++row) {
      for (int column = 0; column < std::ssize(lines_[static_cast<size_t>(row)]); ++column) {
        for (int way : {-1, 1}) {
          for (const Train &train : {Train{row, column, way, 0}, Train{row, column, 0, way}}) {
            if (fits(train)) trains.push_back(train);
          }
        }
      }
    }
    return trains;
  }
  bool may_lead_out(const Train &train) const {
    if (is_out(train)) return train.right > 0;
    return std::ranges::any_of(next(train),
                               [&](const Train &way) { return leads_out_.contains(way); });
  }

  vector<string> lines_;
  std::set<Train> leads_out_;
};

// The rules that are drawn in the manual. A rule begins with its name.
std::map<string, Rails> read_rails() {
  std::ifstream page(MRC_SOURCE_DIR "/man/mrc-expressions.7");
  string line, name;
  while (line != ".Ss Grammar" && std::getline(page, line)) {
  }
  while (!line.starts_with(".Bd") && std::getline(page, line)) {
  }
  std::map<string, Rails> rails;
  vector<string> lines;
  auto finish = [&] {
    if (!lines.empty()) rails.emplace(name, Rails(lines));
    lines.clear();
  };
  while (std::getline(page, line) && !line.starts_with(".Ed")) {
    if (!line.empty() && line[0] != ' ') {
      finish();
      name = line.substr(0, line.find(' '));
      line.replace(0, name.size(), name.size(), ' ');
    }
    if (!line.empty()) lines.push_back(line);
  }
  finish();
  return rails;
}

class Sentence {
 public:
  Sentence(const std::map<string, Rails> &rails, Random *random) : rails_(rails), random_(random) {}

  // False if it became too long, or an aggregate is within an aggregate.
  bool add(const string &rule, int depth) {
    const bool aggregate = rule == "aggregate";
    if (depth > 40 || text.size() > 2000 || (aggregate && within_aggregate_)) return false;
    within_aggregate_ |= aggregate;
    for (const string &word : rails_.at(rule).walk(depth < 12, random_)) {
      if (rails_.contains(word)) {
        if (!add(word, depth + 1)) return false;
      } else {
        append(word);
      }
    }
    if (aggregate) within_aggregate_ = false;
    return true;
  }

  string text;

 private:
  void append(const string &word) {
    const auto known = kWords.find(word);
    string token;
    if (known != kWords.end()) {
      token = known->second[(*random_)() % known->second.size()];
    } else {
      ASSERT_TRUE(word.size() > 2 && word[0] == '"') << word;
      token = word.substr(1, word.size() - 2);
    }
    const bool joined = token == "(" || token == "[" || token == ":" || text.ends_with(':');
    if (!text.empty() && !joined) text.append((*random_)() % 20 == 0 ? "\n" : " ");
    text.append(token);
  }

  const std::map<string, Rails> &rails_;
  Random *random_;
  bool within_aggregate_ = false;
};

TEST(Railroad, LeadsToExpressions) {
  const std::map<string, Rails> rails = read_rails();
  ASSERT_TRUE(rails.contains("any"));
  Random random(first_seed());
  int sentences = 0, aggregates = 0;
  RunningFields running;
  Clock clock;
  clock.running = &running;
  for (int i = 0; i < 2000 * rounds(); ++i) {
    Sentence sentence(rails, &random);
    if (!sentence.add("any", 0)) continue;
    const Result<Expression> parsed = parse_expression(sentence.text, {clock, {}, is_aggregate});
    ASSERT_TRUE(parsed.is_ok()) << parsed.status().message();
    ++sentences;
    aggregates += has_aggregate(*parsed);
  }
  EXPECT_GT(sentences, 1000);
  EXPECT_GT(aggregates, 100);
}

TEST(Railroad, FitsATerminal) {
  std::ifstream page(MRC_SOURCE_DIR "/man/mrc-expressions.7");
  constexpr size_t kIndent = 5;  // of a section
  for (string line; std::getline(page, line);) {
    if (line.find("->-") != string::npos) {
      EXPECT_LE(line.size() + kIndent, 78u) << line;
    }
  }
}

}  // namespace
}  // namespace mrc
