// mrc help: what there is, or what one verb does.
#include "cmd/help.h"

#include "cmd/plugins.h"

namespace mrc {
namespace {

Status help(const Request &request, std::string *out) {
  if (request.arguments.empty()) *out = overview();
  for (const std::string &name : request.arguments) {
    const Verb *verb = find_verb(name);
    if (verb != nullptr) {
      *out += help_of(*verb, Request::Help::whole);
      continue;
    }
    if (name == "engine") {
      *out += help_of_engine();
      continue;
    }
    const Result<std::string> file = find_job_file(name, {});
    if (!file.is_ok()) return file.status();
    if (file->empty()) return unknown_verb(name);
    const Result<std::string> text = help_of_plugin(name, request);
    if (!text.is_ok()) return text.status();
    *out += *text;
  }
  return Status::ok();
}

}  // namespace

extern const Verb verb_help;
const Verb verb_help = {
    .name = "help",
    .arguments = "[VERB...]",
    .summary = "list the verbs, or print the help of one",
    .description =
        "Without VERB, lists the verbs. With VERB, prints its full help.\n"
        "engine: lists the containers and switches for experiments.",
    .examples = "  mrc help wordcount\n",
    .options = {},
    .errand = help,
};

}  // namespace mrc
