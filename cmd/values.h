// Values of options: numbers, sizes, formats.
#pragma once

#include "base/names.h"
#include "cmd/verb.h"

namespace mrc {

Status parse_integer(const std::string &text, i64 least, i64 most, i64 *value);
// Parses a number of bytes, with K, M, G or T for powers of 1,024; at least 1.
Status parse_size(const std::string &text, i64 *bytes);
// Parses one byte: a character, \\t, \\0 or another C escape.
Status parse_byte(const std::string &text, char *byte);
Status parse_names(const std::string &text, std::vector<std::string> *names);
// Parses "auto", "yes" or "no"; the parser has checked the choices.
std::optional<bool> parse_header(const std::string &text);
// Parses "auto", `yes`, or anything else for never; the parser has checked the choices.
When parse_when(const std::string &text, const std::string &yes);

// Implementations of Option::set, with the path of members as in set_flag().

inline i64 *number_in(i64 *number) { return number; }
inline i64 *number_in(std::optional<i64> *number) { return &number->emplace(); }
template <i64 kLeast, i64 kMost, auto... kPath>
Status set_integer(Ask *ask, const std::string &value) {
  return parse_integer(value, kLeast, kMost, number_in(&(*ask.*....*kPath)));
}
template <auto... kPath>
Status set_size(Ask *ask, const std::string &value) {
  return parse_size(value, number_in(&(*ask.*....*kPath)));
}
template <Literal kYes, auto... kPath>
Status set_when(Ask *ask, const std::string &value) {
  (*ask.*....*kPath) = parse_when(value, kYes.text);
  return Status::ok();
}
Status set_direction(Ask *ask, Ask::Direction direction);
Status set_words(Ask *ask, const std::string &value);

// Parses the value of --live: "2s", "10%", "order", "order,2s"; "" stands for the default.
Status parse_live(const std::string &value, LiveSpec *live);
// Parses a time such as "5s" or "500ms".
Status parse_seconds(const std::string &text, double *seconds);

// The values of --from and similar options: formats of the table, patterns, and formats that users
// keep under names of their own.

// Returns the choices, as in Option: "auto", the formats, and "pattern:".
const char *format_choices();

// Returns "pattern:" and the pattern, if the user's file of formats has the name; `origin` is set
// to its place. Returns any other name itself. It is an error if the file cannot be read, or the
// pattern is invalid.
Result<std::string> meaning_of_format(const std::string &name, std::string *origin);

// Sets the chosen format in the spec.
Status choose_input(const std::string &choice, FormatSpec *spec);
// Sets the layout of binary records, or their size.
Status choose_layout(const std::string &text, FormatSpec *spec);
Status choose_record(const std::string &text, FormatSpec *spec);

// Parse the values of --each and --stack: FIELD[:SEP] and [KEY,VALUE=]FIELD,...
Status choose_each(const std::string &value, Spread *spread);
Status choose_stack(const std::string &value, Spread *spread);

// Returns the pattern that the text of such a file (fields/format_text.h) has for a name; "": none.
// `path` is the file's, for messages. Wrong patterns of other names are ignored.
Result<std::string> find_own_format(std::string_view text, const std::string &path,
                                    const std::string &name);
// Returns $XDG_CONFIG_HOME/mrc/formats, or ~/.config/mrc/formats; "" if neither variable is set.
std::string own_formats_path();

}  // namespace mrc
