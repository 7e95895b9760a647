// plugin: inputs that the readers of plugins open (mrc_reader).
#pragma once

#include "input/collection.h"
#include "plugin/plugin.h"

#include <memory>
#include <string>

namespace mrc {

// Opens NAME:TEXT if there is a plugin of this name, by the rules of find_plugin(); or
// PATH.so:TEXT, with a slash in the path. Null: the name has another form, or there is no such
// plugin. For open_other_collections_by().
Result<std::shared_ptr<Collection>> open_plugin_input(const std::string &name);

// Opens an input of the plugin's reader. `name`: of the input, for messages. REQUIRES: it has one
Result<std::shared_ptr<Collection>> open_plugin_input(const Plugin &plugin, const std::string &name,
                                                      const std::string &text);

}  // namespace mrc
