// What mrc says on standard error.
#pragma once

#include <string>

namespace mrc {

// From now on spdlog writes "mrc: LEVEL: MESSAGE", one line for each message: names and
// arguments are other people's text, and nothing of it acts on a terminal.
void begin_messages();

// A text as messages show it.
std::string visible(const std::string &text);

}  // namespace mrc
