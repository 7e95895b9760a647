// Text as one word of a command of sh(1).
#pragma once

#include <string>
#include <string_view>

namespace mrc {

// In single quotes: the shell takes every byte as it is.
std::string shell_word(std::string_view text);

}  // namespace mrc
