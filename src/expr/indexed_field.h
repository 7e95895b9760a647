// expr: fields whose bounds are indexed, and how their values are read.
#pragma once

#include "expr/expr.h"
#include "expr/field_bounds.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct IndexedField {
  FieldName name;
  bool as_numbers = false, as_texts = false;
  // Set if values are read as times. `zone` is the name of the context's zone.
  std::optional<TimeContext> times = {};
  std::string zone = {};

  BoundsBuilder builder() const { return {as_numbers, times ? &*times : nullptr, as_texts}; }
};

// Parses FIELD[:KIND], separated by commas. Without a kind, a field is read by its own kind; if
// that is unknown, as numbers and as text.
Result<std::vector<IndexedField>> parse_indexed_fields(std::string_view text, const Clock &clock);

}  // namespace mrc
