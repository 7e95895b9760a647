// The profile of a field: its kind, and what is computed of its values.
#pragma once

#include "cmd/compile.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Returns the names of the columns: field and kind, then figures.
std::vector<std::string> profile_columns();

struct ProfiledField {
  std::string name, written;  // `written`: as expressions have it
  FieldKind kind;

  // Returns the figures that its kind has, as --aggregate has them, in the order of the columns.
  std::string aggregates() const;
  // Puts `figures`, those of aggregates(), under the columns after the kind. A figure that the kind
  // does not have is `missing`.
  std::vector<std::string_view> cells(std::span<const std::string_view> figures,
                                      std::string_view missing) const;
};

// Returns the fields of the records; none if all inputs are empty. Fields without a name, or with
// the name of another one, are known by their numbers. REQUIRES: the job's fields are compiled
Result<std::vector<ProfiledField>> fields_to_profile(Compiled *compiled);

}  // namespace mrc
