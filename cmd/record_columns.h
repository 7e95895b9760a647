// The columns of verbs that write records: their fields, and the kinds of these.
#pragma once

#include "cmd/compile.h"
#include "output/record_text.h"

#include <string>
#include <vector>

namespace mrc {

// True for a file of no bytes, which has no fields.
bool has_no_bytes(const std::string &input);

// Returns the names of all fields: the columns of the previous stage, or the fields of all files
// and those of folders, in the order in which they are found. Fields that only some files have are
// noted in the program, as others lack them. If records may have any fields, such as those of JSON,
// all records are read, and the fields that they have are noted in the program; but with an advice
// it is an error, whose message ends with the advice.
Result<std::vector<std::string>> all_fields(Compiled *compiled, const char *advice = "");
// Returns the key that is the field of this very name.
FieldExpr column_of(const std::string &name);
// Returns the kinds of the keys, which JSON needs.
std::vector<SelectedKey> know_keys(const Program &program, const Clock &clock);

}  // namespace mrc
