
#include "cmd/help.h"
#include "cmd/help_entries.h"
#include "cmd/parse.h"
#include "cmd/values.h"
#include "cmd/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

// Command by which a shell lists the verbs of plugins. It loads no plugin.
constexpr const char *kPluginNames = "mrc plugins list --names 2>/dev/null";

std::string verb_names(const char *separator) {
  std::string names;
  for (const Verb *verb : all_verbs())
    names += (names.empty() ? "" : separator) + std::string(verb->name);
  return names;
}

// Returns all topics of mrc help, except for the names of plugins.
std::string topics_of_help() {
  std::string topics = verb_names(" ") + " " + std::string(kEngineTopic);
  for (const Page *page : pages_beside_verbs()) topics += " " + name_in_help(*page);
  for (const std::string &name : names_of_entries()) {
    const bool is_verb = find_verb(name) != nullptr;  // which is there already
    if (!is_verb) topics += " " + name;
  }
  return topics;
}

// Returns the words that are expected after a verb, besides options. After help, names of plugins
// are, too.
std::string words_after(const Verb &verb) {
  const std::string name = verb.name;
  if (name == "completion") return "bash zsh fish";
  if (name == "plugins") return "list new check";
  if (name == "state") return "show check drop";
  if (name == "serve") return "status cancel";
  return name == "help" ? topics_of_help() : "";
}
bool takes_plugins(const Verb &verb) { return std::string(verb.name) == "help"; }

std::string words_of(const Verb &verb, const Option &option) {
  return fmt::format("{}", fmt::join(choices_of(verb, option), " "));
}

bool takes_file(const Option &option) {
  return option.value != nullptr && std::string(option.value) == "FILE";
}

// Quotes text for single quotes, with a backslash before each character of `special`.
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

std::string bash_completion() {
  std::string values, options;
  for (const Verb *verb : all_verbs()) {
    std::string names = words_after(*verb);
    for (const Option *option : options_of(*verb)) {
      for (const std::string &name : option_names(*verb, *option)) {
        names += std::string(names.empty() ? "" : " ") + name;
        if (!option->takes_argument() || takes_file(*option)) continue;
        fmt::format_to(std::back_inserter(values), "    {}:{}) words='{}' ;;\n", verb->name, name,
                       words_of(*verb, *option));
      }
    }
    fmt::format_to(std::back_inserter(options), "        {}) words+=' {}' ;;\n", verb->name, names);
  }
  return fmt::format(R"(# bash completion for mrc
_mrc() {{
  local verb=${{COMP_WORDS[1]}} cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
  local words='' i
  # The verb of a later stage follows then.
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${{COMP_WORDS[i]}} != 'then' ]] || verb=${{COMP_WORDS[i + 1]}}
  done
  COMPREPLY=()
  # bash splits --name=value at the sign.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if [[ $COMP_CWORD -gt 2 && $prev == 'then' ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$({1}) {0}" -- "$cur")
    return
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{0} $({1}) --help --version" -- "$cur")
    return
  fi
  # Any other verb is the job of a plugin.
  case $verb in
    {2}) ;;
    *) verb=run ;;
  esac
  case $verb:$prev in
{3}    *:-o | *:--output) return ;;
    *)
      case $verb:$COMP_CWORD:$cur in
        *:-*) ;;
        help:*) words=$({1}) ;;
        completion:* | plugins:2:*) ;;
        *) return ;;
      esac
      case $verb in
{4}      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}}
complete -o default -F _mrc mrc
)",
                     verb_names(" "), kPluginNames, verb_names(" | "), values, options);
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
                       !option->takes_argument() ? ""
                       : name[1] == '-'          ? "="
                                                 : "+",
                       quoted(option->help, "[]:\\"));
        if (takes_file(*option)) {
          fmt::format_to(out, ":file:_files");
        } else if (option->takes_argument()) {
          std::string words = words_of(*verb, *option);
          fmt::format_to(out, ":{}:{}", quoted(option->value, ":[]"),
                         words.empty() ? " " : "(" + quoted(words, ":") + ")");
        }
        cases += "'";
      }
    }
    std::string words = words_after(*verb);
    if (takes_plugins(*verb)) words += " $plugins";
    fmt::format_to(out, " \\\n        \"*:{}\" ;;\n",
                   words.empty() ? "file:_files" : "word:(" + words + ")");
  }
  return fmt::format(R"zsh(#compdef mrc
# zsh completion for mrc
_mrc() {{
  local -a verbs=(
{}  )
  local -a plugins=(${{(f)"$({})"}})
  # The verb of a later stage follows then.
  local then=${{words[(I)then]}}
  if (( then > 2 && then < CURRENT )); then
    shift $(( then - 1 )) words
    (( CURRENT -= then - 1 ))
  fi
  if (( CURRENT == 2 )); then
    _describe verb verbs
    _describe plugin plugins
    return
  fi
  local verb=$words[2]
  # Any other verb is the job of a plugin.
  (( ${{verbs[(I)$verb:*]}} )) || verb=run
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
)zsh",
                     verbs, kPluginNames, cases);
}

