// The names of settings in messages.
#pragma once

#include <string>
#include <string_view>

namespace mrc {

// Returns the name as users write it, such as "--memory" for "memory". The program installs that
// spelling; without it, the name stands by itself.
std::string setting_name(std::string_view name);

// Installs the spelling. Call once, before other threads start.
void write_setting_names_by(std::string (*write)(std::string_view name));

}  // namespace mrc
