#include "cmd/compile.h"

#include "cmd/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

Ask asked(const char *verb, const Strings &words) {
  Ask ask;
  const Status status = parse(*find_verb(verb), words, &ask);
  EXPECT_TRUE(status.is_ok()) << status.message();
  return ask;
}

Compiled begun(const char *verb, const Strings &words) {
  Compiled compiled;
  begin_compile(asked(verb, words), &compiled);
  return compiled;
}

TEST(BeginCompile, TellsOperandsFromInputs) {
  const std::string plugin = fmt::format("{}/every_job.so", MRC_TEST_PLUGINS);
  const struct {
    const char *verb;
    Strings words, operands, inputs;
  } examples[] = {
      {"count", {"a", "b"}, {}, {"a", "b"}},
      {"count", {}, {}, {}},
      {"grep", {"re", "a"}, {"re"}, {"a"}},
      {"grep", {"-e", "re", "a"}, {}, {"a"}},
      {"grep", {}, {}, {}},
      {"hist", {"bytes", "a"}, {"bytes"}, {"a"}},
      {"run", {"--force-plugin", plugin, "rounds", "a"}, {plugin, "rounds"}, {"a"}},
      {"run", {"--force-plugin", plugin, "a", "rounds"}, {plugin}, {"a", "rounds"}},
      {"run", {"./none.so", "a"}, {"./none.so"}, {"a"}},
  };
  for (const auto &example : examples) {
    const Compiled compiled = begun(example.verb, example.words);
    EXPECT_EQ(compiled.job.operands, example.operands) << example.verb;
    EXPECT_EQ(compiled.job.inputs, example.inputs) << example.verb;
    EXPECT_EQ(compiled.program.inputs, example.inputs.empty() ? Strings{"-"} : example.inputs);
  }
}

TEST(BeginCompile, HandsOverWhatNeedsNoCompiling) {
  const Compiled compiled =
      begun("count", {"--engine", "drift=off", "--state", "d", "--stats", "-zi", "--top", "3"});
  EXPECT_FALSE(compiled.program.switches.drift);
  EXPECT_EQ(compiled.program.keep.path, "d");
  EXPECT_TRUE(compiled.reporting.stats);
  EXPECT_EQ(compiled.program.map.terminator, '\0');
  EXPECT_TRUE(compiled.program.map.ignore_case);
  EXPECT_EQ(compiled.program.order.limit, 3);
}

TEST(Compile, BeginsErrorsWithTheVerbOrThePluginInItsPlace) {
  const auto error_of = [](const Ask &ask) {
    Compiled compiled;
    return compile(ask, &compiled).message();
  };
  EXPECT_EQ(error_of(asked("hist", {})),
            "hist: needs a field: mrc hist [OPTIONS] FIELD [FILE...]; mrc fields lists the fields");
  EXPECT_EQ(error_of(asked("count", {"--resume", "never"})),
            "count: --checkpoint-every, --resume: there is no --checkpoint");
  Ask plugin = asked("run", {"./none.so"});
  plugin.plugins.verb = "none";
  EXPECT_TRUE(error_of(plugin).starts_with("none: ")) << error_of(plugin);
}

TEST(Refuse, NamesTheFirstOptionThatIsGiven) {
  EXPECT_TRUE(refuse({}).is_ok());
  const Refusal refused[] = {{false, "a"}, {true, "b"}, {true, "c"}};
  EXPECT_EQ(refuse(refused).message(), "b");
}

}  // namespace
}  // namespace mrc
