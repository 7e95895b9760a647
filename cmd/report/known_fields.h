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

// The fields that some of the first records have, and their kinds.
struct FirstFields {
  struct Field {
    std::string name;
    ValueKind kind;
  };

  // Without a file, nothing is found.
  static FirstFields in(const std::optional<FirstFile> &first);
  // Reads what text() has written: FORMAT,NAME=KIND,...
  static FirstFields from_text(const std::string &text);
  std::string text() const;

  std::string format = {};  // its name; "": there are no records
  std::vector<Field> fields = {};
};

class KnownFields {
 public:
  KnownFields(FirstFields found, const Ask &ask);

  bool are_known() const { return !found_.format.empty(); }
  const std::string &format() const { return found_.format; }
  // Returns the text of the fields, for later runs.
  std::string text() const { return found_.text(); }

  // Returns the kind of the field; unknown if the first records lack it.
  ValueKind kind_of(const std::string &name) const;
  // True if the records have what the words name: see panels.inc.
  bool fit(std::string_view needs) const;
  // Replaces TIME and SPAN in a text by the names of fields.
  std::string named(std::string text) const;

 private:
  bool has(const std::string &word) const;
  const FirstFields::Field *find(const std::string &name) const;
  std::string time() const;
  std::string span() const;

  const FirstFields found_;
  const bool has_geo_, shows_addresses_;
};

}  // namespace mrc
