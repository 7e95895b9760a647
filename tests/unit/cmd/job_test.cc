#include "cmd/job.h"

#include "cmd/parse.h"
#include "cmd/run_job.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

// A value for each option that takes one and has no choices, by its last name.
const std::map<std::string, std::string> kValues = {
    {"--after-context", "1"},
    {"--before-context", "1"},
    {"--context", "1"},
    {"--across", "event"},
    {"--aggregate", "sum:price"},
    {"--binary", "u8 time, u8 user, u8 event, u8 price"},
    {"--bins", "3"},
    {"--by", "count"},
    {"--columns", "a,b,c,d"},
    {"--each", "user:n"},
    {"--stack", "k,v=user,event"},
    {"--combine", "cat"},
    {"--cut-not", "time"},
    {"--delimiter", ";"},
    {"--kinds", "price=number"},
    {"--shown-kinds", "price=number"},
    {"--engine", "prefetch=off"},
    {"--fields", "price"},
    {"--files", "2"},
    {"--fill", "0"},
    {"--having", "count > 1"},
    {"--head", "2"},
    {"--input-cmd", "cat {}"},
    {"--event", "user"},
    {"--key", "user"},
    {"--left-fields", "price"},
    {"--live", "500ms"},
    {"--map", "cut -c 1-4"},
    {"--max-count", "1"},
    {"--memory", "64M"},
    {"--partition-by", "event"},
    {"--partitions", "100"},
    {"--range", "price"},
    {"--panels", "hours"},
    {"--panel", "Users: count -k user"},
    {"--record", "1"},
    {"--state-wait", "1"},
    {"--state-tiles", "64K"},
    {"--checkpoint-every", "2M"},
    {"--rename", "user=client"},
    {"--reduce", "count,max:2"},
    {"--regex", "(?P<user>[^,]*),(?P<price>.*)"},
    {"--record-start", "^[A-Z]"},
    {"--regexp", "a"},
    {"--right-binary", "u8 time, u8 user, u8 event, u8 price"},
    {"--right-columns", "time,user,event,price"},
    {"--right-delimiter", ","},
    {"--right-fields", "price"},
    {"--right-record", "1"},
    {"--right-regex", "(?P<user>[^,]*),(?P<price>.*)"},
    {"--round", "1"},
    {"--sample", "2"},
    {"--seed", "7"},
    {"--set", "rounds=2"},
    {"--since", "2026-01-02"},
    {"--skip", "1"},
    {"--sort-by", "price"},
    {"--split", "64K"},
    {"--tail", "1"},
    {"--threads", "3"},
    {"--tile", "1M"},
    {"--time", "time"},
    {"--top", "1"},
    {"--tz", "Europe/Berlin"},
    {"--unit-timeout", "5s"},
    {"--until", "2026-01-03"},
    {"--where", "price > 2"},
    {"--within", "user"},
    {"--order", "-"},
    {"--word", "anna"},
};

// What these two read has the job.
bool has_job(const Verb &verb) {
  return verb.is_job() && verb.name != std::string("merge") && verb.name != std::string("units");
}

class Jobs : public testing::Test {
 protected:
  Jobs() {
    input_ = folder_.write("in.csv",
                           "time,user,event,price\n2026-01-01,Anna,login,3\n"
                           "2026-01-02,bob,login,1.25\n2026-01-02,Anna,logout,-\n"
                           "2026-01-03,bob,logout,-2\n2026-01-03,Ann a,login,3\n");
    plugin_ = std::string(MRC_TEST_PLUGINS) + "/every_job.so";
  }

  // What a job of the verb needs at least.
  Strings arguments_of(const std::string &verb) const {
    Strings arguments = {"-q"};
    if (verb == "stats") arguments.insert(arguments.end(), {"-k", "event", "-a", "count"});
    if (verb == "grep") arguments.push_back("n");
    if (verb == "diff") arguments.insert(arguments.end(), {"-k", "time,user,event", input_});
    if (verb == "join") arguments.insert(arguments.end(), {"-k", "user", input_});
    if (verb == "load")
      arguments.insert(arguments.end(), {"--partition-by", "user", "-o", folder_.path("loaded")});
    if (verb == "map") arguments.insert(arguments.end(), {"--map", "cut -d , -f 2"});
    if (verb == "hist") arguments.push_back("price");
    if (verb == "run")
      arguments.insert(arguments.end(), {"--force-plugin", "--set", "rounds=3", plugin_, "rounds"});
    arguments.push_back(input_);
    return arguments;
  }

