// The names of files in -o that have values of records in them: DIR/{FIELD}.log.
#pragma once

#include "cmd/compile.h"
#include "output/file_names.h"

#include <memory>

namespace mrc {

// Sets the files of the program, unless --output names one file. Returns the names of these files;
// null: there is one. Comes after compile_fields() and before the fields of the program are used.
Result<std::shared_ptr<const FileNames>> compile_named_files(const Ask &ask, Compiled *compiled);

}  // namespace mrc
