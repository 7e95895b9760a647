// Follows files and pipes. Reads of pipes, fifos, terminals and sockets do not block.
#include "input/followed.h"
#include "input/input.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <utility>

namespace mrc {
namespace {

// An open file that grows: reads the bytes appended after a mark, and checks whether the bytes
// before the mark are unchanged.

class FileTail {
 public:
  // The input begins at `begin`, and is read up to `mark`.
  FileTail(InputFile file, i64 begin, i64 mark);

  enum class Change {
    none,
    grown,     // there are bytes after the mark
    replaced,  // the file is shorter, or has other bytes before the mark
  };
  Change look();
  // Reads up to `room` of the bytes seen by the last look(), and moves the mark.
  Result<i64> read(char *to, i64 room);
  // Restarts at the first byte of the file, after it was replaced.
  void begin_anew();

  bool is(const struct stat &info) const;
  // True if the other file is a copy of this one, up to the mark. Short files never count as
  // copies: many logs begin with the same line.
  bool is_copied_to(const InputFile &other) const;
  // Continues at the mark in that copy.
  void go_on_in(InputFile copy);

 private:
  bool keeps_its_past() const;
  void remember(const char *bytes, i64 size);

  InputFile file_;
  i64 begin_;
  i64 mark_;
  std::string past_;    // the last bytes before the mark
  struct stat seen_{};  // status at the last look
};

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

// A log can be rotated in several ways, which the content tells apart. A new file at the path
// begins a new generation, unless it is a copy of the bytes already read. The old file stays open
// for a while, since its writer switches late to the new one: until then both are read, each with
// its own unfinished record. A file that is truncated or rewritten begins a new generation, too.
//
// Looks are some milliseconds apart. If several files follow each other at the path between two
// looks, only the last is seen. Bytes that are appended and truncated between two looks are not
// seen.

using Time = std::chrono::steady_clock::time_point;

// An old file is read until it has not grown for this long.
constexpr std::chrono::seconds kDraining{5};
// During a rotation the path may have no file for a moment.
constexpr std::chrono::seconds kPatience{1};

class FollowedFile : public Followed {
 public:
  FollowedFile(const Source &source, InputFile file, Listener listener)
      : path_(source.path), name_(source.name()), listener_(std::move(listener)) {
    files_.push_back({FileTail(std::move(file), source.begin, source.end), 0});
  }

  Arrival next(char *to, i64 room) override {
    now_ = std::chrono::steady_clock::now();
    if (path_ != "-") look_at_path();
    for (Old &each : files_) {
      if (Arrival found = look_at(&each, to, room); found.what != Arrival::What::nothing) {
        return found;
      }
    }
    return close_drained();
  }

 private:
  // A file that is or was at the path.
  struct Old {
    FileTail tail;
    i64 generation;
    Time used = std::chrono::steady_clock::now();  // when it was last at the path or grew
  };

  Arrival look_at(Old *each, char *to, i64 room);
  void look_at_path();
  void adopt(const struct stat &info);
  void miss(const Status &why);
  Arrival close_drained();

