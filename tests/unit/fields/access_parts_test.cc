// Access logs with other parts than common and combined: by hand, and of random values in many
// layouts, read back.
#include "support/random.h"
#include "support/seed.h"
#include "unit/fields/read_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Row = std::vector<std::string>;

const std::vector<std::string> kProtected = {"ip", "time", "status", "bytes"};

Dialect sniffed(const std::string &text, std::vector<std::string> named) {
  return *sniff({.names_fields = true, .named = std::move(named)}, text, true);
}

// Returns ip, time, status and bytes of a line, with a clock in place of the time.
Row read_line(const std::string &line) {
  const std::string text = line + "\n" + line + "\n";
  const Dialect dialect = sniffed(text, kProtected);
  EXPECT_STREQ(dialect.format->name, "access") << line;
  const ReadRecords records = read_records(dialect, kProtected, text);
  if (records.rows.size() != 2) return {"bad"};
  EXPECT_EQ(records.rows[1], records.rows[0]);
  Row row = records.rows[0];
  std::ranges::replace(row, kMissing, "");
  EXPECT_EQ(row[1], "30/Jul/2024:00:06:21 +0000") << line;
  row.erase(row.begin() + 1);
  return row;
}

const std::string kTime = "[30/Jul/2024:00:06:21 +0000]", kGet = "\"GET /d HTTP/1.1\"";

