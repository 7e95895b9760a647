// Finds and runs plugins by their names on the command line.
#pragma once

#include "cmd/verb.h"
#include "plugin/plugin.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Options of verbs that load plugins, for their tables.
extern const Option kPluginOption;
extern const Option kForcePluginOption;

// Loads the plugin of a name or a path. Notes on stderr what the search skipped. It is an error if
// there is no such plugin.
Result<std::shared_ptr<const Plugin>> load_named_plugin(const std::string &name,
                                                        const Request &request);
// Returns the path of the plugin's file if a word that is not a verb may be a plugin's job, else
// "". A word with a slash is a plugin only if it ends in .so, because it may be a file after a
// forgotten verb.
Result<std::string> find_job_file(const std::string &name,
                                  const std::vector<std::string> &arguments);

// Returns the sorted names of the files in these places that can be run as verbs, except for names
// of mrc's own verbs. Files are not opened, so some may turn out not to be plugins.
std::vector<std::string> plugin_verbs(const PluginPath &path);

// Returns the whole help of a plugin's jobs, and a line for each of its reducers.
Result<std::string> help_of_plugin(const std::string &name, const Request &request);

// Fills the request's job from a job of the plugin `name`. The first argument may be the name of
// the job. Called by `prepare`.
Status prepare_plugin_job(const std::string &name, Request *request);

}  // namespace mrc
