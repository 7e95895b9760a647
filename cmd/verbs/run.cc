// mrc run: a job of a plugin.
#include "cmd/plugins.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--set", "NAME=VALUE", "an option of the job's own; may be repeated", nullptr,
     [](Request *r, const std::string &value) {
       r->settings.push_back(value);
       return Status::ok();
     },
     false, false, true},
    kStrictOption,
    kBadOption,
    kPluginOption,
    kForcePluginOption,
};

Status prepare(Request *request) {
  std::string name = request->plugin_name;
  if (name.empty()) {
    if (request->arguments.empty()) {
      return Status::error("needs a plugin: mrc run ./x.so [JOB] [FILE...]");
    }
    name = request->arguments.front();
    request->arguments.erase(request->arguments.begin());
  }
  return prepare_plugin_job(name, request);
}

}  // namespace

extern const Verb verb_run;
const Verb verb_run = {
    .name = "run",
    .arguments = "PLUGIN [JOB] [FILE...]",
    .summary = "run a job of a plugin",
    .description =
        "Runs a MapReduce job that somebody else has written: a shared object that is named by\n"
        "its path, with a slash in it, or by its name on the plugin path (--plugin,\n"
        "MRC_PLUGIN_PATH, ~/.local/lib/mrc, and where mrc is installed). A job whose file has\n"
        "its name is a verb, too: mrc NAME [FILE...]. What it reads, what it prints and which\n"
        "options it has, mrc help NAME tells. A plugin is code that runs as you.",
    .examples =
        "  mrc run ./sessions.so clicks.tsv           a plugin of your own\n"
        "  mrc kmeans --set clusters=8 points.txt     one that came with mrc\n"
        "  mrc histogram --to json picture.bmp        rows as JSON\n",
    .options = kOptions,
    .prepare = prepare,
};

}  // namespace mrc
