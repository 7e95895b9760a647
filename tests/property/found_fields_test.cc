// All fields of JSON records as columns, against a page of code that flattens the objects while it
// makes them: the same bytes with any threads and splits, from files, pipes and compressed files.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 3;
#else
constexpr i64 kRounds = 15;
#endif

// Records as JSON and as the columns that they should have.
class Model {
 public:
  explicit Model(Random &random) : random_(random) {}

  void add_record() {
    rows_.emplace_back();
    text_ += object("", 0) + "\n";
  }
  const string &text() const { return text_; }
  // True for a lone object with an array, which may be what the records of an input are in.
  bool may_wrap_records() const {
    return rows_.size() == 1 && text_.find(":[") == text_.find(':') && text_.ends_with("]}\n");
  }
  string csv() const {
    vector<string> columns;
    for (const string &path : seen_) {
      if (values_.contains(path) || !structures_.contains(path)) columns.push_back(path);
    }
    string csv = fmt::format("{}\n", fmt::join(columns, ","));
    for (const std::map<string, string> &row : rows_) {
      vector<string> cells;
      for (const string &path : columns) {
        const auto cell = row.find(path);
        cells.push_back(cell == row.end() ? "" : cell->second);
      }
      const bool is_blank = cells.size() == 1 && cells[0].empty();
      csv += is_blank ? "\"\"\n" : fmt::format("{}\n", fmt::join(cells, ","));
    }
    return csv;
  }

 private:
  void see(const string &path) {
    if (std::ranges::find(seen_, path) == seen_.end()) seen_.push_back(path);
  }
  string leaf(const string &path, const string &json, const string &cell) {
    see(path);
    values_.insert(path);
    rows_.back()[path] = cell;
    return json;
  }
  string value(const string &path, i64 depth) {
    if (depth < 4 && one_in(random_, 4)) return object(path, depth);
    if (depth < 4 && one_in(random_, 4)) return array(path, depth);
    if (one_in(random_, 5)) return see(path), "null";
    const string number = std::to_string(pick(random_, 0, 99));
    return one_in(random_, 2) ? leaf(path, number, number)
                              : leaf(path, "\"v" + number + "\"", "v" + number);
  }
  string object(const string &path, i64 depth) {
    static const vector<string> kNames = {"a", "b", "c", "0", "1", "long_name"};
    vector<string> members;
    std::set<string> names;
    for (i64 i = pick(random_, depth == 0 ? 1 : 0, 3); i > 0; --i) {
      const string &name = one_of(random_, kNames);
      if (depth == 0 && name.size() == 1 && name < "a") continue;  // it would have quotes
      if (!names.insert(name).second) continue;
      if (!path.empty()) structures_.insert(path);
      const string inner = path.empty() ? name : path + "." + name;
      members.push_back(fmt::format("\"{}\":{}", name, value(inner, depth + 1)));
    }
    if (members.empty() && !path.empty()) return leaf(path, "{}", "{}");
    return fmt::format("{{{}}}", fmt::join(members, ","));
  }
  string array(const string &path, i64 depth) {
    vector<string> elements;
    for (i64 i = pick(random_, 0, 3); i > 0; --i) {
      structures_.insert(path);
      elements.push_back(value(fmt::format("{}.{}", path, elements.size()), depth + 1));
    }
    if (elements.empty()) return leaf(path, "[]", "[]");
    return fmt::format("[{}]", fmt::join(elements, ","));
  }

  Random &random_;
  string text_;
  vector<string> seen_;
  std::set<string> values_, structures_;
  vector<std::map<string, string>> rows_;
};

class FoundFieldsOf : public testing::Test {
 protected:
  string answer(const string &command) {
    run_shell(fmt::format("cd {} && {} >out", folder_.path("."), command));
    return folder_.read("out");
  }
  TemporaryFolder folder_;
};

TEST_F(FoundFieldsOf, RandomRecords) {
  Random random(first_seed());
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    Model model(random);
    for (i64 i = pick(random, 1, one_in(random, 3) ? 2000 : 20); i > 0; --i) model.add_record();
    if (model.csv().starts_with('\n')) continue;  // no record has a field
    if (model.may_wrap_records()) continue;
    folder_.write("in", model.text());
    const string mrc = "$MRC select --to csv -f json";
    EXPECT_EQ(answer(mrc + " -j1 in"), model.csv()) << model.text();
    EXPECT_EQ(answer(mrc + fmt::format(" -j8 --split {} in", pick(random, 1, 5000))), model.csv());
    EXPECT_EQ(answer(fmt::format("cat in | {} -j3 --memory 1M", mrc)), model.csv());
    EXPECT_EQ(answer(fmt::format("gzip -c in | {}", mrc)), model.csv());
  }
}

}  // namespace
}  // namespace mrc
