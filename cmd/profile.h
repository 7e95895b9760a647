// The profile of fields: their kinds, and what is computed of their values.
#pragma once

#include "cmd/compile.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct ProfiledField {
  std::string name, written;  // `written`: as expressions have it
  FieldKind kind;
};

// Returns the fields of the records; none if all inputs are empty. Fields without a name, or with
// the name of another one, are known by their numbers. REQUIRES: the job's fields are compiled
Result<std::vector<ProfiledField>> fields_to_profile(Compiled *compiled);

// Returns the names of the columns: field and kind, then figures.
std::vector<std::string> profile_columns();

// Returns the figures of all fields, as --aggregate has them, which one group has.
std::string profile_aggregates(std::span<const ProfiledField> fields);

// Returns the figures under the columns after the kind, for each field. `values`: those of
// profile_aggregates(). A figure that the kind of a field does not have is `missing`.
std::vector<std::vector<std::string_view>> profile_figures(std::span<const ProfiledField> fields,
                                                           std::span<const std::string_view> values,
                                                           std::string_view missing);

// True if the values are amounts, which histograms show.
bool has_histogram(const ProfiledField &field);
// Returns a histogram of each field that has one, as --aggregate has them.
std::string histogram_aggregates(std::span<const ProfiledField> fields);

}  // namespace mrc
