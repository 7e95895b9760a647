// The process becomes the pager, and a child of it writes the text. So the pager has the terminal
// to itself, its exit status is ours, and SIGINT needs no handling.
#include "cmd/help.h"

#include "cmd/help_entries.h"
#include "cmd/plugins.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace mrc {
namespace {

bool has_terminal() {
  const char *term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

[[noreturn]] void write_and_exit(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(to, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<size_t>(written));
  }
  _exit(0);
}

// Returns if no pager can be started.
void become_pager() {
  // Makes less quit if the text fits, and leave it on the screen.
  setenv("LESS", "FRX", 0);
  setenv("LESSCHARSET", "utf-8", 0);
  const char *pager = std::getenv("PAGER");
  if (pager != nullptr && *pager != '\0') execl("/bin/sh", "sh", "-c", pager, nullptr);
  execlp("less", "less", nullptr);
  execlp("more", "more", nullptr);
}

// If standard output is a terminal, replaces this process by $PAGER or less(1) with the text.
// Returns if it is not, or if no pager can be started. REQUIRES: one thread
void show_by_pager(const std::string &text) {
  int ends[2];
  if (!has_terminal() || pipe(ends) != 0) return;
  const pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    write_and_exit(ends[1], text);
  }
  close(ends[1]);
  const int input = dup(STDIN_FILENO);
  if (writer > 0) {
    dup2(ends[0], STDIN_FILENO);
    signal(SIGPIPE, SIG_DFL);
    become_pager();
    signal(SIGPIPE, SIG_IGN);
    dup2(input, STDIN_FILENO);
  }
  close(input);
  close(ends[0]);
}

// mrc help: lists what there is, or shows the help of a verb or a page of the manual.

// Returns the help of a verb, or a page; "" if the name is neither. If `struck`, letters are bold
// and underlined, for a pager.
std::string text_of_topic(const std::string &name, bool struck) {
  if (const Verb *verb = find_verb(name)) return help_of(*verb, Ask::Help::whole);
  if (name == kEngineTopic) return help_of_engine();
  const Page *page = find_page(name);
  if (page == nullptr) return "";
  return struck ? struck_text(*page) : without_strikes(struck_text(*page));
}

Status unknown_name(const std::string &name) {
  std::vector<std::string> names = names_of_entries();
  for (const Page *page : pages_beside_verbs()) names.push_back(name_in_help(*page));
  return unknown_verb(name, "help on", std::move(names));
}

// Returns the help of a topic or a plugin, and the entries of the manual about the name.
Result<std::string> text_of(const std::string &name, const Ask &ask, bool struck) {
  std::string text = text_of_topic(name, struck);
  const bool is_page = !text.empty() && find_verb(name) == nullptr;
  const std::string entries = is_page ? "" : help_of_name(name);
  if (text.empty()) {
    const Result<std::string> file = find_job_file(name, {});
    if (file.is_ok() && !file->empty()) {
      Result<std::string> of_plugin = help_of_plugin(name, ask);
      if (!of_plugin.is_ok()) return of_plugin;
      text = std::move(*of_plugin);
    } else if (entries.empty()) {
      return file.is_ok() ? unknown_name(name) : file.status();
    }
  }
  if (!text.empty() && !entries.empty()) text += '\n';
  return text + entries;
}

// True for pages, which are long. Help of verbs is printed at once, as with --help.
bool asks_for_page(const Ask &ask) {
  return std::ranges::any_of(ask.arguments, [](const std::string &name) {
    return find_verb(name) == nullptr && name != kEngineTopic && find_page(name) != nullptr;
  });
}

Status append_texts(const Ask &ask, bool struck, std::string *out) {
  for (const std::string &name : ask.arguments) {
    const Result<std::string> text = text_of(name, ask, struck);
    if (!text.is_ok()) return text.status();
    if (!out->empty()) *out += '\n';
    *out += *text;
  }
  return Status::ok();
}

Status help(const Ask &ask, std::string *out) {
  if (ask.arguments.empty()) *out = overview();
  std::string struck;
  if (asks_for_page(ask) && append_texts(ask, true, &struck).is_ok()) {
    show_by_pager(struck);
  }
  return append_texts(ask, false, out);
}

}  // namespace

extern const Verb verb_help;
const Verb verb_help = {
    .name = "help",
    .arguments = "[VERB|PAGE|NAME...]",
    .summary = "list the verbs, or print the help of one or a page of the manual",
    .description =
        "Without arguments, lists the verbs and the pages of the manual. With VERB, prints its "
        "full\n"
        "help. With PAGE, prints the page, on a terminal by $PAGER or less. With NAME, prints "
        "what\n"
        "the manual says about the function, aggregate, bucket, kind or format of this name.\n"
        "engine: lists the containers and switches for experiments.",
    .examples = "  mrc help wordcount\n  mrc help guide\n  mrc help cumsum p95 time:hour nginx\n",
    .options = {},
    .errand = help,
};

}  // namespace mrc
