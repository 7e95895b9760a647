#include "cmd/config_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace mrc {
namespace {

std::vector<std::string> pairs(const std::string &text) {
  std::vector<std::string> all;
  const auto options = read_configured_options(text, "file");
  EXPECT_TRUE(options.is_ok()) << options.status().message();
  if (!options.is_ok()) return all;
  for (const ConfiguredOption &option : *options) all.push_back(option.name + "|" + option.value);
  return all;
}

std::string error(const std::string &text) {
  return read_configured_options(text, "file").status().message();
}

TEST(ConfigFile, HasAnOptionInEachLine) {
  using Pairs = std::vector<std::string>;
  EXPECT_EQ(pairs(""), Pairs());
  EXPECT_EQ(pairs("\n# --top 3\n  \n"), Pairs());
  EXPECT_EQ(pairs("--threads 8\n--memory=1G\r\n \t--tmpdir  /a b \n--color\tnever"),
            Pairs({"--threads|8", "--memory|1G", "--tmpdir|/a b", "--color|never"}));
}

TEST(ConfigFile, RefusesOtherOptionsAndValues) {
  EXPECT_EQ(error("--color never\n--top 3\n"),
            "file:2: --top cannot be set here; --color, --threads, --memory, --tmpdir, --progress "
            "can");
  EXPECT_EQ(error("\n-j 3"),
            "file:2: -j cannot be set here; --color, --threads, --memory, "
            "--tmpdir, --progress can");
  EXPECT_EQ(error("--threads"), "file:1: --threads needs a value");
  EXPECT_EQ(error("--threads =\n"), "file:1: --threads: \"=\" is not a whole number");
  EXPECT_NE(error("--threads 0"), "");
  EXPECT_NE(error("--memory much"), "");
  EXPECT_NE(error("threads 3"), "");
}

TEST(ConfigFile, AddsWhatIsNotTypedAfterTheVerb) {
  const std::string path = testing::TempDir() + "config-file";
  std::ofstream(path) << "--threads 3\n--memory 64M\n";
  setenv("MRC_CONFIG_PATH", path.c_str(), 1);
  using Words = std::vector<std::string>;
  const auto added = [](Words words) {
    EXPECT_TRUE(add_configured_options(&words).is_ok());
    return words;
  };
  EXPECT_EQ(added({"count", "f"}), Words({"count", "--threads", "3", "--memory", "64M", "f"}));
  EXPECT_EQ(added({"count", "-j2"}), Words({"count", "--memory", "64M", "-j2"}));
  EXPECT_EQ(added({"sort", "then", "count", "--memory=1G"}),
            Words({"sort", "--threads", "3", "then", "count", "--memory=1G"}));
  EXPECT_EQ(added({"help", "x"}), Words({"help", "x"}));
  EXPECT_EQ(added({"--version"}), Words({"--version"}));
  EXPECT_EQ(added({}), Words());
  std::ofstream(path) << "--top 3\n";
  Words words = {"count"};
  EXPECT_FALSE(add_configured_options(&words).is_ok());
  EXPECT_EQ(words, Words({"count"}));
  setenv("MRC_CONFIG_PATH", "/none/there", 1);
  EXPECT_EQ(add_configured_options(&words).message(),
            "MRC_CONFIG_PATH: /none/there: No such file or directory");
  setenv("MRC_CONFIG_PATH", "", 1);
  EXPECT_EQ(added({"count"}), Words({"count"}));
  unsetenv("MRC_CONFIG_PATH");
}

}  // namespace
}  // namespace mrc