  std::string value_of(const Option &option) const {
    const std::string name = option_names(option).back(), value = option.value;
    if (option.choices != nullptr) {
      const std::string choices = option.choices;
      return choices.substr(choices.rfind('|') + 1);
    }
    if (name == "--plugin") return plugin_;
    if (name == "--geo") return MRC_SOURCE_DIR "/tests/data/geo/city.mmdb";
    if (name == "--lookup") return "u=" + input_ + ":user";
    if (name == "--file") return "/dev/null";
    if (value == "FILE") return folder_.path("out of " + name);
    if (name == "--state" || name == "--checkpoint")
      return folder_.path("state " + std::to_string(++states_));
    if (value == "DIR") return folder_.path(".");
    const auto known = kValues.find(name);
    EXPECT_NE(known, kValues.end()) << "no value for " << name;
    return known == kValues.end() ? "" : known->second;
  }

  // A common line, with the option or without.
  Ask parsed(const Verb &verb, const Option *option) const {
    Strings arguments = arguments_of(verb.name);
    if (option != nullptr) {
      std::string word = option_names(verb, *option).back();
      if (option->value != nullptr) word += "=" + value_of(*option);
      arguments.insert(arguments.begin(), word);
    }
    Ask ask;
    const Status status = parse(verb, arguments, &ask);
    EXPECT_TRUE(status.is_ok()) << status.message();
    return ask;
  }

  // Calls visit(verb, option) for each option that each job has.
  template <typename Visit>
  static void each_option(Visit visit) {
    for (const Verb *verb : all_verbs()) {
      if (!has_job(*verb)) continue;
      for (const Option *option : options_of(*verb)) visit(*verb, *option);
    }
  }

  // The answer of a compiled job, or the error.
  std::string answer_to(Compiled *compiled) const {
    std::filesystem::remove_all(folder_.path("loaded"));  // or a load would find nothing new
    if (read_lookups(compiled) != 0) return "no table";
    compiled->program.output = folder_.path("answer");
    SilentObserver observer;
    const Plan plan = make_plan(compiled->program);
    if (!plan.problem.is_ok()) return plan.problem.message();
    const Result<Report> report = run(compiled->program, plan, &observer);
    return report.is_ok() ? folder_.read("answer") : report.status().message();
  }

  TemporaryFolder folder_;
  std::string input_, plugin_;
  mutable int states_ = 0;  // directories that were named
};

TEST_F(Jobs, AreTheSameAfterTheirText) {
  int compiled = 0;
  each_option([&](const Verb &verb, const Option &option) {
    SCOPED_TRACE(std::string(verb.name) + " " + option.names);
    if (option.effect == Effect::ask) return;
    Compiled first, second;
    const bool is_ok = compile_verb(parsed(verb, &option), &first).is_ok();
    compiled += is_ok;
    const std::string text = first.job.to_text();
    const Result<Job> read = Job::from_text(text);
    ASSERT_TRUE(read.is_ok()) << read.status().message() << text;
    EXPECT_EQ(*read, first.job);
    Ask again;
    ASSERT_TRUE(apply(*read, &again).is_ok());
    EXPECT_EQ(compile_verb(again, &second).is_ok(), is_ok);
    EXPECT_EQ(second.job.to_text(), text);
    EXPECT_EQ(second.program.inputs, first.program.inputs);
  });
  EXPECT_GT(compiled, 200);
}

TEST_F(Jobs, GiveTheSameAnswerAfterTheirText) {
  for (const Verb *verb : all_verbs()) {
    if (!has_job(*verb)) continue;
    Compiled first, second;
    ASSERT_TRUE(compile_verb(parsed(*verb, nullptr), &first).is_ok()) << verb->name;
    const std::string answer = answer_to(&first);
    Ask again;
    ASSERT_TRUE(apply(*Job::from_text(first.job.to_text()), &again).is_ok());
    ASSERT_TRUE(compile_verb(again, &second).is_ok());
    EXPECT_EQ(answer_to(&second), answer) << verb->name;
  }
}

