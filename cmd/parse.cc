#include "cmd/parse.h"

#include "cmd/advice.h"
#include "cmd/help.h"
#include "cmd/values.h"
#include "cmd/verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <map>

namespace mrc {
namespace {

// True if the value is one of the choices. A choice that ends in a colon is the beginning of
// values.
bool is_choice(const std::vector<std::string> &choices, const std::string &value) {
  return std::ranges::any_of(choices, [&](const std::string &choice) {
    return choice.ends_with(':') ? value.starts_with(choice) : value == choice;
  });
}

// Returns "one of yes, no (did you mean ...)".
std::string what_may_be(const Verb &verb, const std::vector<std::string> &choices,
                        const std::string &value) {
  const std::string nearest = did_you_mean(value, choices);
  if (choices.size() <= kFewChoices) {
    return fmt::format("one of {}{}", fmt::join(choices, ", "), nearest);
  }
  return fmt::format("one of the {} choices{}; mrc {} --help lists them", choices.size(), nearest,
                     verb.name);
}

Status set_value(const Verb &verb, const Option &option, const std::string &value, Ask *ask) {
  const std::string last = option_names(option).back();
  const std::string name = fmt::format("{}: {}", verb.name, last);
  const std::string advice = advice_on_value(verb, last, value),
                    added = advice.empty() ? "" : "; " + advice;
  const bool may_lack = option.value != nullptr && !option.takes_argument();
  const bool chosen = option.choices != nullptr && !(may_lack && value.empty());
  const std::vector<std::string> all =
      chosen ? split_choices(option.choices) : std::vector<std::string>();
  if (chosen && !is_choice(all, value)) {
    return Status::error(fmt::format("{}: \"{}\" is not {}{}", name, value,
                                     what_may_be(verb, choices_of(verb, option), value), added));
  }
  Status status = option.set(ask, value);
  return status.is_ok() ? status : Status::error(name + ": " + status.message() + added);
}

// Options that were given, and their values; "" for a flag.
using Given = std::vector<std::pair<const Option *, std::string>>;

void add_option(const Verb &verb, const Option &option, CLI::App *app, Given *given) {
  const std::string names = fmt::format("{}", fmt::join(option_names(verb, option), ","));
  if (!option.takes_argument()) {
    app->add_flag_callback(names, [&option, given] { given->emplace_back(&option, ""); })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  } else {
    // CLI11 joins values with newlines.
    CLI::Option *added =
        app->add_option_function<std::string>(names, [&option, given](std::string value) {
          if (option.joins) std::replace(value.begin(), value.end(), '\n', ',');
          given->emplace_back(&option, std::move(value));
        });
    added->multi_option_policy(option.joins ? CLI::MultiOptionPolicy::Join
                                            : CLI::MultiOptionPolicy::TakeLast);
    // CLI11 calls the function for each value.
    if (option.repeatable) added->trigger_on_parse();
  }
}

Status unknown_option(const Verb &verb, const std::string &name) {
  for (const Absent &absent : absent_options(verb)) {
    const std::string known = find_name(absent.names, name);
    if (known.empty()) continue;
    return Status::error(fmt::format("{}: {}: {}", verb.name, known, absent.advice));
  }
  if (const std::string advice = advice_on_option(verb, name); !advice.empty()) {
    return Status::error(fmt::format("{}: {}", verb.name, advice));
  }
  std::vector<std::string> names;
  for (const Option *option : options_of(verb)) {
    for (const std::string &known : option_names(verb, *option)) {
      if (known.starts_with("--")) names.push_back(known);
    }
  }
  return Status::error(fmt::format("{}: unknown option {}{}; see mrc {} --help", verb.name, name,
                                   did_you_mean(name, names), verb.name));
}

// Splits "--name=value" into two words, because CLI11 would take an empty value for a missing one.
// A value that is optional goes to `attached`.
Status split_at_sign(const Verb &verb, const std::string &word, std::vector<std::string> *words,
                     std::map<const Option *, std::string> *attached) {
  const size_t sign = word.find('=');
  if (!word.starts_with("--") || sign == std::string::npos) {
    words->push_back(word);
    return Status::ok();
  }
  const std::string name = word.substr(0, sign);
  for (const Option *option : options_of(verb)) {
    const std::vector<std::string> names = option_names(verb, *option);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (option->value == nullptr) {
      return Status::error(fmt::format("{}: {} takes no value", verb.name, name));
    }
    words->push_back(name);
    std::string value = word.substr(sign + 1);
    if (option->takes_argument()) {
      words->push_back(std::move(value));
    } else {
      (*attached)[option] = std::move(value);
    }
    return Status::ok();
  }
  return unknown_option(verb, name);
}

// Sets the given options in the ask and in its job, in the order of the tables.
Status choose(const Verb &verb, std::span<const Option *const> options, const Given &given,
              Ask *ask) {
  ask->job.verb = verb.name;
  ask->job.choices.clear();
  for (const Option *option : options) {
    for (const auto &[of, value] : given) {
      if (of != option) continue;
      const std::string name = option_names(*option).back();
      Result<std::string> meant = option->meaning ? option->meaning(ask, value) : value;
      if (!meant.is_ok()) return meant.status().within(fmt::format("{}: {}", verb.name, name));
      if (Status status = set_value(verb, *option, *meant, ask); !status.is_ok()) return status;
      if (option->effect == Effect::ask) continue;
      ask->job.choices.push_back({name, std::move(*meant)});
    }
  }
  return Status::ok();
}

// True if a list contains the name.
bool lists(std::string_view list, std::string_view name) {
  for (size_t at = list.find(name); at != list.npos; at = list.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ',')) return true;
  }
  return false;
}