TEST(AccessParts, HaveAClientInFrontOfTheTimeOrAfterIt) {
  const std::string rest = " [x] " + kGet + " 200 826";
  const auto ip_of = [&](const std::string &front) { return read_line(front + rest)[0]; };
  EXPECT_EQ(ip_of("10.0.0.1 - - " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("10.0.0.1:77 - ann " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("10.0.0.1 " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("10.0.0.1 (192.0.2.1) - - " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("[2001:db8::7]:443 - - " + kTime), "2001:db8::7");
  EXPECT_EQ(ip_of("\"10.0.0.1\" \"-\" " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("a.example 10.0.0.1 - - " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of("a.example 10.0.0.1 " + kTime), "10.0.0.1");
  EXPECT_EQ(ip_of(kTime + " 10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(ip_of(kTime + " 10.0.0.1 - bob"), "10.0.0.1");
  EXPECT_EQ(ip_of(kTime + " a.example 10.0.0.1"), "10.0.0.1");
}

TEST(AccessParts, HaveNoClientIfItIsNotClear) {
  const std::string rest = " [x] " + kGet + " 200 826\n";
  for (const std::string front :
       {"10.0.0.1 10.0.0.2 10.0.0.3 ", "x y 10.0.0.1 ", "nginx: 10.0.0.1 ", "up 10.0.0.1 "}) {
    const std::string line = front + kTime + rest;
    const Dialect dialect = sniffed(line + line, {"time"});
    EXPECT_STRNE(dialect.format->name, "access") << line;
  }
}

TEST(AccessParts, HaveAStatusRightAfterTheRequest) {
  const std::string front = "10.0.0.1 - - " + kTime + " [x] " + kGet + " ";
  const auto read = [&](const std::string &rest) {
    const Row row = read_line(front + rest);
    return row[1] + "," + row[2];
  };
  EXPECT_EQ(read("200 826"), "200,826");
  EXPECT_EQ(read("\"404\" \"826\" x"), "404,826");
  EXPECT_EQ(read("[404] 826"), "404,826");
  EXPECT_EQ(read("404 -"), "404,-");
  EXPECT_EQ(read("404"), "404,");
  EXPECT_EQ(read("404 \"-\" \"UA\""), "404,");
  EXPECT_EQ(read("404 0.003 826"), "404,");
  EXPECT_EQ(read("0.003 404 826"), ",");
  EXPECT_EQ(read("826 404"), ",");
  EXPECT_EQ(read("(404) 826"), ",");
}

// A log of one layout: its lines, and the values in them. A value that is not there is empty.
struct RandomLog {
  std::string text;
  std::vector<Row> rows;
};

class AccessLogs {
 public:
  explicit AccessLogs(u64 seed) : random_(seed) {}

  RandomLog next() {
    const std::string separator = one_of<std::string>(random_, {" ", " ", "\t", " | ", "|"});
    const i64 front = pick(random_, 0, 5), between = pick(random_, 0, 3);
    const i64 after = pick(random_, 0, 3), status = pick(random_, 0, 3);
    RandomLog log;
    const i64 first_part = pick(random_, 0, 5);
    for (int line = 0; line < 20; ++line) {
      Row row = {ip(), time(), one_of<std::string>(random_, {"200", "304", "404", "500"}),
                 std::to_string(pick(random_, 0, 99999))};
      std::vector<std::string> parts = front_of(front, row[0]);
      const auto at = front == 5 ? parts.begin() : parts.end();
      parts.insert(at, "[" + row[1] + "]");
      for (i64 i = 0; i < between; ++i) parts.push_back(other(first_part + i));
      parts.push_back("\"GET /" + std::to_string(pick(random_, 0, 9)) + " HTTP/1.1\"");
      add_answer(status, &row, &parts);
      for (i64 i = 0; i < after; ++i) parts.push_back(other(first_part + i + 1));
      log.text += fmt::format("{}\n", fmt::join(parts, separator));
      log.rows.push_back(row);
    }
    return log;
  }

 private:
  std::string ip() {
    if (one_in(random_, 5)) return fmt::format("2001:db8::{:x}", pick(random_, 1, 65535));
    return fmt::format("10.{}.{}.{}", pick(random_, 0, 255), pick(random_, 0, 255),
                       pick(random_, 0, 255));
  }
  std::string time() {
    return fmt::format("{:02}/Jul/2024:{:02}:06:{:02} +0000", pick(random_, 1, 31),
                       pick(random_, 0, 23), pick(random_, 0, 59));
  }
  std::vector<std::string> front_of(i64 kind, const std::string &ip) {
    switch (kind) {
      case 0: return {ip, "-", "-"};
      case 1: return {ip, "(" + this->ip() + ")", "-", "ann"};
      case 2: return {"a.example", ip, "-", "-"};
      case 3: return {ip};
      case 4: return {"\"" + ip + "\"", "-", "bob"};
      default: return {ip, "-", "-"};  // after the time
    }
  }
  // A part that is none of the protected fields.
  std::string other(i64 kind) {
    switch (kind % 6) {
      case 0: return fmt::format("[0.{:03}]", pick(random_, 0, 999));
      case 1: return "a.example";
      case 2: return fmt::format("0.{:03}", pick(random_, 0, 999));
      case 3: return fmt::format("[id-{}]", pick(random_, 0, 999));
      case 4: return fmt::format("up={}", pick(random_, 100, 599));
      default: return "\"x y\"";
    }
  }
  void add_answer(i64 kind, Row *row, std::vector<std::string> *parts) {
    if (kind == 0) {
      parts->push_back((*row)[2]);
      parts->push_back((*row)[3]);
    } else if (kind == 1) {
      parts->push_back("\"" + (*row)[2] + "\"");
      parts->push_back("\"" + (*row)[3] + "\"");
    } else {
      if (kind == 2) parts->push_back((*row)[2]);
      if (kind == 3) (*row)[2] = "";
      (*row)[3] = "";
      parts->push_back("[end]");
    }
  }

  Random random_;
};

// Compares fields with the values in the log. Returns how many are there, of those that should be.
void compare(const RandomLog &log, const std::vector<std::string> &names, i64 *found, i64 *all) {
  const Result<Dialect> dialect = sniff({.names_fields = true, .named = names}, log.text, true);
  ASSERT_TRUE(dialect.is_ok());
  *all += std::ssize(log.rows) * std::ssize(names);
  if (!make_reader(*dialect, fields(names)).is_ok()) return;
  const ReadRecords records = read_records(*dialect, names, log.text);
  if (records.rows.size() != log.rows.size()) return;  // some are bad, and counted
  for (size_t i = 0; i < log.rows.size(); ++i) {
    for (size_t k = 0; k < names.size(); ++k) {
      const size_t field =
          static_cast<size_t>(std::ranges::find(kProtected, names[k]) - kProtected.begin());
      const std::string &read = records.rows[i][k];
      const std::string value = read == kMissing || read == "-" ? "" : read;
      EXPECT_TRUE(value.empty() || value == log.rows[i][field])
          << dialect->format->name << ": " << names[k] << " is " << value << " in\n"
          << log.text.substr(0, log.text.find('\n'));
      *found += value == log.rows[i][field];
    }
  }
}

TEST(AccessParts, AreRightOrMissingInAnyLayout) {
  AccessLogs logs(first_seed());
  i64 found = 0, all = 0, found_alone = 0, all_alone = 0;
  for (i64 round = 0; round < 300 * rounds(); ++round) {
    const RandomLog log = logs.next();
    compare(log, kProtected, &found, &all);
    for (const std::string &name : kProtected) compare(log, {name}, &found_alone, &all_alone);
    if (HasFailure()) return;
  }
  EXPECT_GT(found * 10, all * 9);
}

}  // namespace
}  // namespace mrc
