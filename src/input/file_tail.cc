#include "input/inner/file_tail.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Bytes before the mark that are compared before new bytes are read.
constexpr i64 kPast = i64{4} << 10;
// Bytes of a copy that are compared, both at the start and before the mark.
constexpr i64 kCompared = i64{64} << 10;
constexpr i64 kLeastCopy = i64{4} << 10;

// Reads the bytes [begin, end) of a file; fewer if it is shorter or unreadable.
std::string bytes_of(const InputFile &file, i64 begin, i64 end) {
  std::string bytes(static_cast<size_t>(std::max<i64>(0, end - begin)), '\0');
  const Result<i64> got = file.read_at(begin, bytes.data(), std::ssize(bytes));
  bytes.resize(static_cast<size_t>(got.is_ok() ? *got : 0));
  return bytes;
}

bool same_time(const timespec &a, const timespec &b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

FileTail::FileTail(InputFile file, i64 begin, i64 mark)
    : file_(std::move(file)), begin_(begin), mark_(mark) {
  past_ = bytes_of(file_, std::max(begin, mark - kPast), mark);
  seen_.st_size = -1;
}

// A file with the same size and time is unchanged. Otherwise the last bytes read are compared: a
// file that is truncated and rewritten may be longer than before.
FileTail::Change FileTail::look() {
  struct stat now;
  if (fstat(file_.fd(), &now) != 0) return Change::none;
  const bool changed = now.st_size != seen_.st_size || !same_time(now.st_mtim, seen_.st_mtim);
  seen_ = now;
  if (now.st_size < mark_) return Change::replaced;
  if (changed && !keeps_its_past()) return Change::replaced;
  return now.st_size > mark_ ? Change::grown : Change::none;
}

bool FileTail::keeps_its_past() const {
  return bytes_of(file_, mark_ - std::ssize(past_), mark_) == past_;
}

Result<i64> FileTail::read(char *to, i64 room) {
  const i64 size = std::min(room, i64{seen_.st_size} - mark_);
  if (size <= 0) return i64{0};
  Result<i64> got = file_.read_at(mark_, to, size);
  if (got.is_ok()) remember(to, *got);
  return got;
}

void FileTail::remember(const char *bytes, i64 size) {
  mark_ += size;
  const i64 fresh = std::min(size, kPast);
  const i64 old = std::min(std::ssize(past_), kPast - fresh);
  past_.erase(0, static_cast<size_t>(std::ssize(past_) - old));
  past_.append(bytes + (size - fresh), static_cast<size_t>(fresh));
}

void FileTail::begin_anew() {
  begin_ = mark_ = 0;
  past_.clear();
}

bool FileTail::is(const struct stat &info) const {
  struct stat own;
  return fstat(file_.fd(), &own) == 0 && own.st_dev == info.st_dev && own.st_ino == info.st_ino;
}

bool FileTail::is_copied_to(const InputFile &other) const {
  if (mark_ - begin_ < kLeastCopy) return false;
  const auto same = [&](i64 begin, i64 end) {
    const std::string own = bytes_of(file_, begin, end);
    return std::ssize(own) == end - begin && own == bytes_of(other, begin, end);
  };
  return same(begin_, std::min(mark_, begin_ + kCompared)) &&
         same(std::max(begin_, mark_ - kCompared), mark_);
}

void FileTail::go_on_in(InputFile copy) {
  file_ = std::move(copy);
  seen_ = {};
  seen_.st_size = -1;
}

}  // namespace mrc
