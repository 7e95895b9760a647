// Several runs in one process, at the same time: each has the answer, or the failure, that it
// would have alone.
#include "engine/engine.h"
#include "plugin/plugin.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

using std::string;

// A job of a test plugin, as mrc run makes it.
Program plugin_program(const string &file, const string &job, const std::vector<string> &settings) {
  const auto plugin = *load_plugin(string(MRC_TEST_PLUGINS) + "/" + file + ".so", true);
  const mrc_job &functions = *plugin->find_job(job);
  const auto described = std::make_shared<PluginJob>(
      plugin, functions, std::move(*Settings::parse(functions, settings)));
  Program program;
  program.stage = &kPluginStage;
  program.map = described->map_spec();
  program.aggregation = described->aggregation();
  program.shape.key = described->key_shape();
  program.plugin_order = described->orders();
  program.plugin = described;
  program.quiet = true;
  return program;
}

struct Outcome {
  string error, output;
  i64 keys = 0;
  bool operator==(const Outcome &) const = default;
};

class ConcurrentRuns : public testing::Test {
 protected:
  ConcurrentRuns() {
    string text;
    for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 997) + "\n";
    input_ = folder_.write("in", text);
  }

  Outcome outcome_of(Program program, const string &name) {
    program.inputs = {input_};
    program.output = folder_.path(name);
    program.threads = 2;
    program.split_bytes = 5000;
    SilentObserver observer;
    const Result<Report> report = run(program, make_plan(program), &observer);
    if (!report.is_ok()) return {report.status().message(), "", 0};
    return {"", folder_.read(name), report->keys};
  }

  TemporaryFolder folder_;
  string input_;
};

TEST_F(ConcurrentRuns, DoNotKnowOfEachOther) {
  const std::vector<Program> programs = {
      plugin_program("every_job", "rounds", {"rounds=4"}),
      plugin_program("every_job", "rounds", {"rounds=2"}),
      plugin_program("failing", "lines", {"where=map", "what=throw"}),
      Program(),
  };
  std::vector<Outcome> alone, together(programs.size());
  for (const Program &program : programs) alone.push_back(outcome_of(program, "alone"));
  EXPECT_EQ(alone[0].error, "");
  EXPECT_NE(alone[0].output, alone[1].output);
  EXPECT_NE(alone[2].error.find("map: threw std::runtime_error"), string::npos) << alone[2].error;
  EXPECT_EQ(alone[3].keys, 997);
  for (int times = 0; times < 10; ++times) {
    std::vector<std::thread> threads;
    for (size_t i = 0; i < programs.size(); ++i) {
      threads.emplace_back(
          [&, i] { together[i] = outcome_of(programs[i], "out" + std::to_string(i)); });
    }
    for (std::thread &thread : threads) thread.join();
    for (size_t i = 0; i < programs.size(); ++i) {
      EXPECT_EQ(together[i].error.substr(0, together[i].error.find(" (")),
                alone[i].error.substr(0, alone[i].error.find(" (")));  // its place may differ
      EXPECT_TRUE(together[i].output == alone[i].output) << i;
      EXPECT_EQ(together[i].keys, alone[i].keys) << i;
    }
  }
}

// A program is immutable: its runs share it.
TEST_F(ConcurrentRuns, ShareAProgram) {
  const Program program = plugin_program("every_job", "rounds", {"rounds=3"});
  const Outcome alone = outcome_of(program, "alone");
  Outcome first, second;
  std::thread other([&] { first = outcome_of(program, "first"); });
  second = outcome_of(program, "second");
  other.join();
  EXPECT_EQ(first.output, alone.output);
  EXPECT_EQ(second.output, alone.output);
}

}  // namespace
}  // namespace mrc
