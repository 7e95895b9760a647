#include "base/names.h"
#include "cmd/compile.h"
#include "cmd/parse.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// What the engine is asked for by a command line; to a file, so that no terminal matters.
Result<Program> program_of(const char *verb, std::vector<std::string> arguments) {
  Ask ask;
  Compiled compiled;
  arguments.insert(arguments.begin(), {"-o", "answer"});
  Status status = parse(*find_verb(verb), arguments, &ask);
  if (status.is_ok()) status = compile(ask, &compiled);
  if (!status.is_ok()) return status;
  return compiled.program;
}

TEST(CommonOptions, DefaultToTsvOfAllKeysInOrder) {
  Result<Program> program = program_of("wordcount", {});
  ASSERT_TRUE(program.is_ok());
  EXPECT_EQ(program->inputs, std::vector<std::string>{"-"});
  EXPECT_EQ(program->shape.format, &OutputFormat::tsv);
  EXPECT_EQ(program->shape.key.parts[0].name, "word");
  EXPECT_FALSE(program->shape.header);
  EXPECT_FALSE(program->shape.terminal);
  EXPECT_EQ(program->order.column, -1);
  EXPECT_EQ(program->order.limit, -1);
  EXPECT_EQ(program->map.records, MapSpec::Records::words);
  EXPECT_EQ(program_of("count", {})->shape.key.parts[0].name, "line");
  EXPECT_EQ(program_of("count", {})->map.records, MapSpec::Records::lines);
}

TEST(CommonOptions, ChooseTheFormatAndItsHeader) {
  struct {
    const char *name;
    const OutputFormat *format;
    bool header;
  } formats[] = {{"tsv", &OutputFormat::tsv, false},          {"csv", &OutputFormat::csv, true},
                 {"json", &OutputFormat::json, false},        {"table", &OutputFormat::table, true},
                 {"markdown", &OutputFormat::markdown, true}, {"bars", &OutputFormat::bars, true},
                 {"uniq", &OutputFormat::uniq, false}};
  for (const auto &known : formats) {
    Result<Program> program = program_of("count", {"--to", known.name});
    ASSERT_TRUE(program.is_ok());
    EXPECT_EQ(program->shape.format, known.format);
    EXPECT_EQ(program->shape.header, known.header) << known.name;
    EXPECT_TRUE(program_of("count", {"--to", known.name, "--header-out", "yes"})->shape.header);
    EXPECT_FALSE(program_of("count", {"--header-out=no", "--to", known.name})->shape.header);
  }
}

TEST(CommonOptions, TakeRawForTsvAndUniqOnly) {
  EXPECT_TRUE(program_of("count", {"--raw"})->shape.raw);
  EXPECT_TRUE(program_of("count", {"--raw", "--to", "uniq"}).is_ok());
  for (const char *format : {"csv", "json", "table"}) {
    EXPECT_FALSE(program_of("count", {"--raw", "--to", format}).is_ok()) << format;
  }
}

TEST(CommonOptions, TakeTheHighestCountsForTop) {
  Result<Program> program = program_of("wordcount", {"--top", "7", "a", "b"});
  ASSERT_TRUE(program.is_ok());
  EXPECT_EQ(program->inputs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(program->order.limit, 7);
  EXPECT_EQ(program->order.column, 0);
  EXPECT_TRUE(program->order.descending);
}

TEST(CommonOptions, NameTheColumnsOfTheVerb) {
  EXPECT_TRUE(program_of("wordcount", {"--by", "word"}).is_ok());
  EXPECT_FALSE(program_of("wordcount", {"--by", "line"}).is_ok());
  EXPECT_TRUE(program_of("count", {"--by", "count,line", "--desc"})->order.ties_descending);
}

TEST(CommonOptions, ReachTheEngine) {
  Result<Program> program = program_of(
      "wordcount", {"--io", "mmap", "--split", "64K", "-j", "3", "-i", "-z", "--words", "blank"});
  ASSERT_TRUE(program.is_ok());
  EXPECT_EQ(program->io, IoMode::mmap);
  EXPECT_EQ(program->split_bytes, 64 << 10);
  EXPECT_EQ(program->threads, 3);
  EXPECT_TRUE(program->map.ignore_case);
  EXPECT_EQ(program->map.words, Words::blank);
  EXPECT_EQ(program->map.terminator, '\0');
  EXPECT_EQ(program->shape.terminator, '\0');
  EXPECT_EQ(program->output, "answer");
  EXPECT_EQ(program_of("count", {})->container, nullptr);
  EXPECT_EQ(program_of("count", {"--container=auto"})->container, nullptr);
  EXPECT_EQ(program_of("count", {"--container=flat"})->container, &kFlatContainer);
  EXPECT_EQ(program_of("count", {"--container=append-group"})->container,
            find_named<ContainerType>(all_containers(), "append-group"));
  EXPECT_EQ(program_of("count", {"--io=read"})->io, IoMode::read);
  EXPECT_FALSE(program_of("count", {"--io=auto"})->io.has_value());
}

TEST(CommonOptions, RoundForPeopleOnlyWherePeopleRead) {
  for (auto [format, human] : {std::pair{"table", true},
                               {"markdown", true},
                               {"bars", true},
                               {"tsv", false},
                               {"csv", false},
                               {"json", false},
                               {"uniq", false}}) {
    EXPECT_EQ(program_of("count", {"--human", "--to", format})->shape.human, human) << format;
    EXPECT_FALSE(program_of("count", {"--to", format})->shape.human) << format;
  }
}

TEST(CommonOptions, ColorFilesOnlyWhenToldTo) {
  EXPECT_FALSE(program_of("count", {})->shape.color);
  EXPECT_FALSE(program_of("count", {"--color", "never"})->shape.color);
  EXPECT_TRUE(program_of("count", {"--color", "always"})->shape.color);
}

TEST(CommonOptions, DrawBarsOfNumbersOnly) {
  EXPECT_TRUE(program_of("wordcount", {"--to", "bars"}).is_ok());
  EXPECT_FALSE(program_of("distinct", {"--to", "bars"}).is_ok());
  EXPECT_FALSE(program_of("index", {"--to", "bars"}).is_ok());
}

TEST(CommonOptions, TakeAllDigitsThatNumbersHave) {
  EXPECT_TRUE(program_of("count", {"--round", "0"}).is_ok());
  EXPECT_TRUE(program_of("count", {"--round", "18"}).is_ok());
  for (const char *digits : {"-1", "19", "x", ""}) {
    EXPECT_FALSE(program_of("count", {"--round", digits}).is_ok()) << digits;
  }
}

}  // namespace
}  // namespace mrc
