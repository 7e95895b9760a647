// A log can be rotated in several ways, which the content tells apart. A new file at the path
// begins a new generation, unless it is a copy of the bytes already read. The old file stays open
// for a while, since its writer switches late to the new one: until then both are read, each with
// its own unfinished record. A file that is truncated or rewritten begins a new generation, too.
//
// Looks are some milliseconds apart. If several files follow each other at the path between two
// looks, only the last is seen. Bytes that are appended and truncated between two looks are not
// seen.
#include "input/followed.h"
#include "input/inner/file_tail.h"

#include <errno.h>

#include <chrono>
#include <deque>
#include <utility>

namespace mrc {
namespace {

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

}  // namespace

Result<std::unique_ptr<Followed>> follow_file(const Source &source, Followed::Listener listener) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  return std::unique_ptr<Followed>(
      std::make_unique<FollowedFile>(source, std::move(*file), std::move(listener)));
}

}  // namespace mrc
