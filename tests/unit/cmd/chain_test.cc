#include "cmd/chain.h"

#include "cmd/parse.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

Strings verbs_of(const Strings &arguments) {
  const Result<std::vector<StageWords>> stages = split_stages(arguments);
  if (!stages.is_ok()) return {stages.status().message()};
  Strings verbs;
  for (const StageWords &stage : *stages) {
    std::string text = stage.verb == nullptr ? "?" : stage.verb->name;
    for (const std::string &word : stage.words) text += " " + word;
    verbs.push_back(text);
  }
  return verbs;
}

TEST(SplitStages, AtEachThenThatIsAnOperand) {
  EXPECT_EQ(verbs_of({"count", "-k", "a", "f", "then", "sort", "-r", "then", "grep", "x"}),
            (Strings{"count -k a f", "sort -r", "grep x"}));
  EXPECT_EQ(verbs_of({"count", "-k", "then", "f"}), (Strings{"count -k then f"}));
  EXPECT_EQ(verbs_of({"count", "--key", "then", "then", "count"}),
            (Strings{"count --key then", "count"}));
  EXPECT_EQ(verbs_of({"count", "--key=then", "then", "count"}),
            (Strings{"count --key=then", "count"}));
  EXPECT_EQ(verbs_of({"sort", "-rk", "then", "then", "count"}),
            (Strings{"sort -rk then", "count"}));
  EXPECT_EQ(verbs_of({"sort", "-k1r", "then", "count"}), (Strings{"sort -k1r", "count"}));
  EXPECT_EQ(verbs_of({"grep", "-c", "--", "then", "f"}), (Strings{"grep -c -- then f"}));
  EXPECT_EQ(verbs_of({"count", "-k"}), (Strings{"count -k"}));
  EXPECT_EQ(verbs_of({"help", "then"}), (Strings{"help"}));
}

TEST(SplitStages, WantsAVerbAfterThen) {
  EXPECT_EQ(verbs_of({"count", "then"})[0], "then: no verb follows");
  EXPECT_EQ(verbs_of({"count", "then", "fields"})[0],
            "then: mrc fields makes no rows of records; it is no stage");
}

Job typed(const Strings &words) {
  const Result<std::vector<StageWords>> stages = split_stages(words);
  Ask ask;
  const Status status = parse(*(*stages)[0].verb, (*stages)[0].words, &ask);
  EXPECT_TRUE(status.is_ok()) << status.message();
  ask.job.operands = ask.arguments;
  return ask.job;
}

TEST(JoinStages, GivesOptionsToTheStagesThatTheyAreFor) {
  const Result<Job> chain =
      join_stages({typed({"count", "-k", "a", "--to", "csv", "-j2", "-H", "f"}),
                   typed({"grep", "-q", "x"}), typed({"count", "--top", "1", "--state", "s"})});
  ASSERT_TRUE(chain.is_ok()) << chain.status().message();
  EXPECT_EQ(chain->to_text(),
            "mrc job 1\nverb count\n--key a\n-H\n--threads 2\n--state s\noperand f\nthen\n"
            "verb grep\n--threads 2\n--silent\noperand x\nthen\n"
            "verb count\n--header-out yes\n--to csv\n--threads 2\n--top 1\nend\n");
}

TEST(JoinStages, IsAJobAsText) {
  const Result<Job> chain = join_stages({typed({"count", "-k", "a", "f"}), typed({"sort", "-r"})});
  const Result<Job> read = Job::from_text(chain->to_text());
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_EQ(*read, *chain);
  EXPECT_EQ(read->state_digest(), typed({"count", "-k", "a", "f"}).state_digest());
  EXPECT_NE(read->answer_digest(), typed({"count", "-k", "a", "f"}).answer_digest());
  EXPECT_FALSE(Job::from_text("mrc job 1\nverb count\nthen\nend\n").is_ok());
  EXPECT_FALSE(Job::from_text("mrc job 1\nthen\nverb count\nend\n").is_ok());
}

TEST(CompileChain, ReadsWhatTheStageBeforeMakes) {
  const Result<Job> chain =
      join_stages({typed({"stats", "-k", "time:hour", "-a", "sum:b"}),
                   typed({"stats", "-k", "time:hour", "-a", "max:sum:b"}), typed({"sort"}),
                   typed({"select", "-k", "max:sum:b", "f"})});
  const Result<std::vector<Compiled>> stages = compile_chain(*chain);
  ASSERT_TRUE(stages.is_ok()) << stages.status().message();
  const auto format = [&](size_t i) { return (*stages)[i].program.map.fields.format; };
  EXPECT_EQ((*stages)[0].program.inputs, Strings{"f"});
  EXPECT_EQ(format(1).format, &LineFormat::rows);
  EXPECT_EQ(format(1).columns, (Strings{"time:hour", "sum:b"}));
  EXPECT_EQ((*stages)[1].program.shape.format, &OutputFormat::json);
  EXPECT_EQ(format(2).format, &LineFormat::row_objects);
  EXPECT_EQ(format(3).format, &LineFormat::row_objects);
  EXPECT_EQ(format(3).columns, (Strings{"time:hour", "max:sum:b"}));
  EXPECT_FALSE((*stages)[3].program.hands_over);
}

}  // namespace
}  // namespace mrc
