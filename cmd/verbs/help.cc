// mrc help: lists what there is, or shows the help of a verb or a page of the manual.
#include "cmd/help.h"

#include "cmd/pager.h"
#include "cmd/plugins.h"

namespace mrc {
namespace {

// Returns the help of a verb, or a page. If `struck`, letters are bold and underlined, for a pager.
Result<std::string> text_of(const std::string &name, const Request &request, bool struck) {
  if (const Verb *verb = find_verb(name)) return help_of(*verb, Request::Help::whole);
  if (name == kEngineTopic) return help_of_engine();
  if (const Page *page = find_page(name)) return struck ? struck_text(*page) : plain_text(*page);
  const Result<std::string> file = find_job_file(name, {});
  if (!file.is_ok()) return file.status();
  if (!file->empty()) return help_of_plugin(name, request);
  std::vector<std::string> pages;
  for (const Page *page : pages_beside_verbs()) pages.push_back(name_in_help(*page));
  return unknown_verb(name, "verb or page", std::move(pages));
}

// True for pages, which are long. Help of verbs is printed at once, as with --help.
bool asks_for_page(const Request &request) {
  return std::ranges::any_of(request.arguments, [](const std::string &name) {
    return find_verb(name) == nullptr && name != kEngineTopic && find_page(name) != nullptr;
  });
}

Status append_texts(const Request &request, bool struck, std::string *out) {
  for (const std::string &name : request.arguments) {
    const Result<std::string> text = text_of(name, request, struck);
    if (!text.is_ok()) return text.status();
    *out += *text;
  }
  return Status::ok();
}

Status help(const Request &request, std::string *out) {
  if (request.arguments.empty()) *out = overview();
  std::string struck;
  if (asks_for_page(request) && append_texts(request, true, &struck).is_ok()) {
    show_by_pager(struck);
  }
  return append_texts(request, false, out);
}

}  // namespace

extern const Verb verb_help;
const Verb verb_help = {
    .name = "help",
    .arguments = "[VERB|PAGE...]",
    .summary = "list the verbs, or print the help of one or a page of the manual",
    .description =
        "Without arguments, lists the verbs and the pages of the manual. With VERB, prints its "
        "full\n"
        "help. With PAGE, prints the page, on a terminal by $PAGER or less.\n"
        "engine: lists the containers and switches for experiments.",
    .examples = "  mrc help wordcount\n  mrc help guide\n",
    .options = {},
    .errand = help,
};

}  // namespace mrc
