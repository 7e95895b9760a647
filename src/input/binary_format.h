// Inputs that are no text, by their first bytes and never by their names.
#pragma once

#include "base/status.h"
#include "record.h"

#include <string>

namespace mrc {

struct BinaryFormat {
  const char *what;        // "a ZIP archive"
  const char *way;         // a command that prints it as text; {}: the file
  bool into_pipe = false;  // it cannot be the command of an input
};

// As many first bytes as binary_format_of() looks at.
inline constexpr i64 kBinaryHead = 512;

// Returns null if the bytes may be those of text; fewer than kBinaryHead if there are no more.
// Text in UTF-16 that has a byte order mark is decoded, as compressed input is, and never seen
// here.
const BinaryFormat *binary_format_of(Bytes first);

// "NAME: is a ZIP archive, not plain text; to read it use ...". `source_name`: see Source::name().
Status refuse_binary(const BinaryFormat &format, const std::string &source_name);

}  // namespace mrc
