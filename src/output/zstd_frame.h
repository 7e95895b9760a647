// Compressed output.
#pragma once

#include "record.h"

#include <string>

namespace mrc {

// Returns the text as a frame of Zstandard (RFC 8878) with its size and a checksum. Frames that
// follow each other are one text. Throws std::bad_alloc without memory.
std::string zstd_frame(Bytes text);

}  // namespace mrc