TEST_F(Jobs, HaveDigestsThatSeeWhatCanChangeTheAnswer) {
  int differ = 0;
  each_option([&](const Verb &verb, const Option &option) {
    if (option.effect == Effect::ask) return;
    if (option.names == std::string("--follow")) return;  // such a job does not end by itself
    Compiled plain, with;
    ASSERT_TRUE(compile_verb(parsed(verb, nullptr), &plain).is_ok()) << verb.name;
    const Ask ask = parsed(verb, &option);
    const bool is_ok = compile_verb(ask, &with).is_ok() && choose_state(ask, &with).is_ok();
    const bool same_states = plain.job.state_digest() == with.job.state_digest();
    const bool same_answers = plain.job.answer_digest() == with.job.answer_digest();
    const std::string what = std::string(verb.name) + " " + option.names;
    if (option.effect == Effect::state) {
      EXPECT_FALSE(same_states && plain.job != with.job) << what;
    } else {
      EXPECT_TRUE(same_states) << what;
      EXPECT_EQ(same_answers, option.effect != Effect::answer) << what;
    }
    if (!is_ok || with.silent || option.effect == Effect::input) return;
    if (answer_to(&plain) == answer_to(&with)) return;
    ++differ;
    EXPECT_FALSE(same_states && same_answers) << what << " changes the answer";
  });
  EXPECT_GT(differ, 50);
}

TEST_F(Jobs, KnowNoInputsInTheirDigests) {
  Ask one, other;
  ASSERT_TRUE(parse(*find_verb("count"), {"a"}, &one).is_ok());
  ASSERT_TRUE(parse(*find_verb("count"), {"b", "c"}, &other).is_ok());
  EXPECT_EQ(one.job.state_digest(), other.job.state_digest());
  EXPECT_EQ(one.job.answer_digest(), other.job.answer_digest());
  Compiled grep_a, grep_b;
  for (auto [pattern, compiled] : {std::pair("a", &grep_a), std::pair("b", &grep_b)}) {
    Ask ask;
    ASSERT_TRUE(parse(*find_verb("grep"), {pattern, "in"}, &ask).is_ok());
    ASSERT_TRUE(compile(ask, compiled).is_ok());
  }
  EXPECT_NE(grep_a.job.state_digest(), grep_b.job.state_digest());
}

TEST_F(Jobs, HaveInstantsForTimesInRelationToNow) {
  Ask ask, again;
  Compiled compiled, later;
  ASSERT_TRUE(
      parse(*find_verb("count"), {"--since", "time=-1h", "--until", "2100-01-01"}, &ask).is_ok());
  ASSERT_TRUE(compile(ask, &compiled).is_ok());
  EXPECT_EQ(compiled.job.choices[0].value.substr(0, 7), "time=20");
  EXPECT_EQ(compiled.job.choices[0].value.back(), 'Z');
  EXPECT_EQ(compiled.job.choices[1].value, "2100-01-01");
  const std::string text = compiled.job.to_text();
  ASSERT_TRUE(apply(compiled.job, &again).is_ok());
  ASSERT_TRUE(compile(again, &later).is_ok());
  EXPECT_EQ(later.job.to_text(), text);
}

TEST_F(Jobs, KeepEveryByteInTheirText) {
  Job job{.verb = "grep", .operands = {"a\n\\x0a\\\x7f\xff "}, .inputs = {"", " x", "input b"}};
  const Result<Job> read = Job::from_text(job.to_text());
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_EQ(*read, job);
}

TEST_F(Jobs, RefuseTextsThatAreNoJob) {
  const auto error = [](std::string_view text) { return Job::from_text(text).status().message(); };
  const std::string good = Job{.verb = "count", .inputs = {"a"}}.to_text();
  EXPECT_EQ(error(good.substr(0, good.size() - 4)),
            "job: the text is cut short; there is no last line");
  EXPECT_EQ(error(""), "job: the text is cut short; there is no last line");
  EXPECT_EQ(error("mrc job 2\nend\n"),
            "job: \"mrc job 2\" is not \"mrc job 1\": it is of another version");
  EXPECT_EQ(error("mrc job 1\nverb count\n--nonsense 3\nend\n"),
            "job: line 3: mrc count does not have \"--nonsense 3\"");
  EXPECT_EQ(error("mrc job 1\nverb help\nend\n"),
            "job: line 2: mrc help does not have \"verb help\"");
  EXPECT_EQ(error("mrc job 1\nend\n"), "job: the text has no verb");
  EXPECT_EQ(error("mrc job 1\ninput a\nend\n"), "job: line 2: mrc VERB does not have \"input a\"");
}

}  // namespace
}  // namespace mrc
