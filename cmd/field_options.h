// The values of --from and similar options: formats of the table, patterns, and formats that users
// keep under names of their own.
#pragma once

#include "base/status.h"
#include "fields/fields.h"

#include <string>
#include <string_view>

namespace mrc {

// Returns the choices, as in Option: "auto", the formats, and "pattern:".
const char *format_choices();

// Returns "pattern:" and the pattern, if the user's file of formats has the name; `origin` is set
// to its place. Returns any other name itself. It is an error if the file cannot be read, or the
// pattern is invalid.
Result<std::string> meaning_of_format(const std::string &name, std::string *origin);

// Sets the chosen format in the spec.
Status choose_input(const std::string &choice, FormatSpec *spec);

// Returns the pattern that the text of such a file (fields/format_text.h) has for a name; "": none.
// `path` is the file's, for messages. Wrong patterns of other names are ignored.
Result<std::string> find_own_format(std::string_view text, const std::string &path,
                                    const std::string &name);
// Returns $XDG_CONFIG_HOME/mrc/formats, or ~/.config/mrc/formats; "" if neither variable is set.
std::string own_formats_path();

}  // namespace mrc
