// --record-start against a few lines of obvious code: random lines, some of which begin records.
// The same bytes with any threads and splits, from files, pipes and compressed files.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 6;
#else
constexpr int kRounds = 30;
#endif

constexpr size_t kHead = 1024;  // that tells whether a line begins a record

string line_of(Random &random) {
  static const vector<string> kLines = {"",       " ",        "begin",      "a begin", "b",
                                        "needle", "c needle", "begin c \r", "x\ty"};
  string line = one_of(random, kLines);
  if (one_in(random, 40)) line = string(static_cast<size_t>(pick(random, 1000, 3000)), 'l') + line;
  return line;
}

vector<string> lines_of(Random &random) {
  vector<string> lines;
  for (i64 i = pick(random, 0, 400); i > 0; --i) lines.push_back(line_of(random));
  return lines;
}

bool begins(const string &line) { return line.substr(0, kHead).find("begin") != string::npos; }

struct Record {
  size_t line;  // its first, from 1
  string text;  // lines, each with its end
};

vector<Record> records_of(const vector<string> &lines) {
  vector<Record> records;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (records.empty() || begins(lines[i])) records.push_back({i + 1, ""});
    records.back().text += lines[i] + "\n";
  }
  return records;
}

// Without the blank lines at its end; those that are nothing else are kept once.
string trimmed(string text) {
  for (;;) {
    const size_t last = text.size() < 2 ? string::npos : text.rfind('\n', text.size() - 2);
    if (last == string::npos || text.find_first_not_of(" \t\r\n", last) != string::npos)
      return text;
    text.erase(last + 1);
  }
}

// What each command prints.
vector<std::pair<string, string>> expected(const vector<Record> &records) {
  string found, others, numbered, whole;
  int count = 0;
  for (const Record &record : records) {
    const bool matches = record.text.find("needle") != string::npos;
    (matches ? found : others) += record.text;
    if (matches) numbered += fmt::format("{}:{}", record.line, record.text);
    count += matches;
    whole += trimmed(record.text);
  }
  return {{"grep --record-start begin needle", found},
          {"grep --record-start begin -v needle", others},
          {"grep --record-start begin -n needle", numbered},
          {"grep --record-start begin -c needle", fmt::format("{}\n", count)},
          {"select --record-start begin", whole}};
}

TEST(StartedRecords, AreThoseOfObviousCode) {
  Random random(first_seed());
  const TemporaryFolder folder;
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    const vector<string> lines = lines_of(random);
    string text;
    for (const string &line : lines) text += line + "\n";
    if (!lines.empty() && !lines.back().empty() && one_in(random, 2)) text.pop_back();
    folder.write("a", text);
    for (const auto &[command, answer] : expected(records_of(lines))) {
      const string how = fmt::format(" -j{} --split {} --io {}", pick(random, 1, 4),
                                     pick(random, 1, 3000), one_in(random, 2) ? "mmap" : "read");
      for (const char *input : {"a", "<a", "a.gz"}) {
        const string line = fmt::format("cd {} && gzip -kf a && $MRC {}{} {} >out",
                                        folder.path("."), command, how, input);
        run_shell(line);
        EXPECT_EQ(folder.read("out"), answer) << line << " in round " << round;
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace mrc
