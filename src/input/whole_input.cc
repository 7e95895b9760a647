#include "input/whole_input.h"

#include "input/stream.h"
#include "record.h"

#include <errno.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace mrc {

Result<WholeInput> WholeInput::open(const Source &source) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  WholeInput input;
  const Status status = source.stream ? input.read(std::move(*file)) : input.map(source, *file);
  return status.is_ok() ? Result<WholeInput>(std::move(input)) : status;
}

WholeInput::~WholeInput() {
  if (base_ != nullptr) munmap(base_, static_cast<size_t>(mapped_));
}

WholeInput::WholeInput(WholeInput &&other) noexcept { *this = std::move(other); }

WholeInput &WholeInput::operator=(WholeInput &&other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  std::swap(base_, other.base_);
  std::swap(memory_, other.memory_);
  return *this;
}

// Maps all of the file, even if standard input has been read in part: offsets are the file's.
Status WholeInput::map(const Source &source, const InputFile &file) {
  void *base = mmap(nullptr, static_cast<size_t>(source.end), PROT_READ, MAP_PRIVATE, file.fd(), 0);
  if (base == MAP_FAILED) return Status::from_errno(file.name(), errno);
  base_ = static_cast<char *>(base);
  mapped_ = source.end;
  bytes_ = Bytes(base_, static_cast<size_t>(source.end));
  return Status::ok();
}

Status WholeInput::read(InputFile file) {
  constexpr i64 kFirst = i64{1} << 20;
  BufferedReader reader(std::move(file));
  Result<Bytes> first = reader.peek(kMagicBytes);
  if (!first.is_ok()) return first.status();
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(*first), &reader);
  if (!stream.is_ok()) return stream.status();
  memory_ = Pages(kFirst);
  for (i64 size = 0;;) {
    const i64 room = memory_.size() - size - kPadding;
    if (room == 0) {
      memory_.grow(2 * memory_.size());
      continue;
    }
    char *to = reinterpret_cast<char *>(memory_.data());
    Result<i64> got = (*stream)->read(to + size, room);
    if (!got.is_ok()) return got.status();
    size += *got;
    if (*got > 0) continue;
    bytes_ = Bytes(to, static_cast<size_t>(size));
    return Status::ok();
  }
}

}  // namespace mrc
