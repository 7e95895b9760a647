// How messages name what users can set.
#pragma once

#include <string>
#include <string_view>

namespace mrc {

// The name as users write it: "--memory" for "memory". The library does not know how they write
// it: the name stands by itself unless the program above it has said more.
std::string setting_name(std::string_view name);

// Once, before other threads start.
void write_setting_names_by(std::string (*write)(std::string_view name));

}  // namespace mrc
