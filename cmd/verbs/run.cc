// mrc run: runs a job of a plugin.
#include "base/names.h"
#include "cmd/job_fields.h"
#include "cmd/plugins.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--set", "NAME=VALUE", "set an option of the job; may be repeated", nullptr,
     add_text<&Ask::plugins, &AskedPlugins::settings>, Effect::state, false, false, true},
    {"--fields", "NAME=FIELD,...", "give the job these fields in place of those that it names",
     nullptr, set_text<"needs NAME=FIELD", &Ask::plugins, &AskedPlugins::fields>, Effect::state,
     false, true},
    kLookupOption,
    kPluginOption,
    kForcePluginOption,
};

const Absent kAbsent[] = {
    {"-k, --key", "the job makes its own keys; --fields NAME=FIELD replaces a field that it names"},
    {"--within",
     "jobs of plugins have no functions of earlier records; mrc select computes them in a "
     "stage before"},
};

// The operands are the plugin, and perhaps its job. If the plugin cannot be loaded, compiling
// reports it.
i64 count_operands(const Ask &ask) {
  const std::vector<std::string> &words = ask.arguments;
  if (words.size() < 2) return 1;
  const auto plugin = load_named_plugin(words[0], ask.plugins, true);
  return plugin.is_ok() && (*plugin)->find_job(words[1]) != nullptr ? 2 : 1;
}

std::vector<std::string> job_names(const Plugin &plugin) {
  std::vector<std::string> names;
  for (const mrc_job *job : plugin.jobs()) names.push_back(job->name);
  return names;
}

// Returns the job that the operands name; otherwise the job that has the name of the file, or the
// only job.
Result<const mrc_job *> choose_job(const Plugin &plugin, const Job &asked) {
  if (asked.operands.size() > 1) return plugin.find_job(asked.operands[1]);
  const std::string stem = std::filesystem::path(asked.operands[0]).stem();
  if (const mrc_job *job = plugin.find_job(stem)) return job;
  if (plugin.jobs().size() == 1) return plugin.jobs().front();
  if (plugin.jobs().empty()) {
    const char *use = plugin.reader() == nullptr ? "use its reducers in mrc stats -a"
                                                 : "its reader is for inputs of other verbs";
    return Status::error(fmt::format("{}: it has no jobs; {}", plugin.path(), use));
  }
  const std::vector<std::string> names = job_names(plugin);
  return Status::error(fmt::format(
      "{}: it has several jobs; name one of {}{}", plugin.path(), fmt::join(names, ", "),
      asked.inputs.empty() ? "" : did_you_mean(asked.inputs.front(), names)));
}

void compile_map(const PluginJob &plugin, const Ask &ask, MapSpec *map) {
  *map = plugin.map_spec();
  map->ignore_case = ask.ignore_case;
  map->terminator = ask.input.terminator;
}

Status compile_input(const PluginJob &plugin, const Ask &ask, Compiled *compiled) {
  if (ask.ignore_case && plugin.maps()) {
    return Status::error("--ignore-case: this job makes its own keys");
  }
  if (plugin.reads_fields()) return compile_job_fields(plugin, ask, compiled);
  if (Status status = refuse_field_options(plugin, *compiled); !status.is_ok()) return status;
  compile_map(plugin, ask, &compiled->program.map);
  return Status::ok();
}

Status compile_job(const std::shared_ptr<const PluginJob> &job, const Ask &ask,
                   Compiled *compiled) {
  Program *program = &compiled->program;
  program->stage = &kPluginStage;
  program->plugin = job;
  if (Status status = compile_input(*job, ask, compiled); !status.is_ok()) return status;
  program->aggregation = job->aggregation();
  program->plugin_format = job->formats() && asked_format(ask) == nullptr;
  if (Status status = compile_rows(ask, job->key_shape(), compiled); !status.is_ok()) {
    return status;
  }
  const bool is_ordered = !ask.by.empty() || ask.direction != Ask::Direction::natural;
  program->plugin_order = job->orders() && !is_ordered;
  program->quiet = ask.reporting.quiet;
  return Status::ok();
}

Status compile_run(const Ask &ask, Compiled *compiled) {
  if (ask.arguments.empty()) {
    return Status::error("needs a plugin: mrc run ./x.so [JOB] [FILE...]");
  }
  Result<std::shared_ptr<const Plugin>> plugin =
      load_named_plugin(ask.arguments[0], ask.plugins, ask.reporting.quiet);
  if (!plugin.is_ok()) return plugin.status();
  Result<const mrc_job *> found = choose_job(**plugin, compiled->job);
  if (!found.is_ok()) return found.status();
  Result<Settings> settings = Settings::parse(**found, ask.plugins.settings);
  if (!settings.is_ok()) return settings.status();
  return compile_job(
      std::make_shared<PluginJob>(*plugin, **found, std::move(*settings), ask.display.style), ask,
      compiled);
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
        "and which options it has. Field options are for jobs that get fields of records. A plugin "
        "is code that runs with all your rights.",
    .examples =
        "  mrc run ./sessions.so clicks.tsv           a plugin of your own\n"
        "  mrc run ./sessions.so -w 'status == 200' access.log\n"
        "                                             of a log, if the job asks for fields\n"
        "  mrc kmeans --set clusters=8 points.txt     a plugin that came with mrc\n"
        "  mrc histogram --to json picture.bmp        rows as JSON\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_run,
    .operands = count_operands,
    .reads_fields = true,
};

}  // namespace mrc
