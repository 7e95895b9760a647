// mrc run: runs a job of a plugin.
#include "cmd/plugins.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--set", "NAME=VALUE", "set an option of the job; may be repeated", nullptr,
     [](Request *r, const std::string &value) {
       r->settings.push_back(value);
       return Status::ok();
     },
     Effect::state, false, false, true},
    kStrictOption,
    kBadOption,
    kPluginOption,
    kForcePluginOption,
};

Status prepare(Request *request) {
  if (!request->plugin_name.empty()) {
    request->arguments.insert(request->arguments.begin(), request->plugin_name);
  }
  if (request->arguments.empty()) {
    return Status::error("needs a plugin: mrc run ./x.so [JOB] [FILE...]");
  }
  return prepare_plugin_job(take_operand(request), request);
}

// The operands are the plugin, and perhaps its job. If the plugin cannot be loaded, the job reports
// it.
i64 count_operands(Request *request) {
  const Status status = prepare(request);
  return status.is_ok() ? std::ssize(request->job.operands) : 1;
}

}  // namespace

extern const Verb verb_run;
const Verb verb_run = {
    .name = "run",
    .arguments = "PLUGIN [JOB] [FILE...]",
    .summary = "run a job of a plugin",
    .description =
        "Runs a MapReduce job from a plugin, which is a shared library. Name the plugin by its "
        "path,\n"
        "with a slash in it, or by its name on the plugin path: --plugin, MRC_PLUGIN_PATH,\n"
        "~/.local/lib/mrc, and ../lib/mrc from the directory of mrc. A job that has the name of "
        "its\n"
        "file is also a verb: mrc NAME [FILE...]. mrc help NAME says what the job reads and "
        "prints,\n"
        "and which options it has. A plugin is code that runs with all your rights.",
    .examples =
        "  mrc run ./sessions.so clicks.tsv           a plugin of your own\n"
        "  mrc kmeans --set clusters=8 points.txt     a plugin that came with mrc\n"
        "  mrc histogram --to json picture.bmp        rows as JSON\n",
    .options = kOptions,
    .prepare = prepare,
    .operands = count_operands,
};

}  // namespace mrc
