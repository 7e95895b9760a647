// Quotes text as one word of a sh(1) command.
#pragma once

#include <string>
#include <string_view>

namespace mrc {

// Uses single quotes, within which the shell keeps every byte.
std::string shell_word(std::string_view text);

}  // namespace mrc
