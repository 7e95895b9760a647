// Messages of mrc on standard error.
#pragma once

#include <string>

namespace mrc {

// Makes spdlog write "mrc: LEVEL: MESSAGE", one line per message. Names and arguments in it are
// escaped, because text of unknown origin must not act on a terminal.
void begin_messages();

// Each prints one message.
void say_info(const std::string &message);
void say_warning(const std::string &message);
void say_error(const std::string &message);

// Returns a text as messages show it.
std::string visible(const std::string &text);

}  // namespace mrc
