// mrc plugins list. Each plugin is loaded in a process of its own, so that one that crashes is a
// line of the list.
#include "cmd/child.h"
#include "cmd/messages.h"
#include "cmd/plugin_errands.h"
#include "cmd/plugins.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

std::string offers_of(const Plugin &plugin) {
  const std::vector<std::string> aggregates = aggregate_names();
  std::string text;
  for (const mrc_job *job : plugin.jobs()) {
    text += visible(fmt::format("  job      {:<20} {}", job->name, job->summary)) + "\n";
  }
  for (const mrc_reducer *reducer : plugin.reducers()) {
    text += visible(fmt::format("  reducer  {:<20} {}", reducer->name, reducer->summary)) + "\n";
    if (std::find(aggregates.begin(), aggregates.end(), reducer->name) == aggregates.end())
      continue;
    text += fmt::format("    is for jobs: mrc stats -a {} is an aggregate of mrc itself\n",
                        reducer->name);
  }
  return text;
}

// Appends the entry of one file. Returns true if it can be loaded and found.
bool append_entry(const PluginFile &file, const Request &request, std::string *out) {
  const ChildEnd end = in_child(request.time_limit, [&](const Reporter &report) {
    const Result<std::shared_ptr<const Plugin>> plugin =
        load_plugin(file.path, request.force_plugin);
    if (!plugin.is_ok()) {
      report("  cannot be used: " + visible(plugin.status().message()) + "\n");
      return 1;
    }
    const mrc_plugin &about = (*plugin)->about();
    report(visible(fmt::format("  {} {}: {}", about.name, about.version, about.summary)) + "\n" +
           offers_of(**plugin));
    return 0;
  });
  *out += visible(fmt::format("{}  {}", file.name, file.path)) + "\n" + end.out;
  if (!end.whole) *out += "  cannot be used: " + describe_end(end, request.time_limit);
  if (!file.rival.empty()) {
    *out += "  cannot be found by its name: there is another one, " + visible(file.rival) + "\n";
  } else if (find_verb(file.name) != nullptr) {
    *out +=
        fmt::format("  is not run by mrc {0}, a verb of mrc itself; use mrc run {0}\n", file.name);
  }
  return end.whole && end.code() == 0 && file.rival.empty();
}

}  // namespace

Result<bool> list_all_plugins(const Request &request, std::string *out) {
  if (request.arguments.size() > 1) return Status::error("plugins: list takes no arguments");
  const Result<PluginPath> path = plugin_path(request.plugins);
  if (!path.is_ok()) return path.status().within("plugins");
  for (const std::string &note : path->notes) say_info(note);
  if (request.names_only) {
    for (const std::string &name : plugin_verbs(*path)) *out += name + "\n";
    return true;
  }
  bool good = true;
  for (const PluginFile &file : list_plugins(*path)) {
    good = append_entry(file, request, out) && good;
  }
  if (out->empty()) {
    say_info(fmt::format("no plugins found in {}", fmt::join(path->places, ", ")));
  }
  return good;
}

}  // namespace mrc
