// Detects the compression of an input, or that it is not text, by its first bytes, never by its
// name.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "record.h"

#include <string>

namespace mrc {

// Detects the compression of an input by its first bytes, never by its name.

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

// True for text in characters of two or four bytes, which is decoded but not compressed.
bool is_wide(Codec codec);

// Returns the name of the program for the codec.
const char *codec_name(Codec codec);
// Returns the package that contains this program.
const char *package_of(Codec codec);

// Detects inputs that are not text by their first bytes, never by their names.

struct BinaryFormat {
  const char *what;                     // "a ZIP archive"
  const char *way;                      // a command that prints it as text; {} stands for the file
  bool into_pipe = false;               // the command cannot be used with --input-cmd
  bool is_own = false;                  // mrc has written it, and no job reads it; `way` says why
  bool is_zip = false, is_tar = false;  // an archive whose members are inputs
  bool has_tables = false;              // `way` is the name of an input that has its rows
};

// Number of first bytes that binary_format_of() looks at.
inline constexpr i64 kBinaryHead = 512;

// Returns null if the bytes may be text. `first` is shorter than kBinaryHead only if the input is.
// UTF-16 and UTF-32 with a byte order mark are decoded as compressed input is, and do not
// get here.
const BinaryFormat *binary_format_of(Bytes first);

// "NAME: is a ZIP archive, not plain text; to read it use ...". `source_name`: see Source::name().
Status refuse_binary(const BinaryFormat &format, const std::string &source_name);
// Refuses a member of an archive, which no command finds by its name.
Status refuse_member(const BinaryFormat &format, const std::string &source_name);

}  // namespace mrc
