// Plugins as the command line names them.
#pragma once

#include "cmd/verb.h"
#include "plugin/plugin.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The options of verbs that load plugins, for their tables.
extern const Option kPluginOption;       // --plugin
extern const Option kForcePluginOption;  // --force-plugin

// The plugin that a name or a path stands for; what was left out is noted on stderr.
// An error if there is none.
Result<std::shared_ptr<const Plugin>> load_named_plugin(const std::string &name,
                                                        const Request &request);
// Whether a word that is no verb might be a plugin's job: the path of its file, or "". With a
// slash it is one if it ends in .so: others have forgotten the verb before a file.
Result<std::string> find_job_file(const std::string &name,
                                  const std::vector<std::string> &arguments);

// Names of the files in these places that can be run as verbs, in order. Files are not opened:
// what is a plugin shows when it is run. Verbs of mrc itself are not among them.
std::vector<std::string> plugin_verbs(const PluginPath &path);

// The whole help of a plugin's jobs, and a line for each of its reducers.
Result<std::string> help_of_plugin(const std::string &name, const Request &request);

// Fills the request's job from a job of a plugin: `name` is the plugin, and its job is the
// first argument, if it is the name of one. Called by `prepare`.
Status prepare_plugin_job(const std::string &name, Request *request);

}  // namespace mrc
