// Aggregates of several arguments, shares, interpolated percentiles and first records of `mrc
// stats` on random CSV, against a page of obvious code in rational arithmetic: the same bytes with
// any threads, splits and memory, kept or not.
#include "support/process.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 4;
#else
constexpr u64 kRounds = 25;
#endif

u64 below(Random &random, u64 n) { return random() % n; }

struct Record {
  string key, shop, line;
  std::optional<i64> price;  // in hundredths
};

string decimal(mpz_class digits, size_t places) {
  string text = mpz_class(abs(digits)).get_str();
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  if (places > 0) text.insert(text.size() - places, ".");
  return (digits < 0 ? "-" : "") + text;
}

// With so many places; halves go up.
string rounded(const mpq_class &value, size_t places) {
  mpz_class unit;
  mpz_ui_pow_ui(unit.get_mpz_t(), 10, places);
  const mpq_class scaled = value * unit + mpq_class(1, 2);
  mpz_class down;
  mpz_fdiv_q(down.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return decimal(down, places);
}

Record random_record(Random &random, u64 keys, u64 shops) {
  Record record{"k" + std::to_string(below(random, keys)), "", "", {}};
  if (below(random, 12) != 0) {
    record.shop =
        string(below(random, 9) == 0 ? 40 : 1, 's') + std::to_string(below(random, shops));
  }
  string price;
  if (below(random, 12) != 0) {
    record.price = static_cast<i64>(below(random, 4000)) - 1000;
    price = decimal(*record.price, 2);
    if (price.ends_with("0") && below(random, 2) == 0) price.pop_back();  // 1.5 is 1.50
  }
  record.line = record.key + "," + record.shop + "," + price;
  return record;
}

struct Group {
  vector<Record> records;

  mpq_class sum() const {
    mpz_class hundredths = 0;
    for (const Record &record : records) hundredths += record.price.value_or(0);
    return mpq_class(hundredths) / 100;
  }
  string extreme(int sign) const {
    const Record *best = nullptr;
    for (const Record &record : records) {
      if (!record.price || record.shop.empty()) continue;
      if (best == nullptr || sign * (*record.price - *best->price) > 0) best = &record;
    }
    return best == nullptr ? "" : best->shop;
  }
  // The two shops with the largest sum of prices.
  string top() const {
    std::map<string, i64> sums;
    for (const Record &record : records) {
      if (!record.shop.empty()) sums[record.shop] += record.price.value_or(0);
    }
    vector<std::pair<string, i64>> sorted(sums.begin(), sums.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    string text;
    for (size_t i = 0; i < std::min<size_t>(2, sorted.size()); ++i) {
      const mpq_class value = mpq_class(mpz_class(sorted[i].second)) / 100;
      text += (i > 0 ? ", " : "") + sorted[i].first + " (" + rounded(value, 3) + ")";
    }
    return text;
  }
  string percentile(mpq_class part) const {
    part.canonicalize();
    vector<i64> sorted;
    for (const Record &record : records) {
      if (record.price) sorted.push_back(*record.price);
    }
    if (sorted.empty()) return "";
    std::sort(sorted.begin(), sorted.end());
    const mpq_class way = part * mpq_class(static_cast<unsigned long>(sorted.size() - 1));
    const mpz_class whole = way.get_num() / way.get_den();
    const size_t at = whole.get_ui();
    mpq_class value = mpz_class(sorted[at]);
    if (way != whole) value += (way - whole) * mpz_class(sorted[at + 1] - sorted[at]);
    return rounded(value / 100, 3);
  }
};

string share(const mpq_class &part, const mpq_class &all) {
  return all == 0 ? "" : rounded(100 * part / all, 3);
}

struct Answers {
  string columns, heads;
};

Answers naive(const vector<Record> &records, size_t head) {
  std::map<string, Group> groups;
  Group all;
  for (const Record &record : records) {
    groups[record.key].records.push_back(record);
    all.records.push_back(record);
  }
  Answers answers{"", records.empty() ? "" : "k,shop,price\n"};
  for (const auto &[key, group] : groups) {
    const mpq_class count = static_cast<unsigned long>(group.records.size());
    const mpq_class total = static_cast<unsigned long>(all.records.size());
    answers.columns += key + "\t" + group.extreme(1) + "\t" + group.extreme(-1) + "\t" +
                       group.top() + "\t" + group.percentile({955, 1000}) + "\t" +
                       share(count, total) + "\t" + share(group.sum(), all.sum()) + "\n";
    for (size_t i = 0; i < std::min(head, group.records.size()); ++i) {
      answers.heads += group.records[i].line + "\n";
    }
  }
  return answers;
}

string random_engine(Random &random) {
  string options = " -j" + std::to_string(1 + below(random, 6));
  if (below(random, 2) == 0) options += " --split " + std::to_string(1 + below(random, 3000));
  static const char *const kMemory[] = {"", " --memory 4K", " --memory 64K", " --memory 1M"};
  options += kMemory[below(random, 4)];
  static const char *const kOther[] = {
      " --tile 2K", " --isolate", " --container tree", " --engine groups=apart", "", ""};
  return options + kOther[below(random, 6)];
}

TEST(CallsAgainstNaive, PrintTheSameBytes) {
  const string calls =
      " -a 'argmax(price, shop),argmin(price, shop),top(2, shop, sum:price),p95.5i:price,share,"
      "share:price' --round 3";
  for (u64 seed = first_seed(); seed < first_seed() + kRounds && !HasFailure(); ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const TemporaryFolder folder;
    vector<Record> records;
    const u64 keys = 1 + below(random, below(random, 2) == 0 ? 4 : 600);
    const u64 shops = 1 + below(random, below(random, 2) == 0 ? 5 : 400);
    const size_t count = 1 + below(random, 3000);
    for (size_t i = 0; i < count; ++i) records.push_back(random_record(random, keys, shops));
    const size_t cut = below(random, count);
    for (size_t file = 0; file < 2; ++file) {
      string part = "k,shop,price\n";
      for (size_t i = file == 0 ? 0 : cut; i < (file == 0 ? cut : count); ++i) {
        part += records[i].line + "\n";
      }
      folder.write("in" + std::to_string(file), part);
    }
    const size_t head = 1 + below(random, 20);
    const Answers expected = naive(records, head);
    const string read = " -k k -f csv --header-in yes";
    for (int turn = 0; turn < 3 && !HasFailure(); ++turn) {
      const string engine = random_engine(random), start = "cd " + folder.path("") + " && $MRC ";
      const string asked[] = {calls, " --head " + std::to_string(head)};
      for (size_t i = 0; i < 2; ++i) {
        const string command = start + "stats" + read + asked[i] + engine + " in0 in1 >out 2>err";
        EXPECT_EQ(WEXITSTATUS(run_shell(command)), 0) << command << folder.read("err");
        EXPECT_EQ(folder.read("out"), i == 0 ? expected.columns : expected.heads) << command;
        EXPECT_EQ(folder.read("err"), "") << command;
      }
    }
    // What is kept of one file goes on with the other.
    const string start = "cd " + folder.path("") + " && $MRC stats" + read + calls;
    EXPECT_EQ(WEXITSTATUS(run_shell(start + " --state s in0 >out && " +
                                    start.substr(start.find("$MRC")) + " --state s in0 in1 >out")),
              0);
    EXPECT_EQ(folder.read("out"), expected.columns);
  }
}

}  // namespace
}  // namespace mrc
