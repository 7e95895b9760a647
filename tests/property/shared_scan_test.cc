// The programs of a shared scan give the answers that each gives by itself: the figures of a
// summary are those of mrc stats for each field, and the rows of a report's panels those for their
// keys, with any threads, splits and memory, from files, pipes and compressed files.
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 6;
#else
constexpr int kRounds = 40;
#endif

class SharedScans : public testing::Test {
 protected:
  string answer(const string &command) {
    EXPECT_EQ(run_shell("cd " + folder_.path(".") + " && " + command + " > out 2>/dev/null"), 0)
        << command;
    return folder_.read("out");
  }
  static vector<string> lines(const string &text) {
    vector<string> all;
    for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
      all.push_back(text.substr(at, end - at));
    }
    return all;
  }

  TemporaryFolder folder_;
  static inline const vector<string> kConfigurations = {
      "", "-j1 ", "-j3 --split 7 ", "-j2 --split 300 --memory 4K ", "-j4 --io mmap --split 64K "};
};

// Columns n (numbers), t (times), a (texts), d (durations), i (addresses).
string table(Random &random) {
  static const vector<string> kTexts = {"x", "y z", "-", "", "\"q, r\"", "N", "0x"};
  string text = "n,t,a,d,i\n";
  for (i64 left = pick(random, 12, 600); left > 0; --left) {
    const string number = std::to_string(pick(random, -40, 900)) + (one_in(random, 3) ? ".25" : "");
    text += (one_in(random, 30) ? one_of(random, kTexts) : number) + ",";
    text += "2026-01-1" + std::to_string(pick(random, 0, 9)) + "T0" +
            std::to_string(pick(random, 0, 9)) + ":30:00Z,";
    text += one_of(random, kTexts) + ",";
    text += std::to_string(pick(random, 1, 90)) + (one_in(random, 2) ? "ms," : "s,");
    text += "192.0.2." + std::to_string(pick(random, 0, 30)) + "\n";
  }
  return text;
}

TEST_F(SharedScans, OfSummariesComputeWhatStatsDoes) {
  Random random(20261129);
  for (int round = 0; round < kRounds; ++round) {
    folder_.write("in", table(random));
    const string where = one_in(random, 3) ? " -w 'd > 1s'" : "";
    const string input = one_of<string>(random, {" in", " < in", " in.gz"});
    ASSERT_EQ(run_shell("cd " + folder_.path(".") + " && gzip -kf in"), 0);
    const vector<string> rows =
        lines(answer("$MRC summary " + one_of(random, kConfigurations) + "-f csv" + where +
                     (input[1] == '<' ? " -" : "") + input + " then select -k '*'"));
    ASSERT_EQ(rows.size(), 5);
    for (const string &row : rows) {
      const string field = row.substr(0, 1);
      const bool has_amounts = field == "n" || field == "t" || field == "d";
      string aggregates = "values=count:F,missing=count - count(F),distinct:F";
      if (field != "a") aggregates += ",min:F";
      if (has_amounts) aggregates += ",p25:F,median:F,p75:F";
      if (field != "a") aggregates += ",max:F";
      if (has_amounts) aggregates += ",mean:F,stddev:F";
      aggregates += ",mode:F";
      std::ranges::replace(aggregates, 'F', field[0]);
      string own = answer("$MRC stats -f csv" + where + " -a '" + aggregates + "' in");
      own.pop_back();
      string given = row.substr(row.find('\t', 2) + 1);
      if (field == "a") given = given.replace(given.find("\t\t\t\t\t\t\t\t"), 8, "\t");
      if (field == "i") {
        given.replace(given.find("\t\t\t\t"), 4, "\t");
        given.replace(given.find("\t\t\t"), 3, "\t");
      }
      ASSERT_EQ(given, own) << round << where << input << " " << row;
    }
  }
}

string log(Random &random) {
  static const vector<string> kPaths = {"/", "/a", "/b?q=1", "/c.css", "/d/e", "/\\x22"};
  static const vector<string> kCodes = {"200", "200", "304", "404", "500"};
  string text;
  for (i64 left = pick(random, 4, 500); left > 0; --left) {
    text += "192.0.2." + std::to_string(pick(random, 0, 30)) + " - - [0" +
            std::to_string(pick(random, 1, 9)) + "/Nov/2026:10:00:0" +
            std::to_string(pick(random, 0, 9)) + " +0000] \"GET " + one_of(random, kPaths) +
            " HTTP/1.1\" " + one_of(random, kCodes) + " " +
            (one_in(random, 5) ? "-" : std::to_string(pick(random, 0, 1'000'000))) +
            " \"-\" \"curl/8\"\n";
    if (one_in(random, 60)) text += "what is this\n";
  }
  return text;
}

