// CSV in which line ends may be in quotes, against a reader that goes byte by byte: `mrc count` and
// `mrc sort` give the same answer wherever the input is cut, and whatever quotes are malformed.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"
#include "unit/fields/naive_csv_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kTexts = 4, kEach = 7;
#else
constexpr i64 kTexts = 40, kEach = 1;
#endif

const string kHeader = "a,b,c\n";
const std::vector<string> kEngines = {"-j1", "-j8 --split 7", "-j2 --split 50 --memory 4K"};

// What `mrc count -k b` prints, and how many records it leaves out.
struct Counts {
  std::map<string, i64> keys;
  i64 left_out = 0;
};

Counts naive_counts(const string &text) {
  Counts counts;
  for (const NaiveRecord &record : naive_records(text, {})) {
    if (record.unclosed || record.fields.size() > 3) {
      ++counts.left_out;
    } else {
      ++counts.keys[record.fields.size() < 2 ? "" : record.fields[1]];
    }
  }
  return counts;
}

string rows(const std::map<string, i64> &keys) {
  string text;
  for (const auto &[key, count] : keys) {
    for (const char c : key) {
      const size_t at = string("\n\r").find(c);
      text += at == string::npos ? string(1, c) : string("\\") + "nr"[at];
    }
    text += "\t" + std::to_string(count) + "\n";
  }
  return text;
}

class QuotedLines : public testing::Test {
 protected:
  string answer(const string &command) {
    const int status = run_shell("cd " + folder_.path("") + " && $MRC " + command + " >out 2>err");
    EXPECT_EQ(WEXITSTATUS(status), 0) << command << "\n" << folder_.read("err");
    return folder_.read("out");
  }

  // `records` follow the header.
  void expect_counted(const string &records) {
    folder_.write("in.csv", kHeader + records);
    const Counts counts = naive_counts(records);
    if (counts.keys.empty()) return;  // all records are left out: there is no answer
    string sorted;
    for (const string &engine : kEngines) {
      const string options = " -f csv --header-in yes " + engine + " in.csv";
      EXPECT_EQ(answer("count -k b" + options), rows(counts.keys)) << engine << "\n" << records;
      const string said = folder_.read("err");
      const string left_out = "mrc: warning: " + std::to_string(counts.left_out) + " of ";
      EXPECT_TRUE(counts.left_out == 0 ? said.empty() : said.starts_with(left_out))
          << engine << "\n"
          << records << "\n"
          << said;
      const string lines = answer("sort -k b" + options);
      if (engine == kEngines[0]) sorted = lines;
      EXPECT_EQ(lines, sorted) << engine << "\n" << records;
    }
  }

  const TemporaryFolder folder_;
};

TEST_F(QuotedLines, HaveTheSameAnswerWithAQuoteAtEveryBorder) {
  const std::vector<string> texts = {"1,x,2\n3,y,4\n5,x,6\n7,\"y\",8\n",
                                     "1,x,\"two\nlines\"\n3,y,4\n\"a\n\nb\",x,6\n7,y,8\n",
                                     "1,x,2\r\n\"3\r\n4\",y,5\r\n6,x,\"7\"\"\r\n8\"\r\n",
                                     "1,x,5\" disk\n\"2\"3,y,\n,\"\",\"\n\"\n"};
  for (const string &text : texts) {
    for (size_t at = 0; at <= text.size() && !HasFailure(); at += kEach) {
      expect_counted(text.substr(0, at) + "\"" + text.substr(at));
    }
  }
}

TEST_F(QuotedLines, HaveTheSameAnswerInRandomText) {
  Random random(first_seed());
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  const std::vector<string> pieces = {"x",  "y",    ",",  ",",    "\n",
                                      "\n", "\r\n", "\"", "\"\"", "z,\"w\n"};
  for (i64 i = 0; i < kTexts && !HasFailure(); ++i) {
    string text;
    for (i64 n = pick(random, 1, 200); n > 0; --n) text += one_of(random, pieces);
    expect_counted(text);
  }
}

// Only the header has a line end in quotes.
TEST_F(QuotedLines, AreReadAfterAHeaderOfTwoLines) {
  folder_.write("in.csv", "\"a\nb\",k\n1,x\n2,y\n3,x\n");
  for (const string &engine : kEngines) {
    EXPECT_EQ(answer("count -k k -f csv --header-in yes " + engine + " in.csv"), "x\t2\ny\t1\n");
  }
}

// The error of a value that is no number belongs to a record that does not exist.
TEST_F(QuotedLines, ShowNoFaultOfRecordsThatWereCutInQuotes) {
  string text = "k,n,t\n";
  for (i64 i = 0; i < 50; ++i) text += "x,1,\"a\ny,none,b\nz\"\n";
  folder_.write("in.csv", text);
  for (const string &engine : kEngines) {
    EXPECT_EQ(answer("stats -k k -a sum:n -f csv --header-in yes " + engine + " in.csv"),
              "x\t50\n");
    EXPECT_EQ(folder_.read("err"), "") << engine;
  }
}

}  // namespace
}  // namespace mrc
