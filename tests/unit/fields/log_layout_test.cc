#include "fields/inner/log_layout.h"

#include "fields/inner/make_line_reader.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Texts = std::vector<std::string>;

// A text that may be over-read.
class Padded {
 public:
  explicit Padded(const std::string &text) : text_(text + std::string(kPadding, '\0')) {}
  Bytes bytes() const { return Bytes(text_).substr(0, text_.size() - kPadding); }

 private:
  std::string text_;
};

// The values of a line, of which the last one is the message; nothing if it has no front.
Texts values_of(const std::string &pattern, const std::string &line) {
  const LogLayout layout(*Pattern::compile("%~" + pattern));
  const Padded padded(line);
  LogValues found;
  if (!layout.match(padded.bytes(), &found)) return {};
  Texts values;
  for (size_t i = 0; i < found.known; ++i) values.emplace_back(found.values[i].bytes());
  if (found.known <= layout.rest()) values.emplace_back(found.values[layout.rest()].bytes());
  return values;
}

TEST(LogLayout, EndsValuesBeforePaddedSeparators) {
  const std::string colon = "%{time} %{level} : %{message}";
  EXPECT_EQ(values_of(colon, "10:00:00 INFO : one"), (Texts{"10:00:00", "INFO", "one"}));
  EXPECT_EQ(values_of(colon, "10:00:00 ERROR: two"), (Texts{"10:00:00", "ERROR", "two"}));
  EXPECT_EQ(values_of("%{time} %{w} | %{message}", "10:00:00 abc| x | y"),
            (Texts{"10:00:00", "abc", "x | y"}));
  EXPECT_EQ(values_of("%{time} %{level} :%{message}", "10:00:00 ERROR:two : x"),
            (Texts{"10:00:00", "ERROR", "two : x"}));
}

TEST(LogLayout, EndsValuesAtColons) {
  const std::string layout = "%{time} %{level}:%{logger}:%{message}";
  EXPECT_EQ(values_of(layout, "10:00:00 INFO:a.b:up"), (Texts{"10:00:00", "INFO", "a.b", "up"}));
  EXPECT_EQ(values_of(layout, "10:00:00 INFO:a::b:up: x"),
            (Texts{"10:00:00", "INFO", "a::b", "up: x"}));
  EXPECT_EQ(values_of("%{time}::%{level}::%{message}", "10:00:00::INFO::up"),
            (Texts{"10:00:00", "INFO", "up"}));
  EXPECT_EQ(values_of("%{time} %{level} %{message}", "10:00:00 INFO: up"),
            (Texts{"10:00:00", "INFO", "up"}));
}

// A word or a number is a value only if what follows it in the layout does so in the line.
TEST(LogLayout, NeedsWhatFollowsValues) {
  const std::string layout = "%{time} %{pid:int} %{level} %{logger}: %{message}";
  EXPECT_EQ(values_of(layout, "10:00:00 7 INFO a: x"), (Texts{"10:00:00", "7", "INFO", "a", "x"}));
  EXPECT_EQ(values_of(layout, "10:00:00 17 birds came"), (Texts{"10:00:00", "17 birds came"}));
  EXPECT_EQ(values_of(layout, "10:00:00 7 INFO two words: x"),
            (Texts{"10:00:00", "7", "INFO", "two words: x"}));
  EXPECT_EQ(values_of("%{time} %{host} %{program}[%{pid:int}]: %{message}", "10:00:00 a b: x"),
            (Texts{"10:00:00", "a b: x"}));
}

TEST(LogLayout, BeginsNoMessageWithSeparators) {
  EXPECT_EQ(values_of("[%{time}] %{level} - %{message}", "[10:00:00] x"), (Texts{"10:00:00", "x"}));
  EXPECT_EQ(values_of("%{time} - %{level} - %{message}", "10:00:00 - x y"),
            (Texts{"10:00:00", "x y"}));
  EXPECT_EQ(values_of("%{time} - %{message}", "10:00:00 -5 degrees"),
            (Texts{"10:00:00", "-5 degrees"}));
  EXPECT_EQ(values_of("%{time} pid=%{pid:int} %{message}", "10:00:00 pid=x y"),
            (Texts{"10:00:00", "pid=x y"}));
  EXPECT_EQ(values_of("[%{time}] %{message}", "[10:00:00]: x"), (Texts{"10:00:00", "x"}));
  EXPECT_EQ(values_of("%{time} %{message}", "10:00:00 [x] y"), (Texts{"10:00:00", "[x] y"}));
}

TEST(LogLayout, LearnsGaps) {
  EXPECT_EQ(common_gap({"] ", "] - "}), "] ");
  EXPECT_EQ(common_gap({" : ", ": ", " : "}), " : ");
  EXPECT_EQ(common_gap({"|", "| ", " |"}), " | ");
  EXPECT_EQ(common_gap({":", ": "}), ":");
  EXPECT_EQ(common_gap({": ", ": "}), ": ");
  EXPECT_EQ(common_gap({" --- ", " --- "}), " --- ");
  EXPECT_EQ(common_gap({":", "|"}), "");
  EXPECT_EQ(common_gap({"", ""}), "");
  EXPECT_EQ(common_gap({"", " "}), " ");
}

bool varied(const Texts &texts) {
  std::vector<Padded> padded(texts.begin(), texts.end());
  std::vector<Bytes> all;
  for (const Padded &text : padded) all.push_back(text.bytes());
  return are_varied(all);
}

TEST(LogLayout, TellsMessagesThatAreAlike) {
  EXPECT_TRUE(varied({" starting up", " took 5 ms", " lost it"}));
  EXPECT_FALSE(varied({" user bob failed", " user ann failed"}));
  EXPECT_FALSE(varied({" bob failed", " ann failed"}));
  EXPECT_FALSE(varied({" took 5 ms", " took 17 ms"}));
  EXPECT_FALSE(varied({" [1] took 5 ms", " [2] took 17 ms"}));
  EXPECT_FALSE(varied({"", ""}));
  EXPECT_FALSE(varied({" once"}));
}

TEST(LogLayout, TellsLinesWithATimeOfTheirOwn) {
  for (const char *line :
       {"2024-05-01 10:00:01 x", "[2024-05-01 10:00:01] x", "<34>Oct 11 22:14:15 h su: x",
        "10.0.0.1 - - [01/May/2024:10:00:01 +0000] \"GET / HTTP/1.1\" 200 5",
        "a.example 10.0.0.1 - - [01/May/2024:10:00:01 +0000] \"GET / HTTP/1.1\" 200 5"}) {
    EXPECT_TRUE(has_own_time(Padded(line).bytes())) << line;
  }
  for (const char *line : {"", " 2024-05-01 10:00:01 x", "10:00:01 x", "1714557601 x", "at [1] x",
                           "Date: Wed, 01 May 2024 10:00:01 GMT", "since [2024-05-01 10:00:01]",
                           "Caused by: x", "2024-05-01", "<", "<34>x"}) {
    EXPECT_FALSE(has_own_time(Padded(line).bytes())) << line;
  }
}

}  // namespace
}  // namespace mrc
