// The fields of the first records of an input, on which the panels of a report depend.
#pragma once

#include "cmd/look.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Splits a list, and removes blanks around the words.
std::vector<std::string> words_of(std::string_view list, char separator = ',');

class KnownFields {
 public:
  KnownFields(std::optional<FirstFile> first, const Ask &ask);

  bool are_known() const { return first_.has_value(); }
  std::string format() const { return first_ ? first_->dialect.format->name : ""; }

  // True if the records have what the words name: see panels.inc.
  bool fit(std::string_view needs) const;
  // Replaces TIME and SPAN in a text by the names of fields.
  std::string named(std::string text) const;

 private:
  bool has(const std::string &word) const;
  const FieldReport *find(const std::string &name) const;
  std::string time() const;
  std::string span() const;

  const std::optional<FirstFile> first_;
  const bool has_geo_, shows_addresses_;
};

}  // namespace mrc
