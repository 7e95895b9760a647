// mrc plugins: lists, creates or checks plugins.
#include "cmd/plugins.h"

#include "cmd/values.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--lang", "LANGUAGE", "language of a new plugin", "c|c++|rust",
     [](Ask *r, const std::string &value) {
       r->plugins.language = value;
       return Status::ok();
     }},
    {"--names", nullptr, "list: print only names, and load nothing", nullptr,
     set_flag<&Ask::plugins, &AskedPlugins::names_only>},
    {"--set", "NAME=VALUE", "set an option of the jobs that are checked; may be repeated", nullptr,
     add_text<&Ask::plugins, &AskedPlugins::settings>, Effect::state, false, false, true},
    {"--timeout", "SECONDS", "stop a plugin that takes longer; default: 60", nullptr,
     [](Ask *r, const std::string &value) {
       i64 seconds = 0;
       Status status = parse_integer(value, 1, 1000000, &seconds);
       r->plugins.time_limit = std::chrono::seconds(seconds);
       return status;
     }},
    kPluginOption,
    kForcePluginOption,
};

Result<bool> answer(const Ask &ask, std::string *out) {
  const std::vector<std::string> tasks = {"list", "new", "check"};
  if (ask.arguments.empty()) return Status::error("plugins: needs one of list, new, check");
  const std::string &task = ask.arguments[0];
  if (task == "list") return list_all_plugins(ask, out);
  if (task == "new") return new_plugin(ask, out);
  if (task == "check") return check_plugin(ask, out);
  return Status::error("plugins: no task \"" + task + "\"; there are list, new, check" +
                       did_you_mean(task, tasks));
}

}  // namespace

extern const Verb verb_plugins;
const Verb verb_plugins = {
    .name = "plugins",
    .arguments = "list | new NAME | check PLUGIN [JOB] [SAMPLE...]",
    .summary = "list, create or check plugins",
    .description =
        "list prints the plugins on the plugin path, their jobs and reducers, and why one cannot\n"
        "be used. new NAME creates a directory with a working plugin: source, Makefile, sample.\n"
        "check tests a plugin against the rules of mrc-plugin(3), on generated values and on the\n"
        "SAMPLE files, and prints an example for each fault. The exit status is 1 if there is a\n"
        "fault, or if there are no rows to compare.",
    .examples =
        "  mrc plugins list\n"
        "  mrc plugins new longest --lang c          then: cd longest; make; make check\n"
        "  mrc plugins check ./longest.so sample.txt\n",
    .options = kOptions,
    .question = answer,
};

}  // namespace mrc
