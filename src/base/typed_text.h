// What users type: numbers, sizes, names, and lists of these.
//
// Double quotes make a name of what would otherwise have a meaning. A double quote within them is
// written twice, as in CSV.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Reads all of the text as a number. False if it is none, or out of range.
template <typename Number>
bool read_number(Bytes text, Number *number) {
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end && !text.empty();
}

// Bytes: digits, and k, m, g or t in either case for powers of 1,024. Nothing if it is no
// size, or too large.
std::optional<i64> read_size(Bytes text);

// The name in double quotes, if it could be taken for something else. `step`: it is a step of a
// path, in which dots have a meaning.
std::string written_name(Bytes name, bool step);
// The inverse, for text that begins with a quote of either kind: appends what is quoted. Returns
// the number of bytes through the closing quote; 0 if there is none.
size_t read_quoted(Bytes text, std::string *name);
// The text without double quotes around any part of it.
std::string without_quotes(Bytes text);

// Where the byte first or last is outside double quotes; npos if it is not.
size_t find_unquoted(Bytes text, char byte);
size_t find_last_unquoted(Bytes text, char byte);

// The items between commas outside double quotes. Quotes stay, blanks around items do not. An
// empty item is an error.
Result<std::vector<std::string>> split_list(Bytes text);
// The same, without quotes.
Result<std::vector<std::string>> split_names(Bytes text);
Status no_closing_quote(Bytes text);

}  // namespace mrc
