// input: directories whose folders divide records: DIR/day=2025-11-24/NAME, as Hive, Spark and
// DuckDB have them. The folders of a file are fields of all its records.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// The name of the folder for a missing or empty value.
inline constexpr Bytes kNoValueFolder = "__HIVE_DEFAULT_PARTITION__";
// The size of the longest name that file systems have.
inline constexpr size_t kLongestName = 255;

// Appends the text with %XX for the bytes that Hive escapes and for bytes that are not UTF-8.
void append_escaped(Bytes text, std::string *out);
// Returns the first name in the path that is longer than kLongestName; empty if there is none.
std::string too_long_in(Bytes path);

// Appends NAME=VALUE, with %XX for the bytes that Hive escapes and for bytes that are not UTF-8.
void append_folder(Bytes name, Bytes value, std::string *out);

// A field that a folder gives to records.
struct FolderField {
  std::string name;
  std::optional<std::string> value;  // unset: missing
  bool operator==(const FolderField &) const = default;
};
// Returns the fields of a folder's name: NAME=VALUE; nothing: it is another name.
std::optional<FolderField> folder_field(Bytes folder);
// Returns the fields of the folders in the path of a file, outer ones first. The last of several
// folders for one name counts.
std::vector<FolderField> folder_fields(Bytes path);

// True if the directory has a folder NAME=VALUE.
bool has_field_folders(const std::string &directory);
// Returns the files of a directory and its folders, by name. Names that begin with a dot or an
// underscore are hidden, and left out.
Result<std::vector<std::string>> files_below(const std::string &directory);

}  // namespace mrc
