#include "engine/complaint.h"

#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kShown = 160;  // bytes of the input in a message

// How many line ends a file has before `offset`.
Result<i64> count_lines(const Source &source, i64 offset, char terminator) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string block(size_t{1} << 18, '\0');
  i64 lines = 0;
  for (i64 at = source.begin; at < offset;) {
    const i64 size = std::min<i64>(std::ssize(block), offset - at);
    Result<i64> got = file->read_at(at, block.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    lines += std::count(block.data(), block.data() + *got, terminator);
    at += *got;
  }
  return lines;
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

void Complaint::add(const Complaint &other) {
  count_ += other.count_;
  if (other.first_.position < first_.position) first_ = other.first_;
}

void Complaint::forget_beyond(u64 position, i64 count) {
  count_ = count;
  if (first_.position > position) first_ = {};
}

std::string Complaint::describe_first(std::span<const Source> sources,
                                      const LineTable &stream_lines) const {
  const Source &source = sources[static_cast<size_t>(source_of(first_.position))];
  std::string line;
  if (source.stream) {
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
