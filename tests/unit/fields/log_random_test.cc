// Logs of random values in many layouts, read back; and lines that are spoiled.
#include "kinds/timestamp_reader.h"
#include "unit/fields/random_values.h"
#include "unit/fields/read_records.h"

#include <fmt/format.h>

namespace mrc {
namespace {

constexpr const char *kLayouts[] = {
    "{time} {level} {logger}: {message}",
    "[{time}] [{level}] {message}",
    "{time} [{thread}] {level} {logger} - {message}",
    "{time} {pid} {thread} {level} {logger}: {message}",
    "{time}|{level}|{logger}|{message}",
    "{time} [{level}] {pid}#{thread}: {message}",
    "{level} [{thread}] {time} {logger} - {message}",
    "[{time}][{level}][{logger}] {message}",
    "{time} - {logger} - {level} - {message}",
    "{w1} {time} {pid} {level} {logger} {message}",
    "{time} {host} {program}[{pid}]: {message}",
    "{time} <{level}> ({logger}) {message}",
};

std::string fill(std::string layout, const Values &values) {
  for (const auto &[name, value] : values) {
    const size_t at = layout.find("{" + name + "}");
    if (at != std::string::npos) layout.replace(at, name.size() + 2, value);
  }
  return layout;
}

std::vector<std::string> names_of(const std::string &layout) {
  std::vector<std::string> names;
  for (size_t at = 0; (at = layout.find('{', at)) != std::string::npos; ++at) {
    names.push_back(layout.substr(at + 1, layout.find('}', at) - at - 1));
  }
  return names;
}

struct DrawnLog {
  std::string text;
  std::vector<std::string> lines;
  std::vector<std::vector<std::string>> rows;
};
DrawnLog random_log(const std::string &layout, const char *time, Random *random) {
  DrawnLog log;
  const std::vector<std::string> names = names_of(layout);
  for (int i = 0; i < 40; ++i) {
    Values values = random_values(time, random);
    // Thread is a number after another.
    if (layout.find("#{thread}") != std::string::npos ||
        layout.find("} {thread} ") != std::string::npos) {
      values["thread"] = random->digits(9999);
    }
    log.lines.push_back(fill(layout, values));
    log.text += log.lines.back() + "\n";
    std::vector<std::string> &row = log.rows.emplace_back();
    for (const std::string &name : names) row.push_back(values[name]);
  }
  return log;
}

TEST(DrawnLog, IsReadBack) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  for (const char *layout : kLayouts) {
    for (const char *time : kTimes) {
      const DrawnLog log = random_log(layout, time, &random);
      const Result<Dialect> dialect = sniff({.names_fields = true}, log.text, true);
      ASSERT_TRUE(dialect.is_ok());
      // "Jun 14 15:16:01 - ..." is taken for a host that is not known.
      if (dialect->format == &LineFormat::syslog) continue;
      const ReadRecords read = read_records(*dialect, names_of(layout), log.text);
      ASSERT_EQ(read.rows.size(), log.rows.size()) << log.lines[0];
      for (size_t i = 0; i < log.rows.size(); ++i)
        EXPECT_EQ(read.rows[i], log.rows[i]) << log.lines[i];
      expect_same_by_pattern(*dialect, log.text);
    }
  }
}

// 2015 may be a year, so a line of syslog with a host and a message begins like this one.
TEST(DrawnLog, IsInNoWrapperIfNumbersLookLikeYears) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("2006-10-20T16:31:{:02}Z {} 9072 INFO a.b: took 5 ms\n", i,
                        i % 20 == 3 ? 2015 : 10489);
  }
  const Result<Dialect> dialect = sniff({.names_fields = true}, text, true);
  ASSERT_TRUE(dialect.is_ok());
  const ReadRecords read = read_records(*dialect, {"pid", "thread", "message"}, text);
  ASSERT_EQ(read.rows.size(), 40u);
  EXPECT_EQ(read.rows[3], (std::vector<std::string>{"2015", "9072", "took 5 ms"}));
  EXPECT_EQ(read.rows[4], (std::vector<std::string>{"10489", "9072", "took 5 ms"}));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// A field has the same values whether the others are read or not.
void expect_drawn_alone(const Dialect &dialect, const std::vector<std::string> &names,
                        const std::string &text) {
  const ReadRecords all = read_records(dialect, names, text);
  for (size_t i = 0; i < names.size(); ++i) {
    const ReadRecords alone = read_records(dialect, {names[i]}, text);
    ASSERT_EQ(alone.rows.size(), all.rows.size());
    for (size_t row = 0; row < all.rows.size(); ++row) {
      ASSERT_EQ(alone.rows[row][0], all.rows[row][i]) << all.records[row];
    }
  }
}

// Whatever happens to a line, a time or a level is a whole word of it.
TEST(DrawnLog, HasNoFieldsOfPartsOfWords) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  constexpr char kBytes[] = " :[]|-0aZ.{\t";
  for (const std::string layout : kLayouts) {
    if (layout.find("{level}") == std::string::npos) continue;
    const DrawnLog log = random_log(layout, random.one_of(kTimes), &random);
    const Result<Dialect> dialect = sniff({.names_fields = true}, log.text, true);
    ASSERT_TRUE(dialect.is_ok());
    if (dialect->format != &LineFormat::log) continue;
    std::string spoiled;
    for (int i = 0; i < 10000; ++i) {
      std::string line = log.lines[random.below(log.lines.size())];
      for (size_t changes = 1 + random.below(3); changes > 0; --changes) {
        const size_t at = random.below(line.size());
        if (random.below(2) == 0) {
          line[at] = kBytes[random.below(sizeof kBytes - 1)];
        } else {
          line.erase(at, 1 + random.below(3));
        }
        if (line.empty()) line = "x";
      }
      spoiled += line + "\n";
    }
    const ReadRecords read = read_records(*dialect, {"time", "level"}, spoiled);
    expect_drawn_alone(*dialect, names_of(layout), spoiled);
    Dialect any_form = *dialect;  // as a pattern has it
    any_form.time_form = {};
    expect_same_by_pattern(any_form, spoiled);
    for (size_t i = 0; i < read.rows.size(); ++i) {
      for (const std::string &value : read.rows[i]) {
        if (value == kMissing) continue;
        const std::string line = " " + read.records[i] + " ";
        bool whole = false;
        for (size_t at = 0; (at = line.find(value, at)) != std::string::npos; ++at) {
          whole |= !is_word(line[at - 1]) && !is_word(line[at + value.size()]);
        }
        ASSERT_TRUE(whole) << value << " of " << read.records[i];
      }
    }
  }
}

// The C library writes what is found again, whatever follows.
TEST(DrawnLog, TimesAreFoundAtTheirSize) {
  Random random(first_seed());
  for (const char *format : kTimes) {
    for (int i = 0; i < 1000; ++i) {
      const std::string time = time_text(format, &random), line = time + " message 12:30 x";
      ASSERT_EQ(find_timestamp(line).size, std::ssize(time)) << line;
    }
  }
}

// The size does not depend on the times before it.
TEST(DrawnLog, TimesHaveOneSize) {
  Random random(first_seed());
  for (int i = 0; i < 100'000; ++i) {
    std::string line = time_text(random.one_of(kTimes), &random) + " message";
    if (random.below(2) == 0) line[random.below(line.size())] = "0123459:-/. ]"[random.below(13)];
    ASSERT_EQ(timestamp_size(line), find_timestamp(line).size) << line;
  }
}

}  // namespace
}  // namespace mrc
