// Logs of random values in many layouts, read back; and lines that are spoiled.
#include "kinds/timestamp_reader.h"
#include "unit/fields/read_records.h"

#include <ctime>
#include <map>
#include <random>

namespace mrc {
namespace {

using Values = std::map<std::string, std::string>;

class Random {
 public:
  explicit Random(u64 seed) : random_(seed) {}

  size_t below(size_t end) { return random_() % end; }
  template <typename T, size_t kSize>
  T one_of(const T (&all)[kSize]) {
    return all[below(kSize)];
  }
  std::string letters(size_t most) {
    std::string text;
    for (size_t i = 0; i <= below(most); ++i) text += static_cast<char>('a' + below(26));
    return text;
  }
  std::string digits(size_t most) { return std::to_string(1 + below(most)); }

 private:
  std::mt19937_64 random_;
};

constexpr const char *kTimes[] = {
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ",   "%Y/%m/%d %H:%M:%S", "%y/%m/%d %H:%M:%S",
    "%y%m%d %H%M%S",     "%d/%b/%Y:%H:%M:%S",    "%d-%b-%Y %H:%M:%S", "%b %e %H:%M:%S",
    "%m-%d %H:%M:%S",    "%a %b %d %H:%M:%S %Y", "%m/%d/%Y-%H:%M:%S", "%d.%m.%Y %H:%M:%S",
    "%Y%m%d-%H:%M:%S",   "%m%d %H:%M:%S.000001", "%Y-%b-%d %H:%M:%S", "%s",
    "%d %b %Y %H:%M:%S", "%Y-%m-%d-%H.%M.%S"};

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

std::string time_text(const char *format, Random *random) {
  const time_t time = static_cast<time_t>(1'100'000'000 + random->below(600'000'000));
  tm date;
  gmtime_r(&time, &date);
  char text[64];
  return {text, strftime(text, sizeof text, format, &date)};
}

Values random_values(const char *time_format, Random *random) {
  constexpr const char *kLevels[] = {"INFO", "WARN", "ERROR", "debug", "Notice"};
  constexpr const char *kThreads[] = {"main", "pool-1-thread-2", "http-nio-80-exec-7"};
  constexpr const char *kMessages[] = {"started",       "took 5 ms", "from 10.0.0.1: closed",
                                       "a [b] (c) - d", "x=1, y=2",  ""};
  return {{"time", time_text(time_format, random)},
          {"level", random->one_of(kLevels)},
          {"pid", random->digits(99999)},
          {"thread", random->one_of(kThreads)},
          {"logger", random->letters(4) + "." + random->letters(8)},
          {"host", "web-" + random->letters(8)},
          {"program", random->letters(8)},
          {"w1", "file-" + random->digits(9)},
          {"message", random->one_of(kMessages)}};
}

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

struct RandomLog {
  std::string text;
  std::vector<std::string> lines;
  std::vector<std::vector<std::string>> rows;
};
RandomLog random_log(const std::string &layout, const char *time, Random *random) {
  RandomLog log;
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

TEST(RandomLog, IsReadBack) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  for (const char *layout : kLayouts) {
    for (const char *time : kTimes) {
      const RandomLog log = random_log(layout, time, &random);
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

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// A field has the same values whether the others are read or not.
void expect_same_alone(const Dialect &dialect, const std::vector<std::string> &names,
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
TEST(RandomLog, HasNoFieldsOfPartsOfWords) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  constexpr char kBytes[] = " :[]|-0aZ.{\t";
  for (const std::string layout : kLayouts) {
    if (layout.find("{level}") == std::string::npos) continue;
    const RandomLog log = random_log(layout, random.one_of(kTimes), &random);
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
    expect_same_alone(*dialect, names_of(layout), spoiled);
    expect_same_by_pattern(*dialect, spoiled);
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
TEST(RandomLog, TimesAreFoundAtTheirSize) {
  Random random(first_seed());
  for (const char *format : kTimes) {
    for (int i = 0; i < 1000; ++i) {
      const std::string time = time_text(format, &random), line = time + " message 12:30 x";
      ASSERT_EQ(find_timestamp(line).size, std::ssize(time)) << line;
    }
  }
}

// The size does not depend on the times before it.
TEST(RandomLog, TimesHaveOneSize) {
  Random random(first_seed());
  for (int i = 0; i < 100'000; ++i) {
    std::string line = time_text(random.one_of(kTimes), &random) + " message";
    if (random.below(2) == 0) line[random.below(line.size())] = "0123459:-/. ]"[random.below(13)];
    ASSERT_EQ(timestamp_size(line), find_timestamp(line).size) << line;
  }
}

}  // namespace
}  // namespace mrc
