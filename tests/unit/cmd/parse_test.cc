#include "cmd/parse.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

// The ask of `mrc wordcount <arguments>`, which must be right.
Ask parsed_words(const Strings &arguments) {
  Ask ask;
  Status status = parse(*find_verb("wordcount"), arguments, &ask);
  EXPECT_TRUE(status.is_ok()) << status.message();
  return ask;
}

std::string error_of(const Strings &arguments, const char *verb = "wordcount") {
  Ask ask;
  Status status = parse(*find_verb(verb), arguments, &ask);
  return status.is_ok() ? "no error" : status.message();
}

TEST(Parse, LeavesTheDefaultsWithoutArguments) {
  Ask ask = parsed_words({});
  EXPECT_TRUE(ask.arguments.empty());
  EXPECT_EQ(ask.run.output, "-");
  EXPECT_EQ(ask.top, -1);
  EXPECT_FALSE(ask.run.threads.has_value());
  EXPECT_EQ(ask.help, Ask::Help::none);
}

TEST(Parse, TakesValuesInEverySpelling) {
  for (const Strings &arguments :
       {Strings{"-j8"}, {"-j", "8"}, {"--threads", "8"}, {"--threads=8"}}) {
    EXPECT_EQ(parsed_words(arguments).run.threads, 8) << arguments[0];
  }
  EXPECT_EQ(parsed_words({"--by=count,word"}).by, "count,word");
  EXPECT_EQ(parsed_words({"-o", "a=b"}).run.output, "a=b");
  EXPECT_EQ(parsed_words({"--output=a=b"}).run.output, "a=b");
}

TEST(Parse, TakesOptionsBetweenAndBehindFiles) {
  Ask ask = parsed_words({"a", "--top", "5", "b", "-i", "c", "-j", "2"});
  EXPECT_EQ(ask.arguments, (Strings{"a", "b", "c"}));
  EXPECT_EQ(ask.top, 5);
  EXPECT_EQ(ask.run.threads, 2);
  EXPECT_TRUE(ask.ignore_case);
}

TEST(Parse, TakesAllForFilesBehindTwoDashes) {
  Ask ask = parsed_words({"-i", "a", "--", "-i", "--top", "-", "--", "--nonsense"});
  EXPECT_EQ(ask.arguments, (Strings{"a", "-i", "--top", "-", "--", "--nonsense"}));
  EXPECT_EQ(ask.top, -1);
}

TEST(Parse, TakesADashForAFile) {
  EXPECT_EQ(parsed_words({"-"}).arguments, Strings{"-"});
  EXPECT_EQ(parsed_words({"a", "-", "b", "-i"}).arguments, (Strings{"a", "-", "b"}));
  EXPECT_EQ(parsed_words({"-o", "-", "a"}).run.output, "-");
}

TEST(Parse, LetsTheLastOneWin) {
  EXPECT_EQ(parsed_words({"--top", "1", "--top", "2", "--top=3"}).top, 3);
  EXPECT_EQ(parsed_words({"-j1", "a", "-j", "4"}).run.threads, 4);
  EXPECT_EQ(parsed_words({"--words", "alpha", "--words", "word"}).words, Words::word);
  EXPECT_TRUE(parsed_words({"-i", "-i"}).ignore_case);
}

TEST(Parse, SetsEverySwitchOfTheEngine) {
  const Switches switches =
      parsed_words({"--engine", "hot=1K", "a", "--engine=partitions=16", "--engine", "drift=off"})
          .run.switches;
  EXPECT_EQ(switches.hot_bytes, 1024);
  EXPECT_EQ(switches.partition_bits, 4);
  EXPECT_FALSE(switches.drift);
  EXPECT_EQ(parsed_words({"--engine", "hot=1", "--engine", "hot=2"}).run.switches.hot_bytes, 2);
  EXPECT_TRUE(error_of({"--engine", "heat=1", "--engine", "hot=1"}).find("no switch") !=
              std::string::npos);
}

TEST(Parse, TakesFlagsTogether) {
  Ask ask = parsed_words({"-qi0", "-zj3"});
  EXPECT_TRUE(ask.reporting.quiet);
  EXPECT_TRUE(ask.ignore_case);
  EXPECT_EQ(ask.input.terminator, '\0');
  EXPECT_EQ(ask.display.terminator, '\0');
  EXPECT_EQ(ask.run.threads, 3);
}

TEST(Parse, KnowsBothKindsOfHelp) {
  EXPECT_EQ(parsed_words({"-h"}).help, Ask::Help::brief);
  EXPECT_EQ(parsed_words({"--help", "a"}).help, Ask::Help::whole);
}