  const std::string path_, name_;
  const Listener listener_;
  std::deque<Old> files_;  // the last one is at the path, unless is_gone_
  i64 last_generation_ = 0;
  bool is_gone_ = false, said_ = false;
  Time gone_since_;
  Time now_;
};

Arrival FollowedFile::look_at(Old *each, char *to, i64 room) {
  const FileTail::Change change = each->tail.look();
  if (change == FileTail::Change::none) return {};
  each->used = now_;
  if (change == FileTail::Change::replaced) {
    each->tail.begin_anew();
    return {Arrival::What::end, std::exchange(each->generation, ++last_generation_)};
  }
  const Result<i64> got = each->tail.read(to, room);
  if (!got.is_ok()) listener_.complain(got.status());
  if (!got.is_ok() || *got == 0) return {};
  return {Arrival::What::bytes, each->generation, *got};
}

void FollowedFile::look_at_path() {
  struct stat info;
  if (stat(path_.c_str(), &info) != 0) return miss(Status::from_errno(errno));
  if (!S_ISREG(info.st_mode)) return miss(Status::error("is not a regular file any more"));
  const bool was_gone = std::exchange(is_gone_, false);
  if (!files_.empty() && files_.back().tail.is(info)) {
    files_.back().used = now_;
  } else {
    adopt(info);
  }
  if (was_gone && std::exchange(said_, false)) listener_.note(name_ + ": is there again");
}

// Handles another file at the path.
void FollowedFile::adopt(const struct stat &info) {
  for (auto old = files_.begin(); old != files_.end(); ++old) {
    if (!old->tail.is(info)) continue;
    Old back = std::move(*old);  // renamed back
    files_.erase(old);
    files_.push_back(std::move(back));
    return;
  }
  Result<InputFile> file = InputFile::open(Source{.path = path_});
  if (!file.is_ok()) return miss(Status::from_errno(errno));
  if (!files_.empty() && files_.back().tail.is_copied_to(*file)) {
    files_.back().tail.go_on_in(std::move(*file));
    files_.back().used = now_;
    return;
  }
  files_.push_back({FileTail(std::move(*file), 0, 0), ++last_generation_, now_});
}

// Tells the user once, if the file stays away for kPatience.
void FollowedFile::miss(const Status &why) {
  if (!std::exchange(is_gone_, true)) gone_since_ = now_;
  if (now_ - gone_since_ < kPatience || std::exchange(said_, true)) return;
  listener_.note(name_ + ": " + why.message() + "; it is followed again when it is back");
}

// Closes an old file that no longer grows, as it may be deleted and still occupy its disk.
Arrival FollowedFile::close_drained() {
  for (auto old = files_.begin(); old != files_.end(); ++old) {
    const bool is_at_path = !is_gone_ && std::next(old) == files_.end();
    if (is_at_path || path_ == "-" || now_ - old->used < kDraining) continue;
    const i64 generation = old->generation;
    files_.erase(old);
    return {Arrival::What::end, generation};
  }
  return {};
}

// Follows a pipe, fifo, terminal or socket among other inputs: reads do not block.

class FollowedPipe : public Followed {
 public:
  FollowedPipe(InputFile file, Listener listener)
      : file_(std::move(file)), listener_(std::move(listener)) {}

  Arrival next(char *to, i64 room) override {
    if (file_.fd() < 0) return {Arrival::What::over};
    pollfd ready = {file_.fd(), POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0) return {};
    const Result<i64> got = file_.read(to, room);
    if (!got.is_ok()) listener_.complain(got.status());
    if (got.is_ok() && *got > 0 && !is_compressed({to, static_cast<size_t>(*got)})) {
      return {Arrival::What::bytes, 0, *got};
    }
    file_ = InputFile();  // a terminal would deliver more after its end
    return {Arrival::What::over};
  }
  int poll_fd() const override { return file_.fd(); }

 private:
  // Refuses compressed input: the decompressor would block, and other inputs with it.
  bool is_compressed(Bytes arrived) {
    if (std::exchange(begun_, true) || codec_of(arrived) == Codec::none) return false;
    listener_.complain(Status::error(
        file_.name() + ": a pipe that is followed cannot be compressed; decompress it before"));
    return true;
  }

  InputFile file_;
  const Listener listener_;
  bool begun_ = false;
};

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

Result<std::unique_ptr<Followed>> follow_file(const Source &source, Followed::Listener listener) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  return std::unique_ptr<Followed>(
      std::make_unique<FollowedFile>(source, std::move(*file), std::move(listener)));
}

Result<std::unique_ptr<Followed>> follow_pipe(const Source &source, Followed::Listener listener) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  return std::unique_ptr<Followed>(
      std::make_unique<FollowedPipe>(std::move(*file), std::move(listener)));
}

}  // namespace mrc
