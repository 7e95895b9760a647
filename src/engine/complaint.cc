#include "engine/inner/complaint.h"

#include "input/stream.h"
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace mrc {
namespace {

constexpr size_t kShown = 160;  // bytes of the input in a message

// Returns the number of line ends from `at` to `offset`. `read` fills a buffer from an offset on.
template <typename Read>
Result<i64> count_lines(i64 at, i64 offset, char terminator, Read read) {
  std::string block(size_t{1} << 18, '\0');
  i64 lines = 0;
  while (at < offset) {
    const i64 size = std::min<i64>(std::ssize(block), offset - at);
    Result<i64> got = read(at, block.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    lines += std::count(block.data(), block.data() + *got, terminator);
    at += *got;
  }
  return lines;
}

// Returns the number of line ends of a file before `offset`, which counts decompressed bytes.
Result<i64> count_lines(const Source &source, i64 offset, char terminator) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  if (source.codec == Codec::none) {
    return count_lines(source.begin, offset, terminator,
                       [&](i64 at, char *to, i64 size) { return file->read_at(at, to, size); });
  }
  BufferedReader packed(std::move(*file));
  Result<std::unique_ptr<Stream>> stream = open_stream(source.codec, &packed);
  if (!stream.is_ok()) return stream.status();
  return count_lines(0, offset, terminator,
                     [&](i64, char *to, i64 size) { return (*stream)->read(to, size); });
}

// True if this run has read the source from its first line on, so that it knows line numbers.
bool is_met_whole(const Source &source) {
  if (source.followed) return true;
  return source.stream && (source.codec == Codec::none || source.known == 0);
}

}  // namespace

void Complaint::add(const Chunk &chunk, Bytes record, const char *reason, Bytes shown) {
  ++count_;
  const char *begin = chunk.bytes.data();
  const u64 position =
      position_of(chunk.source, chunk.offset + static_cast<i64>(record.data() - begin));
  if (position >= first_.position) return;
  first_ = {position, position_of(chunk.source, chunk.offset),
            std::count(begin, record.data(), terminator_), reason,
            std::string(shown.substr(0, kShown + 1))};
}

void Complaint::add(const Complaint &other) { add(other.count_, other.first_); }

void Complaint::add(i64 count, const KeptFlaw &first) {
  count_ += count;
  if (first.position < first_.position) first_ = first;
}

void Complaint::forget_beyond(u64 position, i64 count) {
  count_ = count;
  if (first_.position > position) first_ = {};
}

std::string Complaint::describe_first(std::span<const Source> sources,
                                      const LineTable &stream_lines) const {
  const Source &source = sources[static_cast<size_t>(source_of(first_.position))];
  std::string line;
  if (is_met_whole(source)) {
    line = fmt::format(":{}", stream_lines.line(first_.chunk + static_cast<u64>(first_.line)));
  } else {
    Result<i64> lines = count_lines(source, offset_of(first_.position), terminator_);
    if (lines.is_ok()) line = fmt::format(":{}", *lines + 1);
  }
  std::string shown;
  append_visible(Bytes(first_.shown).substr(0, kShown), &shown);
  return fmt::format("{}{}: {}: {}{}", source.name(), line, first_.reason, shown,
                     first_.shown.size() > kShown ? " ..." : "");
}

}  // namespace mrc