// What a shell hands on is a name, whatever it looks like to a parser's library.
TEST(Parse, LeavesNamesOfFilesAsTheyAre) {
  for (const char *name : {"[a]", "[a,b].log", "[1]", "[]",    "{}",   "{a,b}", "++",    "%%",
                           "a b", "a=b",       "'a'", "\"a\"", "`a`",  "/x",    "C:\\x", "#a",
                           ";",   "a,b",       "@a",  "true",  "\xFF", "a\nb",  "10"}) {
    EXPECT_EQ(parsed_words({"x", name, "y"}).arguments, (Strings{"x", name, "y"})) << name;
    EXPECT_EQ(parsed_words({"--", name}).arguments, Strings{name}) << name;
    EXPECT_EQ(parsed_words({"-o", name}).run.output, name);
    EXPECT_EQ(parsed_words({std::string("--output=") + name}).run.output, name);
  }
}

TEST(Parse, NamesTheNearestOfAnUnknownOption) {
  EXPECT_EQ(error_of({"--thraeds", "3"}),
            "wordcount: unknown option --thraeds (did you mean \"--threads\"?); see mrc wordcount "
            "--help");
  EXPECT_EQ(error_of({"a", "--tpo=3"}),
            "wordcount: unknown option --tpo (did you mean \"--top\" or \"--to\"?); see mrc "
            "wordcount --help");
  EXPECT_EQ(error_of({"--nonsense"}),
            "wordcount: unknown option --nonsense; see mrc wordcount --help");
  EXPECT_EQ(error_of({"-X"}), "wordcount: unknown option -X; see mrc wordcount --help");
  EXPECT_EQ(error_of({"--words", "word"}, "count"),
            "count: unknown option --words; see mrc count --help");
}

TEST(Parse, TakesNoShortFormsOfLongNames) {
  EXPECT_NE(error_of({"--thread", "3"}), "no error");
  EXPECT_NE(error_of({"--Threads", "3"}), "no error");
}

TEST(Parse, SaysWhichOptionNeedsAValue) {
  EXPECT_EQ(error_of({"--top"}), "wordcount: --top needs a value; see mrc wordcount --help");
  EXPECT_NE(error_of({"-j"}).find("--threads needs a value"), std::string::npos)
      << error_of({"-j"});
}

// --output=$UNSET FILE must not take the input for the output.
TEST(Parse, TakesNoFileForTheValueOfAnEmptyOne) {
  EXPECT_NE(error_of({"--output=", "input"}), "no error");
  EXPECT_NE(error_of({"-o", "", "input"}), "no error");
  EXPECT_NE(error_of({"--top=", "5"}), "no error");
}

TEST(Parse, SaysWhatIsWrongWithAValue) {
  EXPECT_EQ(error_of({"-j", "x"}), "wordcount: --threads: \"x\" is not a whole number");
  EXPECT_EQ(error_of({"-j0"}), "wordcount: --threads: 0 is not between 1 and 1024");
  EXPECT_EQ(error_of({"--split", "0"}),
            "wordcount: --split: \"0\" is not a size such as 4096, 64K or 2M");
  EXPECT_EQ(
      error_of({"--to", "jsno"}),
      "wordcount: --to: \"jsno\" is not one of auto, tsv, csv, json, table, markdown, bars, uniq, "
      "partial "
      "(did you mean \"json\"?)");
  for (const char *value : {"tsv|csv", "|", "TSV", "ts"}) {
    EXPECT_NE(error_of({"--to", value}), "no error") << value;
  }
  EXPECT_EQ(error_of({"--asc", "--desc"}).find("wordcount: --"), 0u);
  EXPECT_NE(error_of({"--top", "-1"}), "no error");
}

TEST(Parse, TakesNoCommonOptionsForAnErrand) {
  Ask ask;
  EXPECT_TRUE(parse(*find_verb("help"), {"count"}, &ask).is_ok());
  EXPECT_EQ(ask.arguments, Strings{"count"});
  EXPECT_NE(error_of({"--top", "3"}, "help"), "no error");
}

TEST(OptionNames, AreSplitAtCommas) {
  auto names_of = [](const char *names) {
    return option_names(Option{names, nullptr, "help", nullptr, nullptr});
  };
  EXPECT_EQ(names_of("-j, --threads"), (Strings{"-j", "--threads"}));
  EXPECT_EQ(names_of("--by"), Strings{"--by"});
  EXPECT_EQ(names_of("-z, -0, --zero-terminated"), (Strings{"-z", "-0", "--zero-terminated"}));
}

}  // namespace
}  // namespace mrc
