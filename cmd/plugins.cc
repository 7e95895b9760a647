#include "cmd/plugins.h"

#include "base/names.h"
#include "cmd/messages.h"
#include "mrc_reader.h"
#include "plugin/opened_reducer.h"
#include "plugin/read_plugin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace mrc {
namespace {

Result<PluginPath> path_of(const AskedPlugins &ask, bool quiet) {
  Result<PluginPath> path = plugin_path(ask.places);
  if (path.is_ok() && !quiet) {
    for (const std::string &note : path->notes) say_info(note);
  }
  return path;
}

}  // namespace

constinit const Option kPluginOption = {
    "--plugin",
    "PATH",
    "also look for plugins in this file or directory; may be repeated",
    nullptr,
    [](Ask *r, const std::string &value) {
      r->plugins.places.push_back(value);
      return value.empty() ? Status::error("needs a file or a directory") : Status::ok();
    },
    Effect::state,
    false,
    false,
    true};

constinit const Option kForcePluginOption = {
    "--force-plugin",
    nullptr,
    "load plugins even if other users could have changed them",
    nullptr,
    set_flag<&Ask::plugins, &AskedPlugins::force>,
    Effect::conduct,
    true};

Result<std::shared_ptr<const Plugin>> load_named_plugin(const std::string &name,
                                                        const AskedPlugins &ask, bool quiet) {
  Result<PluginPath> path = path_of(ask, quiet);
  if (!path.is_ok()) return path.status();
  Result<std::string> file = find_plugin(name, *path);
  if (!file.is_ok()) return file.status();
  if (!file->empty()) return load_plugin(*file, ask.force);
  const std::string hint = name.ends_with(".so")
                               ? fmt::format("; for the file in this directory write ./{}", name)
                               : "; mrc plugins list shows all plugins";
  return Status::error(
      fmt::format("no plugin \"{}\" in {}{}", name, fmt::join(path->places, ", "), hint));
}

Result<std::string> find_job_file(const std::string &name,
                                  const std::vector<std::string> &arguments) {
  constexpr std::string_view kOption = "--plugin";
  if (name.find('/') != std::string::npos) return name.ends_with(".so") ? name : "";
  std::vector<std::string> given;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string &word = arguments[i];
    if (word == kOption && i + 1 < arguments.size()) given.push_back(arguments[i + 1]);
    if (word.starts_with("--plugin=")) given.push_back(word.substr(kOption.size() + 1));
  }
  Result<PluginPath> path = plugin_path(given);
  return path.is_ok() ? find_plugin(name, *path) : path.status();
}

std::vector<std::string> plugin_verbs(const PluginPath &path) {
  std::vector<std::string> names;
  for (const PluginFile &file : list_plugins(path)) {
    const bool found = file.rival.empty() && fault_of_name(file.name.c_str()) == nullptr;
    if (found && find_verb(file.name) == nullptr) names.push_back(file.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

std::string help_of_reducers(const Plugin &plugin) {
  if (plugin.reducers().empty()) return "";
  std::string text =
      fmt::format("\nAggregates, for mrc stats --plugin {} -a NAME:FIELD:\n", plugin.path());
  for (const mrc_reducer *reducer : plugin.reducers()) {
    text += fmt::format("  {:<20}{}\n",
                        reducer->parameters.count == 0 ? reducer->name : form_of(*reducer),
                        reducer->summary);
  }
  return text;
}

std::string help_of_reader(const Plugin &plugin) {
  if (plugin.reader() == nullptr) return "";
  return fmt::format("\nInputs, for all verbs:\n  {:<20}{}\n", input_form(plugin),
                     plugin.reader()->summary);
}

}  // namespace

std::string input_form(const Plugin &plugin) {
  return std::filesystem::path(plugin.path()).stem().string() + ":FILE";
}

Result<std::string> help_of_plugin(const std::string &name, const Ask &ask) {
  Result<std::shared_ptr<const Plugin>> plugin =
      load_named_plugin(name, ask.plugins, ask.reporting.quiet);
  if (!plugin.is_ok()) return plugin.status();
  std::string text;
  for (const mrc_job *job : (*plugin)->jobs()) {
    if ((*plugin)->find_job(name) != nullptr && job->name != name) continue;
    text += fmt::format("mrc {}: {}\n\nUsage: mrc {} [OPTIONS] [FILE...]\n", job->name,
                        job->summary, job->name);
    if (job->manual != nullptr && *job->manual != '\0') text += fmt::format("\n{}\n", job->manual);
    const std::string fields = describe_fields(*job);
    if (!fields.empty()) {
      text += fmt::format("\nFields of records, which --fields may replace:\n  {}\n", fields);
    }
    const std::string options = describe_options(*job);
    if (!options.empty()) text += "\nOptions of the job:\n" + options;
    text += fmt::format("\nFrom {} {} ({}). Options of all jobs: mrc run --help.\n",
                        (*plugin)->about().name, (*plugin)->about().version, (*plugin)->path());
  }
  const std::string about = fmt::format("{} {}: {}\n", (*plugin)->about().name,
                                        (*plugin)->about().version, (*plugin)->about().summary);
  if (text.empty()) text = about;
  return text + help_of_reducers(**plugin) + help_of_reader(**plugin);
}

}  // namespace mrc
