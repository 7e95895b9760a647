// mrc diff against a comparison of maps: the same rows with any threads, splits and memory, from
// files, pipes and compressed files, sorted by the key or not.
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 20;
#else
constexpr int kRounds = 150;
#endif

constexpr size_t kNumber = 0, kText = 1, kFields = 2;  // what the values of a record are
const vector<string> kNames = {"n", "t"};

using Record = std::array<string, kFields>;
using Table = std::map<string, Record>;

// Numbers in hundredths, so that differences are exact.
string number_text(i64 hundredths, bool is_long) {
  const string digits = std::to_string(std::abs(hundredths) % 100);
  string text = (hundredths < 0 ? "-" : "") + std::to_string(std::abs(hundredths) / 100);
  text += "." + (digits.size() < 2 ? "0" + digits : digits);
  if (is_long) return text + "0";
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

i64 hundredths(const string &text) {
  const size_t point = text.find('.');
  string digits = text.substr(0, point);
  string fraction = point == text.npos ? "" : text.substr(point + 1);
  fraction.resize(2, '0');
  return std::stoll(digits + fraction);
}

Table random_table(Random &random) {
  Table table;
  const i64 keys = one_of<i64>(random, {3, 40, 3000});
  for (i64 left = pick(random, 1, std::min<i64>(keys, 900)); left > 0; --left) {
    Record &record = table["k" + std::to_string(pick(random, 1, keys))];
    record[kNumber] = number_text(pick(random, -300, 300), one_in(random, 4));
    record[kText] = one_of<string>(random, {"", "x", "y z", "\xC3\xA9", "0", "x"});
    if (one_in(random, 9)) record[kNumber].clear();
  }
  table["k0"] = {"1", "x"};  // so that a column has values
  return table;
}

string difference(const string &from, const string &to, string *percent) {
  const i64 a = hundredths(from), b = hundredths(to);
  if (a != 0) {  // rounded half up, in hundredths of a percent
    const i64 numerator = (b - a) * 20'000 + std::abs(a), denominator = 2 * std::abs(a);
    const i64 down = numerator / denominator - (numerator % denominator < 0);
    *percent = number_text(down, false);
  }
  return number_text(b - a, false);
}

string naive(const Table &old_table, const Table &new_table) {
  string text;
  Table all = old_table;
  all.insert(new_table.begin(), new_table.end());
  for (const auto &[key, record] : all) {
    const auto from = old_table.find(key), to = new_table.find(key);
    const bool is_removed = to == new_table.end(), is_added = from == old_table.end();
    bool is_shown = false;
    for (size_t i = 0; i < kFields; ++i) {
      const string a = is_added ? "" : from->second[i], b = is_removed ? "" : to->second[i];
      string by, percent;
      if (a == b) continue;
      if (!a.empty() && !b.empty() && i == kNumber) {
        if (hundredths(a) == hundredths(b)) continue;
        by = difference(a, b, &percent);
      }
      is_shown = true;
      text += key + (is_added ? "\tadded\t" : is_removed ? "\tremoved\t" : "\tchanged\t");
      text += kNames[i] + "\t" + a + "\t" + b + "\t" + by + "\t" + percent + "\n";
    }
    if (is_shown || (!is_added && !is_removed)) continue;
    text += key + (is_added ? "\tadded" : "\tremoved") + "\t\t\t\t\t\n";
  }
  return text;
}

class Changes : public testing::Test {
 protected:
  // The columns of OLD and NEW stand in different orders, and so may the records.
  string text_of(const Table &table, bool is_new, Random &random) {
    vector<string> lines;
    for (const auto &[key, record] : table) {
      lines.push_back(is_new ? record[kText] + "," + key + "," + record[kNumber]
                             : key + "," + record[kNumber] + "," + record[kText]);
    }
    if (one_in(random, 2)) std::ranges::shuffle(lines, random);
    string text = is_new ? "t,k,n\n" : "k,n,t\n";
    for (const string &line : lines) text += line + "\n";
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(Changes, AreThoseBetweenTwoMaps) {
  static const vector<string> kConfigurations = {
      "", "-j1 ", "-j3 --split 7 ", "-j2 --split 300 --memory 4K ", "-j4 --io mmap --split 64K "};
  Random random(20261130);
  for (int round = 0; round < kRounds; ++round) {
    const Table before = random_table(random);
    Table after = one_in(random, 2) ? random_table(random) : before;
    for (auto &[key, record] : after) {
      const auto same = before.find(key);
      if (same != before.end() && one_in(random, 2)) record = same->second;
    }
    if (one_in(random, 3) && after.size() > 2) after.erase(std::prev(after.end()));
    folder_.write("old", text_of(before, false, random));
    folder_.write("new", text_of(after, true, random));
    const string inputs =
        one_of<string>(random, {"old new", "old.gz new", "old - < new", "- new < old"});
    const string command = "cd " + folder_.path(".") + " && gzip -kf old && $MRC diff " +
                           one_of(random, kConfigurations) + "-f csv -k k " + inputs + " > out";
    ASSERT_EQ(run_shell(command), 0) << round;
    ASSERT_EQ(folder_.read("out"), naive(before, after)) << round << " " << command;
  }
}

}  // namespace
}  // namespace mrc
