// Jobs of plugins over fields of records (tests/plugins/fields.c, fields_in_cpp.cc) against a naive
// program: the same answer for CSV, JSON and access logs, with columns in any order, as they are or
// compressed, for every number of threads, split size and memory.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;

// ---- Records, and what the jobs make of them ---------------------------------------------------

// A record without a user has an empty one in CSV, and "-" in an access log.
struct Record {
  std::optional<string> user;
  std::optional<i64> bytes;  // none: it is missing or malformed
  string bytes_text;
  std::optional<i64> time;  // seconds since 1970
  string time_text;
};

string time_text_of(i64 time, const char *format) {
  const std::time_t seconds = time;
  std::tm date = {};
  gmtime_r(&seconds, &date);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &date)};
}

struct Shape {
  bool may_lack_user = false, may_lack_time = false, is_access_log = false;
};

Record random_record(Random &random, const Shape &shape) {
  Record record;
  record.user = one_in(random, 40) ? "bad" + std::to_string(pick(random, 0, 9))
                                   : string(static_cast<size_t>(pick(random, 1, 3)),
                                            static_cast<char>('a' + pick(random, 0, 5)));
  if (one_in(random, 50)) record.user = string(40, 'u');
  if (shape.may_lack_user && one_in(random, 9)) record.user.reset();
  if (!one_in(random, 6)) record.bytes = pick(random, 0, 5000);
  record.bytes_text = record.bytes ? std::to_string(*record.bytes) : "-";
  if (!shape.is_access_log && !record.bytes && one_in(random, 2)) record.bytes_text = "12.5x";
  record.time = 1'793'700'000 + pick(random, 0, 400'000);
  record.time_text = time_text_of(*record.time, "%Y-%m-%dT%H:%M:%SZ");
  if (shape.may_lack_time && one_in(random, 9)) {
    record.time.reset();
    record.time_text = one_in(random, 2) ? "" : "soon";
  }
  return record;
}

std::vector<Record> random_records(Random &random, i64 most, const Shape &shape) {
  std::vector<Record> records;
  // The first ones show what the fields are.
  while (records.size() < 60) records.push_back(random_record(random, {.is_access_log = true}));
  for (i64 i = pick(random, 0, most); i > 0; --i) records.push_back(random_record(random, shape));
  return records;
}

string text_of(const std::optional<i64> &number) { return number ? std::to_string(*number) : ""; }

// What `fields` prints: by user, the number of records, the sum of bytes, the last second, the sum
// of a quarter of the bytes, and how many values are missing.
string users_of(const std::vector<Record> &records) {
  struct Row {
    i64 records = 0, missing = 0;
    std::optional<i64> bytes, last, quarters;
  };
  std::map<string, Row> rows;
  for (const Record &record : records) {
    if (record.user && record.user->size() > 3 && record.user->starts_with("bad")) continue;
    Row &row = rows[record.user.value_or("(none)")];
    ++row.records;
    row.missing += !record.user + !record.bytes + !record.time;
    if (record.bytes) row.bytes = row.bytes.value_or(0) + *record.bytes;
    if (record.bytes) row.quarters = row.quarters.value_or(0) + *record.bytes / 4;
    if (record.time) row.last = std::max(row.last.value_or(0), *record.time);
  }
  string text;
  for (const auto &[user, row] : rows) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", user, row.records, text_of(row.bytes),
                        text_of(row.last), text_of(row.quarters), row.missing);
  }
  return text;
}

// What `clients` prints: by user and day, the number of records and the sum of bytes, and twice the
// most bytes.
string clients_of(const std::vector<Record> &records) {
  struct Row {
    i64 records = 0, bytes = 0, most = 0;
  };
  std::map<string, Row> rows;
  for (const Record &record : records) {
    if (!record.user || !record.time || record.user->starts_with("bad")) continue;
    Row &row = rows[fmt::format("{} {}", *record.user, *record.time / 86400)];
    ++row.records;
    row.bytes += record.bytes.value_or(0);
    row.most = std::max(row.most, 2 * record.bytes.value_or(0));
  }
  string text;
  for (const auto &[key, row] : rows) {
    text += fmt::format("{}\t{}/{}\t{}\n", key, row.records, row.bytes, row.most);
  }
  return text;
}

