// Text of a list of values, with a separator of the user's choice.
#pragma once

#include "combine/combine.h"

#include <string>

namespace mrc {

// Appends values one after another: as a JSON array of strings, or as text with a separator between
// them. As in CSV, a value is put in double quotes, and its own quotes are doubled, if it holds a
// double quote, a line end or the separator.
class JoinedValues {
 public:
  // Both must outlive this.
  JoinedValues(const std::string &separator, Notation notation, std::string *out);

  void add(Bytes value);
  void add_missing();  // null in JSON, and no text otherwise
  // Appends what follows the last value.
  void end();

 private:
  void separate();
  bool needs_quotes(Bytes value) const;

  const std::string &separator_;
  const Notation notation_;
  std::string *const out_;
  bool first_ = true;
};

}  // namespace mrc
