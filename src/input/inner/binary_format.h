// Detects inputs that are not text by their first bytes, never by their names.
#pragma once

#include "base/status.h"
#include "record.h"

#include <string>

namespace mrc {

struct BinaryFormat {
  const char *what;        // "a ZIP archive"
  const char *way;         // a command that prints it as text; {} stands for the file
  bool into_pipe = false;  // the command cannot be used with --input-cmd
};

// Number of first bytes that binary_format_of() looks at.
inline constexpr i64 kBinaryHead = 512;

// Returns null if the bytes may be text. `first` is shorter than kBinaryHead only if the input is.
// UTF-16 with a byte order mark is decoded as compressed input is, and does not get here.
const BinaryFormat *binary_format_of(Bytes first);

// "NAME: is a ZIP archive, not plain text; to read it use ...". `source_name`: see Source::name().
Status refuse_binary(const BinaryFormat &format, const std::string &source_name);

}  // namespace mrc
