// Tables of pointers to rows that have a name.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace mrc {

// Returns nullptr if no row has the name.
template <typename Row>
const Row *find_named(const auto &table, std::string_view name) {
  for (const Row *row : table) {
    if (name == row->name) return row;
  }
  return nullptr;
}

// Lists the names of the rows whose member `wanted` is true: "a, b and c", if `word` is "and".
// REQUIRES: there are at least two
std::string list_names(const auto &table, const char *word, auto wanted) {
  std::string list, last;
  for (const auto *row : table) {
    if (!std::invoke(wanted, *row)) continue;
    if (!last.empty()) list += list.empty() ? last : ", " + last;
    last = row->name;
  }
  return list + " " + word + " " + last;
}

}  // namespace mrc
