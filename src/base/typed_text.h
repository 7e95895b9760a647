// Text that users type: numbers, sizes, names, and lists of these.
//
// Double quotes make a name of text that would otherwise have a meaning. A double quote within them
// is doubled, as in CSV.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Reads all of the text as a number. Returns false if it is not one, or out of range.
template <typename Number>
bool read_number(Bytes text, Number *number) {
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end && !text.empty();
}

// Reads a number of bytes: digits, and k, m, g or t in either case for powers of 1,024. Returns
// nothing if the text is not a size, or too large.
std::optional<i64> read_size(Bytes text);

// Returns the text in double quotes; those in it are doubled.
std::string in_double_quotes(Bytes text);

// Returns the name, in double quotes if it could be taken for something else. With `step`, the name
// is a step of a path, in which dots have a meaning.
std::string written_name(Bytes name, bool step);
// Reads the inverse, from text that begins with a quote of either kind: appends the quoted text.
// Returns the number of bytes through the closing quote; 0 if there is none.
size_t read_quoted(Bytes text, std::string *name);
// Removes double quotes around any part of the text.
std::string without_quotes(Bytes text);

// Return the first or last place of the byte outside double quotes, or npos.
size_t find_unquoted(Bytes text, char byte);
size_t find_last_unquoted(Bytes text, char byte);

// Returns the items between commas outside double quotes. Keeps quotes and trims blanks around
// items. An empty item is an error.
Result<std::vector<std::string>> split_list(Bytes text);
// Splits like split_list(), and removes the quotes.
Result<std::vector<std::string>> split_names(Bytes text);
Status no_closing_quote(Bytes text, char quote = '"');

}  // namespace mrc
