// How an input is compressed, by its first bytes and never by its name.
#pragma once

#include "base/int.h"

namespace mrc {

enum class Codec {
  none,
#define CODEC(name, ...) name,
#include "input/codecs.inc"
};

// As many first bytes as codec_of() looks at.
inline constexpr i64 kMagicBytes = 18;

// What the first bytes of an input mean; fewer than kMagicBytes if it has no more.
Codec codec_of(Bytes first);

// Whether more bytes after these might make it a compressed input.
bool may_be_compressed(Bytes first);

// What a decompressor keeps of what it has made, to go on from these first bytes: for zstd the
// window of the first frame. The windows of the others are small, or those of other programs.
i64 window_of(Bytes first);

// As people know it: the name of the program for it.
const char *codec_name(Codec codec);
// The package that has this program.
const char *package_of(Codec codec);

}  // namespace mrc
