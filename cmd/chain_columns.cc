// A name that is exactly a column of the stage before is that column: it is put into double quotes
// before fields and buckets are looked for. The longest name wins.
#include "base/text.h"
#include "cmd/chain.h"
#include "combine/aggregates.h"

#include <algorithm>

namespace mrc {
namespace {

// What may stand before and after a name, in lists and in conditions.
bool ends_name(char c) {
  return is_space(c) || std::string_view(",:()!=<>~+-*/").find(c) != std::string_view::npos;
}

// Only such names are known without quotes.
bool is_plain(Bytes name) {
  return !is_digits(name) && std::ranges::none_of(name, [](char c) {
    return ends_name(c) || c == '"' || c == '\'' || c == '.';
  });
}

// The longest column that the text begins with, as a whole; null if there is none.
const std::string *column_at(Bytes text, const std::vector<std::string> &columns) {
  const std::string *longest = nullptr;
  for (const std::string &column : columns) {
    const bool here = !column.empty() && text.starts_with(column) &&
                      (text.size() == column.size() || ends_name(text[column.size()]));
    if (here && (longest == nullptr || longest->size() < column.size())) longest = &column;
  }
  return longest;
}

bool begins_with_function(Bytes text) {
  static const std::vector<std::string> names = aggregate_names();
  const std::string name(text.substr(0, std::min(text.find(':'), text.size())));
  return name.size() < text.size() && std::ranges::find(names, name) != names.end();
}

void append_quoted_name(Bytes name, std::string *out) {
  out->push_back('"');
  for (char c : name) out->append(c == '"' ? 2 : 1, c);
  out->push_back('"');
}

// How many bytes are in quotes at the front of the text, the quotes included.
size_t quoted_bytes(Bytes text) {
  const size_t end = text.find(text[0], 1);
  return end == Bytes::npos ? text.size() : end + 1;
}

}  // namespace

std::string quote_columns(const std::string &text, const std::vector<std::string> &columns,
                          NameContext context) {
  std::string quoted;
  bool is_start = true;  // of a name
  for (size_t at = 0; at < text.size();) {
    const Bytes rest = Bytes(text).substr(at);
    size_t taken = 1;
    if (rest[0] == '"' || rest[0] == '\'') {
      taken = quoted_bytes(rest);
    } else if (is_start) {
      const bool may_call = context == NameContext::aggregates && !quoted.ends_with(':');
      const bool is_call = may_call && begins_with_function(rest);
      const std::string *column = is_call ? nullptr : column_at(rest, columns);
      if (column != nullptr && !is_plain(*column)) {
        append_quoted_name(*column, &quoted);
        at += column->size();
        is_start = false;
        continue;
      }
      if (column != nullptr) taken = column->size();
    }
    quoted.append(rest, 0, taken);
    at += taken;
    is_start = ends_name(text[at - 1]);
  }
  return quoted;
}

}  // namespace mrc
