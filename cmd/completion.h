// Completion scripts for shells.
#pragma once

#include <string>

namespace mrc {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace mrc
