#include "input/whole_input.h"

#include "input/stream.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace mrc {
namespace {

// Waits until the pipe is full or closed.
void wait_until_full(int fd, i64 capacity) {
  using namespace std::chrono;
  struct pollfd pipe = {fd, POLLIN, 0};
  if (poll(&pipe, 1, -1) <= 0) return;
  const auto begin = steady_clock::now();
  while ((pipe.revents & POLLHUP) == 0 && steady_clock::now() - begin < seconds(1)) {
    int bytes = 0;
    if (ioctl(fd, FIONREAD, &bytes) != 0 || bytes >= capacity) return;
    usleep(1000);
    poll(&pipe, 1, 0);
  }
}

// Opens what is left of `from`, decompressed.
Result<std::unique_ptr<Stream>> open_packed(const Source &source, BufferedReader *from) {
  const Result<Bytes> first = from->peek(kMagicBytes);
  if (!first.is_ok()) return first.status();
  return open_stream(codec_of(source, *first), from);
}

}  // namespace

Result<Head> read_head(const Source &source, const std::function<bool(const Head &)> &is_enough) {
  constexpr i64 kFirst = i64{64} << 10;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  const bool from_begin = source.stream || source.is_known;
  BufferedReader reader(from_begin ? std::move(*file) : InputFile());
  std::unique_ptr<Stream> stream;
  if (from_begin) {
    Result<std::unique_ptr<Stream>> opened = open_packed(source, &reader);
    if (!opened.is_ok()) return opened.status();
    stream = std::move(*opened);
  }
  const i64 limit = stream ? INT64_MAX : source.end - source.begin;
  Head head;
  while (!head.whole && (head.bytes.empty() || !is_enough(head))) {
    const i64 have = std::ssize(head.bytes), room = std::min(std::max(have, kFirst), limit - have);
    head.bytes.resize(static_cast<size_t>(have + room));
    char *to = head.bytes.data() + have;
    const Result<i64> got =
        stream ? stream->read(to, room) : file->read_at(source.begin + have, to, room);
    if (!got.is_ok()) return got.status();
    head.bytes.resize(static_cast<size_t>(have + *got));
    head.whole = *got == 0 || have + *got == limit;
  }
  return head;
}

PeekedInput::PeekedInput(int fd) {
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return;
  if (S_ISREG(info.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) path_ = fmt::format("/dev/fd/{}", fd);
  if (S_ISFIFO(info.st_mode)) copy_pipe(fd);
}

PeekedInput::~PeekedInput() {
  if (copy_ >= 0) close(copy_);
}

void PeekedInput::copy_pipe(int fd) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const int capacity = fcntl(ends[1], F_GETPIPE_SZ), own = fcntl(fd, F_GETPIPE_SZ);
  wait_until_full(fd, std::min(capacity, own));
  const bool copied = tee(fd, ends[1], static_cast<size_t>(capacity), SPLICE_F_NONBLOCK) >= 0;
  close(ends[1]);
  copy_ = ends[0];
  if (copied) path_ = fmt::format("/dev/fd/{}", copy_);
}

Result<WholeInput> WholeInput::open(const Source &source) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  WholeInput input;
  const Status status = source.stream       ? input.read(source, std::move(*file))
                        : source.collection ? input.copy(source, *file)
                                            : input.map(source, *file);
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

// Copies a member of an archive, whose pages may have bytes of others.
Status WholeInput::copy(const Source &source, const InputFile &file) {
  const i64 size = source.end - source.begin;
  memory_ = Pages(size + kPadding);
  char *to = reinterpret_cast<char *>(memory_.data());
  const Result<i64> got = file.read_at(source.begin, to, size);
  if (got.is_ok()) bytes_ = Bytes(to, static_cast<size_t>(*got));
  return got.status();
}

Status WholeInput::read(const Source &source, InputFile file) {
  constexpr i64 kFirst = i64{1} << 20;
  BufferedReader reader(std::move(file));
  Result<std::unique_ptr<Stream>> stream = open_packed(source, &reader);
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
