// mrc plugins: what there is of them, the beginnings of a new one, and whether one is sound.
#include "cmd/plugins.h"

#include "cmd/plugin_errands.h"
#include "cmd/values.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--lang", "LANGUAGE", "language of a new plugin", "c|c++|rust",
     [](Request *r, const std::string &value) {
       r->language = value;
       return Status::ok();
     }},
    {"--names", nullptr, "list: print only names, and load nothing", nullptr,
     [](Request *r, const std::string &) {
       r->names_only = true;
       return Status::ok();
     }},
    {"--set", "NAME=VALUE", "set an option of the jobs that are checked; may be repeated", nullptr,
     [](Request *r, const std::string &value) {
       r->settings.push_back(value);
       return Status::ok();
     },
     false, false, true},
    {"--timeout", "SECONDS", "stop a plugin that takes longer; default: 60", nullptr,
     [](Request *r, const std::string &value) {
       i64 seconds = 0;
       Status status = parse_integer(value, 1, 1000000, &seconds);
       r->time_limit = std::chrono::seconds(seconds);
       return status;
     }},
    kPluginOption,
    kForcePluginOption,
};

Result<bool> answer(const Request &request, std::string *out) {
  const std::vector<std::string> tasks = {"list", "new", "check"};
  if (request.arguments.empty()) return Status::error("plugins: needs one of list, new, check");
  const std::string &task = request.arguments[0];
  if (task == "list") return list_all_plugins(request, out);
  if (task == "new") return new_plugin(request, out);
  if (task == "check") return check_plugin(request, out);
  return Status::error("plugins: there is no \"" + task + "\"; there are list, new, check" +
                       did_you_mean(task, tasks));
}

}  // namespace

extern const Verb verb_plugins;
const Verb verb_plugins = {
    .name = "plugins",
    .arguments = "list | new NAME | check PLUGIN [JOB] [SAMPLE...]",
    .summary = "list plugins, begin one, or check one",
    .description =
        "list: the plugins that are found, their jobs and reducers, and what keeps them from\n"
        "being used. new NAME: a folder with a source that works, a Makefile and a sample.\n"
        "check: tries the rules of mrc-plugin(3) on values that are hard on programs and on\n"
        "the SAMPLE files, and prints an example for each fault; exit status 1, as if there\n"
        "are no rows to compare.",
    .examples =
        "  mrc plugins list\n"
        "  mrc plugins new longest --lang c          then: cd longest; make; make check\n"
        "  mrc plugins check ./longest.so sample.txt\n",
    .options = kOptions,
    .question = answer,
};

}  // namespace mrc
