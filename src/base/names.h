// Names in tables and lists: finds them, suggests one for a name that does not exist, and makes
// repeated names distinct.
#pragma once

#include "base/int.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Finds the row of a table of pointers to rows. Returns nullptr if no row has the name.
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

// Returns the candidates closest to `word` in spelling; none if none is close.
std::vector<std::string> nearest(const std::string &word,
                                 const std::vector<std::string> &candidates);
// Returns " (did you mean X or Y?)", with the closest candidates and those that begin with the
// word; or "".
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

// Appends _2, _3 ... to repeated names until all names are distinct.
std::vector<std::string> distinct_names(std::span<const std::string> names);

}  // namespace mrc
