#include "cmd/help_entries.h"

#include "combine/aggregates.h"
#include "expr/expr.h"
#include "expr/inner/functions.h"
#include "fields/fields.h"
#include "output/output.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

bool has_line(const std::string &text, const std::string &line) {
  return ("\n" + text).find("\n" + line) != std::string::npos;
}

TEST(HelpEntries, HaveAllFunctions) {
  for (const std::string &name : function_names()) {
    EXPECT_TRUE(has_line(help_of_name(name), name + ": a function, in FUNCTIONS of")) << name;
  }
}

TEST(HelpEntries, HaveAllAggregates) {
  for (const AggregateHelp &row : aggregate_help()) {
    const std::string name = row.name, word = name.substr(0, name.find('('));
    EXPECT_TRUE(has_line(help_of_name(name), name + ": an aggregate, in FUNCTIONS of")) << name;
    EXPECT_TRUE(has_line(help_of_name(word), word + ": an aggregate, in FUNCTIONS of")) << word;
  }
}

// The error about an unknown bucket lists all of them.
TEST(HelpEntries, HaveAllBucketsAndKinds) {
  const std::string list = parse_bucket("none", {}, {}).status().message();
  i64 found = 0;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find_first_of(" ,;", at), list.size());
    const std::string word = list.substr(at, end - at);
    at = end + 1;
    const auto bucket = parse_bucket(word, {}, {});
    if (word.empty() || !bucket.is_ok() || *bucket == nullptr) continue;
    ++found;
    const std::string text = help_of_name("x:" + word);
    const bool is_there = has_line(text, "x:" + word + ": a bucket, in BUCKETS of") ||
                          has_line(text, "x:" + word + ": a kind, in KINDS of");
    EXPECT_TRUE(is_there) << word;
  }
  EXPECT_GT(found, 25);
}

TEST(HelpEntries, HaveAllFormats) {
  for (const LineFormat *format : line_formats()) {
    const std::string name = format->name;
    EXPECT_TRUE(has_line(help_of_name(name), name + ": a format, in ")) << name;
  }
  for (const OutputFormat *format : kOutputFormats) {
    const std::string name = format->name;
    EXPECT_TRUE(has_line(help_of_name(name), name + ": an output format, in OUTPUT of")) << name;
  }
}

TEST(HelpEntries, AreOfOneNameAndHaveShortLines) {
  for (const Entry &entry : all_entries()) {
    EXPECT_FALSE(entry.names.empty()) << entry.text;
    EXPECT_GT(std::ranges::count(entry.text, '\n'), 0) << entry.text;
    for (const std::string &name : entry.names) {
      const std::string text = help_of_name(name);
      EXPECT_NE(text.find(entry.place), std::string::npos) << name;
      EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << name;
    }
  }
}

TEST(HelpEntries, AreFoundByAnyNumberAndByParts) {
  for (const char *name : {"p95", "p99.9", "p95i", "p50~", "top3", "p95:bytes", "sum:bytes"}) {
    EXPECT_TRUE(has_line(help_of_name(name), std::string(name) + ": an aggregate,")) << name;
  }
  for (const char *name : {"15m", "7d", "25", "0.25", "10k", "2M", "8Ki", "/16", "/8/32", "hash/9",
                           "time:hour", "bytes:1k", "quarter", "ip:/24"}) {
    EXPECT_TRUE(has_line(help_of_name(name), std::string(name) + ": a bucket,")) << name;
  }
  EXPECT_TRUE(has_line(help_of_name("nginx:$remote_addr"), "nginx:$remote_addr: a format,"));
  EXPECT_TRUE(has_line(help_of_name("cumsum(x)"), "cumsum(x): a function,"));
  EXPECT_EQ(help_of_name("time:hour").find("hour(t)"), std::string::npos);
}

TEST(HelpEntries, AreNotFoundByOtherNames) {
  for (const char *name : {"", "(", ":", ":x", "x:", "log7", "shop", "Order", "N", "cumsu"}) {
    EXPECT_EQ(help_of_name(name), "") << name;
  }
}

TEST(HelpEntries, HaveNamesForCompletion) {
  const std::vector<std::string> names = names_of_entries();
  for (const char *name : {"cumsum", "quarter", "haproxy", "markdown", "p", "stddev"}) {
    const bool is_there = std::ranges::find(names, name) != names.end();
    EXPECT_EQ(is_there, std::string(name) != "p") << name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(names));
}

}  // namespace
}  // namespace mrc
