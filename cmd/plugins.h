// Finds and runs plugins by their names on the command line.
#pragma once

#include "cmd/verb.h"
#include "plugin/plugin.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Runs a function in a child process, because it may crash.
struct ChildEnd {
  std::string out;        // reports, even if it crashed in the end
  std::string err;        // stderr of the child
  int status = 0;         // as from waitpid()
  bool whole = false;     // `work` has returned, and nothing else ended the process
  bool overtime = false;  // stopped, because its time was up

  bool crashed() const;
  int code() const;  // REQUIRES: !crashed()
};

// Calls `work` in a child process, which ends with the returned code, at the time limit, or with
// this process. Reports of `work` are sent at once; what it prints is discarded. REQUIRES: no other
// threads
using Reporter = std::function<void(const std::string &)>;
ChildEnd in_child(std::chrono::seconds limit, const std::function<int(const Reporter &)> &work);

// Returns a line about a plugin that has ended the child, or was stopped. REQUIRES: !end.whole
std::string describe_end(const ChildEnd &end, std::chrono::seconds limit);

// Options of verbs that load plugins, for their tables.
extern const Option kPluginOption;
extern const Option kForcePluginOption;

// Loads the plugin of a name or a path. It is an error if there is no such plugin. Unless `quiet`,
// notes on stderr what the search skipped.
Result<std::shared_ptr<const Plugin>> load_named_plugin(const std::string &name,
                                                        const AskedPlugins &ask, bool quiet);
// Returns the path of the plugin's file if a word that is not a verb may be a plugin's job, else
// "". A word with a slash is a plugin only if it ends in .so, because it may be a file after a
// forgotten verb.
Result<std::string> find_job_file(const std::string &name,
                                  const std::vector<std::string> &arguments);

// Returns the sorted names of the files in these places that can be run as verbs, except for names
// of mrc's own verbs. Files are not opened, so some may turn out not to be plugins.
std::vector<std::string> plugin_verbs(const PluginPath &path);

// Returns how users name an input of the plugin's reader: "pcap:FILE".
std::string input_form(const Plugin &plugin);

// Returns the whole help of a plugin's jobs, and a line for each of its reducers and its reader.
Result<std::string> help_of_plugin(const std::string &name, const Ask &ask);

// The tasks of mrc plugins. Each appends its output, and returns true if all is well.

// Lists the plugins that are found, and what they offer.
Result<bool> list_all_plugins(const Ask &ask, std::string *out);
// Makes a directory with a plugin to start from.
Result<bool> new_plugin(const Ask &ask, std::string *out);
// Tests the laws of a plugin's jobs and reducers.
Result<bool> check_plugin(const Ask &ask, std::string *out);

}  // namespace mrc
