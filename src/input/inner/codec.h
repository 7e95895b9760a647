// Detects the compression of an input by its first bytes, never by its name.
#pragma once

#include "base/int.h"

namespace mrc {

enum class Codec {
  none,
#define CODEC(name, ...) name,
#include "input/codecs.inc"
};

// Number of first bytes that codec_of() looks at.
inline constexpr i64 kMagicBytes = 18;

// `first` is shorter than kMagicBytes only if the input is.
Codec codec_of(Bytes first);

// True if these may be the first bytes of a compressed input.
bool may_be_compressed(Bytes first);

// Returns the bytes of output that a decompressor keeps for back references: for zstd the window of
// the first frame. Returns 0 for the others, which have small windows or run in other processes.
i64 window_of(Bytes first);

// Returns the name of the program for the codec.
const char *codec_name(Codec codec);
// Returns the package that contains this program.
const char *package_of(Codec codec);

}  // namespace mrc
