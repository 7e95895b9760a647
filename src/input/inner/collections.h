// The kinds of collections.
#pragma once

#include "input/collection.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

// True for sqlite:FILE?table=NAME and sqlite:FILE?query=QUERY.
bool names_rows(std::string_view name);
// REQUIRES: names_rows(name)
Result<std::shared_ptr<Collection>> open_rows(const std::string &name);

// True if a file that begins with these bytes is an archive that can be opened. A compressed file
// is looked into only if it has a name as compressed tar archives have.
bool is_archive(const std::string &path, Bytes first);
// Opens the archive; null: the file is none. An empty `member` stands for all.
Result<std::shared_ptr<Collection>> open_archive(const std::string &path,
                                                 const std::string &member);

}  // namespace mrc
