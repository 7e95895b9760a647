// engine: reads a part of a file in pieces that stay in the L2 cache while they are used.
#pragma once

#include "input/input.h"

#include <algorithm>
#include <string>

namespace mrc {

// Calls take(offset, bytes) for the pieces of [begin, end) until it returns false. `buffer` holds
// the pieces. Fails if the file cannot be read up to `end`.
template <typename Take>
Status each_piece(const InputFile &file, i64 begin, i64 end, std::string *buffer, Take take) {
  constexpr i64 kPiece = 256 << 10;
  buffer->resize(static_cast<size_t>(kPiece));
  for (i64 at = begin; at < end;) {
    const Result<i64> got = file.read_at(at, buffer->data(), std::min(kPiece, end - at));
    if (!got.is_ok()) return got.status();
    if (*got == 0) return Status::about(file.name(), "has just been truncated");
    if (!take(at, Bytes(*buffer).substr(0, static_cast<size_t>(*got)))) break;
    at += *got;
  }
  return Status::ok();
}

}  // namespace mrc
