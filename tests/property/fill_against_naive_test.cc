// `mrc stats --fill` on random CSV, against a map that is filled by obvious code: the same bytes
// with any threads, splits and memory.
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 4;
#else
constexpr u64 kRounds = 30;
#endif

string two(i64 number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// Seconds since 1970 as 2026-11-03T10:00:00Z.
string time_text(i64 seconds) {
  const std::chrono::sys_days day{std::chrono::days(seconds / 86400)};
  const std::chrono::year_month_day date(day);
  return std::to_string(static_cast<int>(date.year())) + "-" +
         two(static_cast<unsigned>(date.month())) + "-" + two(static_cast<unsigned>(date.day())) +
         "T" + two(seconds / 3600 % 24) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60) +
         "Z";
}

struct Bucket {
  const char *name;
  i64 width;          // seconds, or whole numbers
  size_t name_bytes;  // of the text of its time; 0: a number
  const char *rest;   // of its name
};
constexpr Bucket kBuckets[] = {{"t:hour", 3600, 16, "Z"}, {"t:15m", 900, 16, "Z"},
                               {"t:day", 86400, 10, ""},  {"t:2h", 7200, 16, "Z"},
                               {"n:100", 100, 0, ""},     {"n:7", 7, 0, ""}};

i64 floor_to(i64 value, i64 width) {
  const i64 rest = ((value % width) + width) % width;
  return value - rest;
}

string name_of(const Bucket &bucket, i64 begin) {
  if (bucket.name_bytes == 0) return std::to_string(begin);
  return time_text(begin).substr(0, bucket.name_bytes) + bucket.rest;
}

struct Record {
  i64 time, number;
  string user;
  bool has_value;
};

// Buckets are ordered by their begin, and a record without a value is first among times, and last
// among numbers.
string naive(const vector<Record> &records, const Bucket &bucket, bool by_user, bool first) {
  std::map<std::pair<string, i64>, i64> counts;
  std::map<string, i64> without;
  std::set<string> users;
  i64 least = INT64_MAX, most = INT64_MIN;
  for (const Record &record : records) {
    const string user = by_user ? record.user : "";
    if (!record.has_value) {
      ++without[user];
      continue;
    }
    const i64 of = bucket.name_bytes == 0 ? record.number : record.time;
    const i64 begin = floor_to(of, bucket.width);
    least = std::min(least, begin);
    most = std::max(most, begin);
    users.insert(user);
    ++counts[{user, begin}];
  }
  struct Line {
    string user;
    i64 begin;
    string text;
  };
  vector<Line> lines;
  const auto add = [&](const string &user, i64 begin, const string &name, i64 count) {
    const string key = !by_user ? name : first ? name + "\t" + user : user + "\t" + name;
    lines.push_back({user, begin, key + "\t" + std::to_string(count) + "\n"});
  };
  for (const string &user : users) {
    for (i64 begin = least; begin <= most; begin += bucket.width) {
      const auto found = counts.find({user, begin});
      add(user, begin, name_of(bucket, begin), found == counts.end() ? 0 : found->second);
    }
  }
  for (const auto &[user, count] : without) {
    add(user, bucket.name_bytes == 0 ? INT64_MAX : INT64_MIN, "", count);
  }
  std::ranges::sort(lines, [&](const Line &a, const Line &b) {
    return first ? std::tie(a.begin, a.user) < std::tie(b.begin, b.user)
                 : std::tie(a.user, a.begin) < std::tie(b.user, b.begin);
  });
  string text;
  for (const Line &line : lines) text += line.text;
  return text;
}

string random_engine(Random &random) {
  string options = " -j" + std::to_string(pick(random, 1, 6));
  if (one_in(random, 2)) options += " --split " + std::to_string(pick(random, 1, 3000));
  static const char *const kMemory[] = {"", " --memory 4K", " --memory 64K", " --memory 1M"};
  options += kMemory[pick(random, 0, 3)];
  static const char *const kOther[] = {" --tile 2K", " --isolate", " --container tree", "", ""};
  return options + kOther[pick(random, 0, 4)];
}

TEST(FillAgainstNaive, PrintsTheSameBytes) {
  for (u64 seed = first_seed(); seed < first_seed() + kRounds && !HasFailure(); ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const TemporaryFolder folder;
    const i64 span = pick(random, 1, 1000000), users = pick(random, 1, 8);
    const i64 count = pick(random, 1, one_in(random, 2) ? 10 : 2000);
    vector<Record> records;
    string text = "t,n,user\n";
    for (i64 i = 0; i < count; ++i) {
      Record record{1'790'000'000 + pick(random, 0, span - 1), pick(random, 0, 19999) - 10000,
                    "u" + std::to_string(pick(random, 0, users - 1)), pick(random, 0, 19) != 0};
      text += record.has_value ? time_text(record.time) + "," + std::to_string(record.number) : ",";
      text += "," + record.user + "\n";
      records.push_back(std::move(record));
    }
    folder.write("in", text);
    for (int turn = 0; turn < 4 && !HasFailure(); ++turn) {
      const Bucket &bucket = kBuckets[pick(random, 0, std::ssize(kBuckets) - 1)];
      const bool by_user = one_in(random, 2), first = one_in(random, 2);
      const string key = !by_user ? bucket.name
                         : first  ? string(bucket.name) + ",user"
                                  : "user," + string(bucket.name);
      const string command = "cd " + folder.path("") +
                             " && $MRC stats -f csv --header-in yes -a count --fill 0 -k " + key +
                             random_engine(random) + " in >out 2>err";
      EXPECT_EQ(WEXITSTATUS(run_shell(command)), 0) << command << folder.read("err");
      EXPECT_EQ(folder.read("out"), naive(records, bucket, by_user, by_user ? first : true))
          << command;
    }
  }
}

}  // namespace
}  // namespace mrc
