// What --from and its like take: formats of the table, patterns, and formats that users keep under
// names of their own.
#pragma once

#include "base/status.h"
#include "fields/fields.h"

#include <string>
#include <string_view>

namespace mrc {

// As in Option: "auto", the formats, and "pattern:".
const char *format_choices();

// What a name stands for: "pattern:" and the pattern that the user's file of formats has for it,
// and then `origin` says so; else itself. Error: the file cannot be read, or not as it should be.
Result<std::string> meaning_of_format(const std::string &name, std::string *origin);

// Says to the spec which of the choices was made.
Status choose_input(const std::string &choice, FormatSpec *spec);

// The pattern that such a file has for a name, nothing if it has none. Each line is a name, blanks
// and a pattern; a line that begins with # is a comment. `path`: of the file, for messages. An
// error in another line than that of the name is none.
Result<std::string> find_own_format(std::string_view text, const std::string &path,
                                    const std::string &name);
// $XDG_CONFIG_HOME/mrc/formats, or ~/.config/mrc/formats; "" if neither variable is set.
std::string own_formats_path();

}  // namespace mrc
