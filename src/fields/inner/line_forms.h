// Forms of lines: a line's form is its beginning, such as the place and the shape of its time.
// Lines of one form are probably records of one format.
#pragma once

#include "fields/fields.h"

#include <vector>

namespace mrc {

using Lines = std::vector<Bytes>;

bool is_json(Bytes line);
// True if the line begins with key=.
bool begins_with_key(Bytes line);
// Returns the form of the time among the first words of a line.
TimeForm form_in(Bytes line);

// Lines of one form.
struct Division {
  size_t first = 0;  // number of its first line
  Lines lines = {};
};

// Returns the divisions of the lines; the largest comes first. `finely`: by the first word after
// the time, too, and not by records inside the lines.
std::vector<Division> divide(const Lines &lines, bool finely = false);

}  // namespace mrc
