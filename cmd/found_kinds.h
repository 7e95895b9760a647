// The kinds of fields that a job has found, as text of the job.
#pragma once

#include "kinds/kind.h"

#include <map>
#include <string>
#include <string_view>

namespace mrc {

inline constexpr std::string_view kNoKinds = "-";  // for jobs that depend on no kinds

// Kinds that another process has found, or else those that this process finds. The text is a list
// of NAME=KIND[/UNIT][/WORDS of levels][/ORDER of day and month].
class FoundKinds {
 public:
  // `given` is the text of the other process; empty: there is none.
  explicit FoundKinds(std::string given);

  bool is_given() const { return !text_.empty(); }
  FieldKind given(const std::string &field) const;
  // Adds a kind, unless the field is treated as if its kind were unknown.
  void add(const std::string &field, const FieldKind &kind);
  std::string text() const;

 private:
  std::string text_;
  std::map<std::string, FieldKind> given_, asked_;
};

}  // namespace mrc