// ---- Formats -----------------------------------------------------------------------------------

// Each file has its columns in an order of its own, and one more.
string csv_of(Random &random, const std::vector<Record> &records) {
  std::vector<string> names = {"user", "bytes", "time", "note"};
  std::ranges::shuffle(names, random);
  const auto line = [&](auto value_of) {
    string text;
    for (const string &name : names) text += value_of(name) + ",";
    text.back() = '\n';
    return text;
  };
  string text = line([](const string &name) { return name; });
  for (const Record &record : records) {
    text += line([&](const string &name) -> string {
      if (name == "user") return record.user.value_or("");
      if (name == "bytes") return record.bytes_text;
      if (name == "time") return record.time_text;
      return one_in(random, 5) ? "\"a, \"\"note\"\"\n in lines\"" : "n";
    });
  }
  return text;
}

string json_of(Random &random, const std::vector<Record> &records) {
  string text;
  for (const Record &record : records) {
    std::vector<string> members = {fmt::format("\"time\":\"{}\"", record.time_text)};
    if (record.user) members.push_back(fmt::format("\"user\":\"{}\"", *record.user));
    if (!record.user && one_in(random, 2)) members.push_back("\"user\":null");
    members.push_back(record.bytes ? "\"bytes\":" + record.bytes_text
                                   : "\"bytes\":\"" + record.bytes_text + "\"");
    std::ranges::shuffle(members, random);
    text += fmt::format("{{{}}}\n", fmt::join(members, ","));
  }
  return text;
}

string access_log_of(const std::vector<Record> &records) {
  string text;
  for (const Record &record : records) {
    text += fmt::format("192.0.2.1 - {} [{}] \"GET /x HTTP/1.1\" 200 {}\n", *record.user,
                        time_text_of(*record.time, "%d/%b/%Y:%H:%M:%S +0000"), record.bytes_text);
  }
  return text;
}

// ---- Tests -------------------------------------------------------------------------------------

class PluginFields : public testing::TestWithParam<const char *> {
 protected:
  string shell(const string &command, int status = 0) const {
    const string line =
        fmt::format("cd {} && {{ {} ; }} >out 2>err </dev/null", folder_.path("."), command);
    EXPECT_EQ(run_shell(line), status << 8) << line << "\n" << folder_.read("err");
    return folder_.read("out");
  }
  string run(const string &plugin, const string &words, int status = 0) const {
    return shell(fmt::format("$MRC {} {} {}", job(plugin), words, GetParam()), status);
  }
  static string job(const string &plugin) {
    return "run --force-plugin " MRC_TEST_PLUGINS "/" + plugin + ".so";
  }
  bool says(const string &part) const { return folder_.read("err").find(part) != string::npos; }

  TemporaryFolder folder_;
  Random random_{first_seed()};
};
INSTANTIATE_TEST_SUITE_P(Ways, PluginFields,
                         testing::Values("-j1", "-j8 --split 7", "-j2 --memory 64K --split 512"));

TEST_P(PluginFields, OfCsvWithColumnsInAnyOrder) {
  const Shape shape = {.may_lack_time = true};
  const std::vector<Record> one = random_records(random_, 600, shape),
                            two = random_records(random_, 600, shape);
  folder_.write("1.csv", csv_of(random_, one));
  folder_.write("2.csv", csv_of(random_, two));
  std::vector<Record> all = one;
  all.insert(all.end(), two.begin(), two.end());
  EXPECT_EQ(run("fields", "1.csv 2.csv"), users_of(all));
  EXPECT_EQ(run("fields_in_cpp", "1.csv 2.csv"), clients_of(all));
  shell("gzip -k 1.csv && bzip2 -k 2.csv");
  EXPECT_EQ(run("fields", "1.csv.gz 2.csv.bz2"), users_of(all));
  EXPECT_EQ(shell(fmt::format("cat 1.csv | $MRC {} {}", job("fields"), GetParam())), users_of(one));
}

