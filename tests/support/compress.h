// Compressed text for tests, as the libraries and the usual programs make it.
#pragma once

#include "base/int.h"
#include "support/temporary_folder.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace mrc {

inline std::string deflated(Bytes text, u16 wrapper) {
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  std::string bytes(text.size() + text.size() / 8 + 400, '\0');
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  stream.gzip_flag = wrapper;
  stream.next_in = reinterpret_cast<u8 *>(const_cast<char *>(text.data()));
  stream.avail_in = static_cast<u32>(text.size());
  stream.next_out = reinterpret_cast<u8 *>(bytes.data());
  stream.avail_out = static_cast<u32>(bytes.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) std::abort();
  bytes.resize(stream.total_out);
  return bytes;
}

// One member.
inline std::string gzipped(Bytes text) { return deflated(text, IGZIP_GZIP); }

inline std::string little_endian(u64 value, size_t bytes) {
  return std::string(reinterpret_cast<const char *>(&value), bytes);
}

// One block of BGZF: at most 65,280 bytes of text.
inline std::string bgzf_block(Bytes text) {
  const std::string body = deflated(text, IGZIP_DEFLATE);
  std::string block("\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0", 16);
  block += little_endian(16 + 2 + body.size() + 8 - 1, 2) + body;
  const auto *bytes = reinterpret_cast<const u8 *>(text.data());
  block += little_endian(crc32_gzip_refl(0, bytes, text.size()), 4);
  return block + little_endian(text.size(), 4);
}

// As bgzip(1) writes it, with blocks of so many bytes and the empty one at the end.
inline std::string bgzipped(Bytes text, size_t block_bytes) {
  std::string all;
  for (size_t at = 0; at < text.size(); at += block_bytes) {
    all += bgzf_block(text.substr(at, block_bytes));
  }
  return all + bgzf_block("");
}

// One frame.
inline std::string zstandard(Bytes text, int level = 1) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), level);
  if (ZSTD_isError(size)) std::abort();
  bytes.resize(size);
  return bytes;
}

// What a command makes of its standard input; "" if it fails.
inline std::string filtered(const std::string &command, const std::string &text) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", text), out = folder.path("out");
  const std::string line = command + " <'" + in + "' >'" + out + "'";
  return std::system(line.c_str()) == 0 ? folder.read("out") : "";
}

// Lines that compress about as logs do.
inline std::string log_like(size_t bytes, u64 seed = 1) {
  std::string text;
  for (u64 x = seed; text.size() < bytes;) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    text += "10.0." + std::to_string(x >> 60) + "." + std::to_string(x >> 56 & 255) +
            " GET /page/" + std::to_string(x >> 50 & 1023) + " " + std::to_string(x >> 40 & 65535) +
            "\n";
  }
  text.resize(bytes);
  return text;
}

}  // namespace mrc