TEST_F(SharedScans, OfReportsHaveTheRowsOfStats) {
  struct Panel {
    string name, options;
  };
  const vector<Panel> panels = {
      {"status", "-k status --by requests"},
      {"networks", "-k ip:/24/64 --by requests"},
      {"not-found", "-k path,referer -w 'status == 404' --by requests"},
      {"days", "-k time:day --by time:day"},
      {"sizes", "-k bytes:log2"},
      {"clients", "-k ip --by requests"},
  };
  Random random(4711);
  for (int round = 0; round < kRounds; ++round) {
    folder_.write("in", log(random));
    const Panel &panel = one_of(random, panels);
    string where = one_in(random, 3) ? " -w 'bytes > 500000'" : "";
    if (one_in(random, 4)) where += " --since 2026-11-04";
    string other = one_of(random, panels).name;
    if (other == panel.name) other = "methods";
    const string report = answer("$MRC report " + one_of(random, kConfigurations) +
                                 "--to json --panels " + panel.name + "," + other + where + " in");
    const size_t name = report.find("\"name\":\"" + panel.name + "\"");
    const bool is_clients = panel.name == "clients";
    const string own =
        answer("$MRC stats --to json " + panel.options + where + " -a requests=count," +
               (is_clients ? "" : "visitors=distinct:ip,") + "bytes=sum:bytes" +
               (is_clients ? ",first='min(time)+0s',last='max(time)+0s'" : "") + " in");
    if (name == report.npos) {  // a panel without rows is left out, and so are days if it is one
      EXPECT_LE(lines(own).size(), panel.name == "days" ? 1 : 0) << panel.name << where;
      continue;
    }
    string rows;
    const vector<string> objects = lines(own);
    const size_t most = 300;
    for (size_t i = 0; i < std::min(objects.size(), most); ++i) {
      string row = "[";
      bool is_name = false;
      for (size_t at = 1; at + 1 < objects[i].size(); ++at) {  // leaves out the names
        const char c = objects[i][at];
        if (c == '"' && (objects[i][at - 1] == '{' || objects[i].substr(at - 1, 2) == ",\"")) {
          is_name = objects[i].find("\":", at) != string::npos;
        }
        if (!is_name) row.push_back(c);
        if (is_name && c == ':' && objects[i][at - 1] == '"') is_name = false;
      }
      rows += (rows.empty() ? "" : ",") + row + "]";
    }
    const size_t begin = report.find("\"rows\":[", name) + 8;
    EXPECT_EQ(report.substr(begin, rows.size() + 1), rows + "]") << round << panel.name << where;
  }
}

// A report that goes on from what earlier runs have kept is that of all input, whatever was added
// to its logs in between, and whether they were rotated.
TEST_F(SharedScans, OfReportsGoOnFromKeptOnes) {
  Random random(88);
  // What is known of malformed records is their number.
  const string rest = " --to json in.1 in | sed 's/; the first: [^\"]*//'";
  for (int round = 0; round < kRounds / 2; ++round) {
    ASSERT_EQ(run_shell("cd " + folder_.path(".") + " && rm -rf d in in.1 && touch in.1"), 0);
    bool is_rotated = false;
    string text = log(random);
    for (int step = 0; step < 4; ++step) {
      folder_.write("new", text);
      const bool rotates = step > 0 && !is_rotated && one_in(random, 3);
      is_rotated |= rotates;
      ASSERT_EQ(run_shell("cd " + folder_.path(".") + " && " + (rotates ? "mv in in.1; " : "") +
                          "cat new >> in && touch -d @1700000000 in in.1"),
                0);
      const string all = answer("$MRC report" + rest);
      const string kept =
          answer("$MRC report " + one_of(random, kConfigurations) + "--state d" + rest);
      ASSERT_EQ(kept, all) << round << " " << step;
      text = one_in(random, 5) ? "" : log(random);
    }
  }
}

}  // namespace
}  // namespace mrc
