// Inputs whose records are of several formats, such as the access lines and the error lines of one
// server. The dialect has a dialect for each (Dialect::mixed), and a record is read by the first
// that it matches; a layout of a log has to match as a whole, unless no dialect does. Its names are
// those of all; a field that the record's own dialect lacks is missing. A line that matches none
// continues the record before it, if that is of a format whose records may have several lines, and
// has no time of its own; else it is malformed.
#pragma once

#include "fields/recognize.h"

namespace mrc {

// Returns the dialect of an input of which a considerable part of the first records is not of the
// dialect that was found for all, and has another one. It does not depend on the fields that a job
// asks for. REQUIRES: the spec asks for no fields
std::optional<Dialect> recognize_mixed(const InputHead &input, Dialect found);

// True if records of one line can be read by this dialect without those around them, so that it may
// be one of several.
bool may_be_mixed(const Dialect &dialect);

// Recognizes records that are all of one dialect (recognize.cc).
Dialect recognize_one(const InputHead &input, bool wrapped);
// True if fewer other lines look like records of this dialect than like those of the other one. The
// lines around a record are no less records of their own dialect than any.
bool is_clearer(const Dialect &dialect, const Dialect &other);
// One of several dialects, in the order in which a line is tried.
struct MixedTrial {
  size_t part;  // number of the dialect
  Dialect dialect;
};
std::vector<MixedTrial> trials_of(const std::vector<Dialect> &parts);

// True if both dialects read records in the same way, whatever their reasons say.
bool is_same(const Dialect &a, Dialect b);

}  // namespace mrc
