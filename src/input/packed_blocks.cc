#include "input/packed_blocks.h"

#include "input/gzip.h"
#include "input/inner/zstd_frames.h"
#include "input/stream.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kLeastText = i64{128} << 10, kMostText = i64{8} << 20;

PackedFrame next_block(Codec codec, BufferedReader *from) {
  if (codec == Codec::zstd) return next_zstd_frame(from, kMostText);
  const BgzfRange range = next_bgzf_range(from, 2 * kLeastText);
  return {std::ssize(range.packed), range.unpacked};
}

}  // namespace

const PackedBlocks::Block &PackedBlocks::block_at(i64 offset) const {
  return *std::prev(std::ranges::upper_bound(blocks, offset, {}, &Block::text));
}

bool PackedBlocks::is_sound() const {
  const auto are_in_order = [](const Block &a, const Block &b) {
    return a.text < b.text && a.packed < b.packed;
  };
  if (blocks.empty()) return text_bytes == 0;
  if (blocks.front().text != 0) return false;
  const auto wrong = std::ranges::adjacent_find(
      blocks, [&](const Block &a, const Block &b) { return !are_in_order(a, b); });
  return wrong == blocks.end() && blocks.back().text < text_bytes;
}

Result<PackedBlocks> find_packed_blocks(const Source &source) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  BufferedReader reader(std::move(*file));
  PackedBlocks found;
  found.codec = source.codec;
  const bool has_blocks = source.codec == Codec::zstd || source.codec == Codec::bgzf;
  for (;;) {
    const Result<Bytes> rest = reader.peek(1);
    if (!rest.is_ok()) return rest.status();
    if (rest->empty()) break;
    const PackedFrame next = has_blocks ? next_block(source.codec, &reader) : PackedFrame();
    if (next.packed == 0) {
      return Status::error(
          fmt::format("{}: no block of known size, of at most {} MiB, begins at byte {} of the "
                      "compressed data",
                      source.name(), kMostText >> 20, reader.offset()));
    }
    const bool is_next =
        found.blocks.empty() || found.text_bytes - found.blocks.back().text >= kLeastText;
    if (is_next && next.text > 0) found.blocks.push_back({found.text_bytes, reader.offset()});
    found.text_bytes += next.text;
    reader.skip(next.packed);
  }
  return found;
}

void read_by_blocks(std::shared_ptr<const PackedBlocks> blocks, Source *source) {
  source->stream = false;
  source->codec = Codec::none;
  source->packed_bytes = source->window_bytes = 0;
  source->begin = 0;
  source->end = blocks->text_bytes;
  source->blocks = std::move(blocks);
}

}  // namespace mrc
