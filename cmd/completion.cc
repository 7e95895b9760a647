#include "cmd/completion.h"

#include "cmd/parse.h"
#include "cmd/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

// What is expected behind a verb, besides options.
std::string words_behind(const Verb &verb) {
  if (std::string(verb.name) == "completion") return "bash zsh fish";
  if (std::string(verb.name) != "help") return "";
  std::string names;
  for (const Verb *each : all_verbs()) names += std::string(names.empty() ? "" : " ") + each->name;
  return names;
}

std::string choices_of(const Option &option) {
  std::string words = option.choices == nullptr ? "" : option.choices;
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

bool takes_file(const Option &option) {
  return option.value != nullptr && std::string(option.value) == "FILE";
}

// Inside single quotes, for each character of `special` a backslash before it.
std::string quoted(const std::string &text, const std::string &special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string::npos) out.push_back('\\');
    if (c == '\'') {
      out += "'\\''";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

std::string bash_completion() {
  std::string verbs, values, options;
  for (const Verb *verb : all_verbs()) {
    verbs += std::string(verbs.empty() ? "" : " ") + verb->name;
    std::string names = words_behind(*verb);
    for (const Option *option : options_of(*verb)) {
      for (const std::string &name : option_names(*verb, *option)) {
        names += std::string(names.empty() ? "" : " ") + name;
        if (option->value == nullptr || takes_file(*option)) continue;
        fmt::format_to(std::back_inserter(values), "    {}:{}) words='{}' ;;\n", verb->name, name,
                       choices_of(*option));
      }
    }
    fmt::format_to(std::back_inserter(options), "    {}) words='{}' ;;\n", verb->name, names);
  }
  return fmt::format(R"(# bash completion for mrc
_mrc() {{
  local verb=${{COMP_WORDS[1]}} cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
  local words=
  COMPREPLY=()
  # bash splits --name=value at the sign.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$cur")
    return
  fi
  case $verb:$prev in
{}    *:-o | *:--output) return ;;
    *)
      if [[ $cur != -* && $verb != help && $verb != completion ]]; then return; fi
      case $verb in
{}      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}}
complete -o default -F _mrc mrc
)",
                     verbs, values, options);
}

std::string zsh_completion() {
  std::string verbs, cases;
  auto out = std::back_inserter(cases);
  for (const Verb *verb : all_verbs()) {
    fmt::format_to(std::back_inserter(verbs), "    '{}:{}'\n", verb->name,
                   quoted(verb->summary, ":"));
    fmt::format_to(out, "    {})\n      _arguments -s -S", verb->name);
    for (const Option *option : options_of(*verb)) {
      const std::vector<std::string> names = option_names(*verb, *option);
      for (const std::string &name : names) {
        fmt::format_to(out, " \\\n        '({}){}{}[{}]", fmt::join(names, " "), name,
                       option->value == nullptr ? ""
                       : name[1] == '-'         ? "="
                                                : "+",
                       quoted(option->help, "[]:\\"));
        if (takes_file(*option)) {
          fmt::format_to(out, ":file:_files");
        } else if (option->value != nullptr) {
          std::string words = choices_of(*option);
          fmt::format_to(out, ":{}:{}", quoted(option->value, ":[]"),
                         words.empty() ? " " : "(" + words + ")");
        }
        cases += "'";
      }
    }
    std::string words = words_behind(*verb);
    fmt::format_to(out, " \\\n        '*:{}' ;;\n",
                   words.empty() ? "file:_files" : "word:(" + words + ")");
  }
  return fmt::format(R"(#compdef mrc
# zsh completion for mrc
_mrc() {{
  local -a verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
if [[ $funcstack[1] == _mrc ]]; then
  _mrc "$@"
else
  compdef _mrc mrc
fi
)",
                     verbs, cases);
}

std::string fish_completion() {
  std::string text = "# fish completion for mrc\n";
  auto out = std::back_inserter(text);
  for (const Verb *verb : all_verbs()) {
    fmt::format_to(out, "complete -c mrc -n __fish_use_subcommand -f -a {} -d '{}'\n", verb->name,
                   quoted(verb->summary, ""));
    const std::string when =
        fmt::format("complete -c mrc -n '__fish_seen_subcommand_from {}'", verb->name);
    if (std::string words = words_behind(*verb); !words.empty()) {
      fmt::format_to(out, "{} -f -a '{}'\n", when, words);
    }
    for (const Option *option : options_of(*verb)) {
      std::string names;
      for (const std::string &name : option_names(*verb, *option)) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      const std::string words = choices_of(*option);
      fmt::format_to(out, "{}{}{}{} -d '{}'\n", when, names,
                     takes_file(*option)        ? " -r -F"
                     : option->value != nullptr ? " -x"
                                                : "",
                     words.empty() ? "" : fmt::format(" -a '{}'", words), quoted(option->help, ""));
    }
  }
  return text;
}

}  // namespace mrc
