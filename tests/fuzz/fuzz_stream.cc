// The decompressors on any bytes: what they make of them, and what they say is wrong, is
// the same in whatever pieces it is asked for and however the input arrives. The first
// byte says how large the pieces are, and whether to believe the magic of the rest.
#include "input/gzip.h"
#include "support/read_stream.h"

#include <algorithm>

namespace {

using namespace mrc;

// A few bytes can become any number.
constexpr size_t kMost = 1 << 20;

Codec codec_for(u8 choice, Bytes packed) {
  const Codec codec = codec_of(packed.substr(0, kMagicBytes));
  if (codec == Codec::gzip || codec == Codec::bgzf || codec == Codec::zstd) return codec;
  return choice & 128 ? Codec::zstd : Codec::gzip;
}

ReadStream read_some(Codec codec, Bytes packed, i64 piece) {
  BufferedReader reader(packed, 0, "in");
  Result<std::unique_ptr<Stream>> stream = open_stream(codec, &reader);
  if (!stream.is_ok()) std::abort();
  ReadStream all;
  std::string buffer(static_cast<size_t>(piece), '\0');
  while (all.text.size() < kMost) {
    Result<i64> got = (*stream)->read(buffer.data(), piece);
    if (!got.is_ok()) all.error = got.status().message();
    if (!got.is_ok() || *got == 0) break;
    if (*got < 0 || *got > piece) std::abort();
    all.text.append(buffer, 0, static_cast<size_t>(*got));
  }
  if (reader.offset() > static_cast<i64>(packed.size())) std::abort();
  all.text.resize(std::min(all.text.size(), kMost));
  return all;
}

void check_ranges(Bytes packed) {
  BufferedReader reader(packed, 0, "in");
  for (;;) {
    const BgzfRange range = next_bgzf_range(&reader, 1000);
    if (range.packed.empty()) return;
    reader.skip(static_cast<i64>(range.packed.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  const Bytes packed(reinterpret_cast<const char *>(data) + 1, size - 1);
  const Codec codec = codec_for(data[0], packed);
  const ReadStream large = read_some(codec, packed, 1 << 16);
  const ReadStream small = read_some(codec, packed, 1 + (data[0] & 127));
  if (large.text != small.text) std::abort();
  if (large.text.size() < kMost && large.error != small.error) std::abort();
  check_ranges(packed);
  return 0;
}
