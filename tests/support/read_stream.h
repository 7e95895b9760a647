// Streams as strings.
#pragma once

#include "input/stream.h"

#include <cstdlib>
#include <string>

namespace mrc {

struct ReadStream {
  std::string text;
  std::string error;  // "": none
};

// All of a stream, asked for in pieces of so many bytes.
inline ReadStream read_all(Stream *stream, i64 piece = 10000) {
  ReadStream all;
  std::string buffer(static_cast<size_t>(piece), '\0');
  for (;;) {
    Result<i64> got = stream->read(buffer.data(), piece);
    if (!got.is_ok()) all.error = got.status().message();
    if (!got.is_ok() || *got == 0) return all;
    if (*got < 0 || *got > piece) std::abort();
    all.text.append(buffer, 0, static_cast<size_t>(*got));
  }
}

// What bytes in memory mean, by their magic.
inline ReadStream decompressed(Bytes bytes, i64 piece = 10000) {
  BufferedReader reader(bytes, 0, "in");
  Result<std::unique_ptr<Stream>> stream =
      open_stream(codec_of(bytes.substr(0, kMagicBytes)), &reader);
  if (!stream.is_ok()) return {"", stream.status().message()};
  return read_all(stream->get(), piece);
}

// What is in a file, or comes through a fifo.
inline ReadStream decompressed_file(const std::string &path, i64 piece = 10000) {
  Result<InputFile> file = InputFile::open({.path = path});
  if (!file.is_ok()) return {"", file.status().message()};
  BufferedReader reader(std::move(*file));
  Result<Bytes> first = reader.peek(kMagicBytes);
  if (!first.is_ok()) return {"", first.status().message()};
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(*first), &reader);
  if (!stream.is_ok()) return {"", stream.status().message()};
  return read_all(stream->get(), piece);
}

}  // namespace mrc