std::string fish_completion() {
  std::string text = fmt::format(R"(# fish completion for mrc
# Any verb but these is the job of a plugin, and has the options of run.
function __mrc_runs_plugin
  set -l words (commandline -opc)
  set -q words[2]; or return 1
  test $words[2] = run; or not contains -- $words[2] {}
end
complete -c mrc -n __fish_use_subcommand -f -a '({})' -d 'a plugin'
# The verb of a later stage follows then.
function __mrc_then
  set -l words (commandline -opc)
  test (count $words) -gt 2; and test $words[-1] = then
end
complete -c mrc -n __mrc_then -f -a '{}'
)",
                                 verb_names(" "), kPluginNames, verb_names(" "));
  auto out = std::back_inserter(text);
  for (const Verb *verb : all_verbs()) {
    fmt::format_to(out, "complete -c mrc -n __fish_use_subcommand -f -a {} -d '{}'\n", verb->name,
                   quoted(verb->summary, ""));
    const std::string runs = std::string(verb->name) == "run"
                                 ? "__mrc_runs_plugin"
                                 : fmt::format("__fish_seen_subcommand_from {}", verb->name);
    const std::string when = fmt::format("complete -c mrc -n '{}'", runs);
    std::string words = words_after(*verb);
    if (takes_plugins(*verb)) words += fmt::format(" ({})", kPluginNames);
    if (!words.empty()) {
      fmt::format_to(out, "{} -f -a '{}'\n", when, words);
    }
    for (const Option *option : options_of(*verb)) {
      std::string names;
      for (const std::string &name : option_names(*verb, *option)) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      const std::string values = words_of(*verb, *option);
      fmt::format_to(out, "{}{}{}{} -d '{}'\n", when, names,
                     takes_file(*option)        ? " -r -F"
                     : option->takes_argument() ? " -x"
                                                : "",
                     values.empty() ? "" : fmt::format(" -a '{}'", values),
                     quoted(option->help, ""));
    }
  }
  return text;
}

// mrc completion: prints scripts for tab completion, made from the option tables.

Status completion(const Ask &ask, std::string *out) {
  const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  if (ask.arguments.size() != 1) {
    return Status::error("completion: needs one of bash, zsh, fish");
  }
  const std::string &shell = ask.arguments[0];
  if (shell == "bash") *out = bash_completion();
  if (shell == "zsh") *out = zsh_completion();
  if (shell == "fish") *out = fish_completion();
  if (out->empty()) {
    return Status::error("completion: no script for \"" + shell + "\"; there are bash, zsh, fish" +
                         did_you_mean(shell, shells));
  }
  return Status::ok();
}

}  // namespace

extern const Verb verb_completion;
const Verb verb_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a script for tab completion",
    .description = "Prints a script that lets a shell complete verbs, options and their values.",
    .examples =
        "  source <(mrc completion bash)       in ~/.bashrc\n"
        "  source <(mrc completion zsh)        in ~/.zshrc, after compinit\n"
        "  mrc completion fish | source        in ~/.config/fish/config.fish\n",
    .options = {},
    .errand = completion,
};

}  // namespace mrc
