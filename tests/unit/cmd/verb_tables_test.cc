#include "cmd/advice.h"
#include "cmd/help.h"
#include "cmd/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace mrc {
namespace {

TEST(Verbs, AreFoundByTheirWholeNames) {
  for (const Verb *verb : all_verbs()) EXPECT_EQ(find_verb(verb->name), verb);
  for (const char *name : {"", "coun", "counts", "Count", "-h"}) {
    EXPECT_EQ(find_verb(name), nullptr) << name;
  }
}

TEST(Verbs, AreInTheOrderOfTheirNamesAndOfOneKind) {
  const char *before = "";
  for (const Verb *verb : all_verbs()) {
    EXPECT_LT(std::strcmp(before, verb->name), 0) << verb->name;
    const int kinds =
        (verb->compile != nullptr) + (verb->errand != nullptr) + (verb->question != nullptr);
    EXPECT_EQ(kinds, 1) << verb->name;
    before = verb->name;
  }
}

TEST(Verbs, HaveOptionsOfDifferentNamesWithHelp) {
  for (const Verb *verb : all_verbs()) {
    std::set<std::string> names;
    for (const Option *option : options_of(*verb)) {
      EXPECT_NE(option->help, nullptr);
      EXPECT_TRUE(option->choices == nullptr || option->value != nullptr) << option->names;
      for (const std::string &name : option_names(*verb, *option)) {
        EXPECT_TRUE(names.insert(name).second) << verb->name << " " << name;
      }
    }
  }
}

TEST(Verbs, HaveShortHelpOf40LinesOf80Columns) {
  for (const Verb *verb : all_verbs()) {
    const std::string text = help_of(*verb, Ask::Help::brief);
    EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      EXPECT_LE(end - at, 80U) << text.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(Verbs, TakeNamesFromCommonOptions) {
  const Verb &grep = *find_verb("grep");
  for (const Option &option : common_options()) {
    const std::vector<std::string> all = option_names(option), left = option_names(grep, option);
    if (all.back() == "--output") {
      EXPECT_EQ(left, std::vector<std::string>{"--output"});
    }
    if (all.back() == "--threads") {
      EXPECT_EQ(left, all);
    }
  }
  Ask ask;
  EXPECT_TRUE(parse(grep, {"-o", "--output", "file", "re"}, &ask).is_ok());
  EXPECT_TRUE(ask.grep.spec.only_matching);
  EXPECT_EQ(ask.run.output, "file");
  EXPECT_EQ(ask.arguments, std::vector<std::string>{"re"});
}

// A format as the program writes it whose name is the choice.
const char *text_of_format(const std::string &choice) {
  if (choice == "nginx:") return "$remote_addr";
  if (choice == "apache:" || choice == "goaccess:") return "%h";
  return choice == "grok:" ? "%{DATA:rest}" : "%{rest}";
}

TEST(Verbs, TakeEveryChoiceTheyOffer) {
  for (const Verb *verb : all_verbs()) {
    for (const Option *option : options_of(*verb)) {
      if (option->choices == nullptr) continue;
      std::string choices = option->choices;
      for (size_t at = 0; at < choices.size();) {
        const size_t bar = std::min(choices.find('|', at), choices.size());
        std::string choice = choices.substr(at, bar - at);
        if (choice.ends_with(':')) choice += text_of_format(choice);
        Ask ask;
        EXPECT_TRUE(parse(*verb, {option_names(*option).back(), choice}, &ask).is_ok())
            << option->names << " " << choice;
        at = bar + 1;
      }
    }
  }
}

// Whether a help has an option: longer ones may begin with the same names.
bool lists(const std::string &help, const std::string &names) {
  for (size_t at = help.find(names); at != std::string::npos; at = help.find(names, at + 1)) {
    const char after = help[at + names.size()];
    if (after != '-' && (after < 'a' || after > 'z')) return true;
  }
  return false;
}

TEST(Help, ListsEveryVerbAndEveryOption) {
  for (const Verb *verb : all_verbs()) {
    EXPECT_NE(overview().find(std::string("  ") + verb->name + " "), std::string::npos);
    const std::string whole = help_of(*verb, Ask::Help::whole);
    const std::string brief = help_of(*verb, Ask::Help::brief);
    EXPECT_LT(brief.size(), whole.size());
    for (const Option *option : options_of(*verb)) {
      const std::string names = fmt::format("{}", fmt::join(option_names(*verb, *option), ", "));
      EXPECT_TRUE(lists(whole, names)) << names;
      const std::string last = option_names(*verb, *option).back();
      EXPECT_EQ(lists(brief, last), !option->expert) << verb->name << " " << last;
    }
  }
}

TEST(Help, NamesTheNearestOfAnUnknownVerb) {
  EXPECT_EQ(unknown_verb("wordcuont").message(),
            "no verb \"wordcuont\" (did you mean \"wordcount\"?); mrc help lists the verbs");
  const std::string far = unknown_verb("xyzzy").message();
  EXPECT_TRUE(far.starts_with("no verb \"xyzzy\", and no plugin of this name in /")) << far;
  EXPECT_EQ(unknown_verb("./xyzzy").message(), "no verb \"./xyzzy\"; mrc help lists the verbs");
}

TEST(Habits, AreAnsweredOnlyIfTheVerbHasTheOption) {
  EXPECT_EQ(advice_on_option(*find_verb("count"), "-n10"), "-n: for the first N rows use --top N");
  EXPECT_EQ(advice_on_option(*find_verb("wordcount"), "-g"), "") << "it has no -k";
  EXPECT_EQ(advice_on_option(*find_verb("fields"), "--json"),
            "--json: JSON input is detected, or use -f json");
  EXPECT_EQ(advice_on_option(*find_verb("count"), "--none"), "");
}

}  // namespace
}  // namespace mrc