TEST_P(PluginFields, OfJson) {
  const auto records = random_records(random_, 900, {.may_lack_user = true, .may_lack_time = true});
  folder_.write("in", json_of(random_, records));
  EXPECT_EQ(run("fields", "in"), users_of(records));
  EXPECT_EQ(run("fields_in_cpp", "in"), clients_of(records));
}

TEST_P(PluginFields, OfAccessLogs) {
  const auto records = random_records(random_, 900, {.is_access_log = true});
  folder_.write("access.log", access_log_of(records));
  EXPECT_EQ(run("fields", "access.log"), users_of(records));
  EXPECT_EQ(run("fields_in_cpp", "access.log"), clients_of(records));
}

TEST_P(PluginFields, OfRecordsThatTheUserChooses) {
  const Shape shape = {.may_lack_time = true};
  const std::vector<Record> records = random_records(random_, 900, shape);
  folder_.write("in.csv", csv_of(random_, records));
  const auto chosen = [&](auto is_wanted) {
    std::vector<Record> some;
    std::ranges::copy_if(records, std::back_inserter(some), is_wanted);
    return some;
  };
  const auto of_many = chosen([](const Record &r) { return r.bytes && *r.bytes >= 4000; });
  EXPECT_EQ(run("fields", "-w 'bytes >= 4k' in.csv"), users_of(of_many));
  const auto late = chosen([](const Record &r) { return r.time && *r.time >= 1'793'836'800; });
  EXPECT_EQ(run("fields", "--since 2026-11-05 in.csv"), users_of(late));
  EXPECT_EQ(run("fields", "-w 'user == \"none at all\"' in.csv"), "");
}

TEST_P(PluginFields, InChains) {
  const std::vector<Record> records = random_records(random_, 400, {.may_lack_time = true});
  folder_.write("in.csv", csv_of(random_, records));
  const string after = fmt::format("then {}", job("fields"));
  const auto renamed =
      fmt::format("$MRC select -k 'user,size=bytes,time' {} in.csv {}", GetParam(), after);
  EXPECT_EQ(shell(renamed + " --fields bytes=size"), users_of(records));
  EXPECT_EQ(shell(fmt::format("$MRC select -w 'has(user)' {} in.csv {}", GetParam(), after)),
            users_of(records));
  const string sorted = run("fields", "in.csv then sort -k records:desc,user then select -k user");
  EXPECT_EQ(std::ranges::count(sorted, '\n'), std::ranges::count(users_of(records), '\n'));
  EXPECT_EQ(run("fields", "in.csv then stats -a sum:records"),
            std::to_string(std::ranges::count_if(
                records, [](const Record &r) { return !r.user->starts_with("bad"); })) +
                "\n");
}

TEST_P(PluginFields, MakeBadRecordsKnown) {
  folder_.write("in.csv", "user,bytes,time\na,1,2026-11-03\nbad1,2,2026-11-03\na,x,2026-11-04\n");
  EXPECT_EQ(run("fields", "--bad bad in.csv"), "a\t2\t1\t1793750400\t0\t1\n");
  EXPECT_TRUE(says("a bad user: bad1,2,2026-11-03")) << folder_.read("err");
  EXPECT_TRUE(says("2 values in 3 records do not fit")) << folder_.read("err");
  EXPECT_EQ(folder_.read("bad"), "bad1,2,2026-11-03\n");
  run("fields", "--strict in.csv", 2);
}

}  // namespace
}  // namespace mrc