// Choices of --to that verbs refuse, for reasons that they give.
constexpr struct {
  std::string_view verb, formats;
} kRefusedFormats[] = {
    {"diff", "spark, heat"},
    {"distinct", "bars, spark, heat, uniq"},
    {"grep", "csv, table, markdown, bars, spark, heat, uniq, partial"},
    {"hist", "spark, heat"},
    {"index", "bars, spark, heat, uniq"},
    {"join", "bars, spark, heat, uniq, partial"},
    {"map", "partial"},
    {"select", "bars, spark, heat, uniq, partial"},
    {"sort", "spark, heat"},
    {"summary", "spark, heat"},
    {"wordcount", "spark, heat"},
};

}  // namespace

std::vector<std::string> names_in(const std::string &text) {
  std::vector<std::string> names;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(", ", at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

std::vector<std::string> split_choices(const char *choices) {
  std::vector<std::string> all;
  std::string text(choices);
  for (size_t at = 0; at <= text.size();) {
    size_t bar = std::min(text.find('|', at), text.size());
    all.push_back(text.substr(at, bar - at));
    at = bar + 1;
  }
  return all;
}

std::vector<std::string> choices_of(const Verb &verb, const Option &option) {
  std::vector<std::string> all;
  if (option.choices != nullptr) all = split_choices(option.choices);
  if (option_names(option).back() != "--to") return all;
  for (const auto &row : kRefusedFormats) {
    if (row.verb != std::string_view(verb.name)) continue;
    std::erase_if(all, [&](const std::string &choice) { return lists(row.formats, choice); });
  }
  return all;
}

std::vector<std::string> option_names(const Option &option) { return names_in(option.names); }

std::vector<std::string> option_names(const Verb &verb, const Option &option) {
  std::vector<std::string> names = option_names(option);
  const auto is_in = [&](std::span<const Option> table) {
    return !table.empty() && &option >= table.data() && &option < table.data() + table.size();
  };
  if (is_in(verb.options)) return names;
  const std::vector<Absent> absent = absent_options(verb);
  std::erase_if(names, [&](const std::string &name) {
    const auto lists_name = [&](const auto &row) { return lists(row.names, name); };
    return std::ranges::any_of(verb.options, lists_name) || std::ranges::any_of(absent, lists_name);
  });
  return names;
}

std::string find_name(const char *names, const std::string &option) {
  for (const std::string &known : names_in(names)) {
    if (option == known || (known.size() == 2 && option.starts_with(known))) return known;
  }
  return "";
}

std::vector<const Option *> options_of(const Verb &verb) {
  std::vector<const Option *> all;
  auto add = [&](std::span<const Option> table) {
    for (const Option &option : table) {
      if (!option_names(verb, option).empty()) all.push_back(&option);
    }
  };
  add(verb.options);
  if (verb.reads_fields) add(field_options());
  if (verb.is_job()) add(common_options());
  add(help_options());
  return all;
}

Status parse(const Verb &verb, const std::vector<std::string> &arguments, Ask *ask) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();  // files, and unknown options, for which mrc has better messages
  const std::vector<const Option *> options = options_of(verb);
  Given given;
  for (const Option *option : options) add_option(verb, *option, &app, &given);
  // CLI11 does not see the words after "--", because none of them is an option.
  const auto options_end = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> words;
  std::map<const Option *, std::string> attached;
  for (auto word = arguments.begin(); word != options_end; ++word) {
    if (Status status = split_at_sign(verb, *word, &words, &attached); !status.is_ok())
      return status;
  }
  std::reverse(words.begin(), words.end());  // CLI11 takes words in reverse
  try {
    app.parse(words);
  } catch (const CLI::ArgumentMismatch &mismatch) {
    std::string what = mismatch.what();
    return Status::error(fmt::format("{}: {} needs a value; see mrc {} --help", verb.name,
                                     what.substr(0, what.find(':')), verb.name));
  } catch (const CLI::ParseError &error) {
    return Status::error(fmt::format("{}: {}", verb.name, error.what()));
  }
  for (const std::string &extra : app.remaining()) {
    if (extra.starts_with("-") && extra != "-") return unknown_option(verb, extra);
    ask->arguments.push_back(extra);
  }
  if (options_end != arguments.end()) {
    ask->arguments.insert(ask->arguments.end(), options_end + 1, arguments.end());
  }
  for (auto &[option, value] : given) {
    if (const auto found = attached.find(option); found != attached.end()) value = found->second;
  }
  return choose(verb, options, given, ask);
}

Status apply(const Job &job, Ask *ask) {
  const Verb &verb = *find_verb(job.verb);
  Given given;
  for (const Job::Choice &choice : job.choices) {
    given.emplace_back(find_option(verb, choice.option), choice.value);
  }
  ask->arguments = job.operands;
  ask->arguments.insert(ask->arguments.end(), job.inputs.begin(), job.inputs.end());
  return choose(verb, options_of(verb), given, ask);
}

const Option *find_option(const Verb &verb, std::string_view name) {
  for (const Option *option : options_of(verb)) {
    if (option_names(*option).back() == name) return option;
  }
  return nullptr;
}

// verbs.inc has a line VERB(name) for each file in verbs/, in order.
#define VERB(name) extern const Verb verb_##name;
#include "verbs.inc"
#undef VERB

std::span<const Verb *const> all_verbs() {
  static constexpr const Verb *kVerbs[] = {
#define VERB(name) &verb_##name,
#include "verbs.inc"
#undef VERB
  };
  return kVerbs;
}

const Verb *find_verb(const std::string &name) {
  for (const Verb *verb : all_verbs()) {
    if (name == verb->name) return verb;
  }
  return nullptr;
}

}  // namespace mrc
