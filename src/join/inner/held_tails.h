// The output text of RIGHT's records of one key, in memory or, beyond a limit, in a temporary file.
#pragma once

#include "base/status.h"
#include "store/store.h"

#include <cstring>
#include <optional>
#include <string>

namespace mrc {

// A list of tails (JoinText) with their positions. Not thread safe.
class HeldTails {
 public:
  HeldTails(std::string tmpdir, i64 most_bytes)
      : tmpdir_(std::move(tmpdir)), most_bytes_(most_bytes) {}

  bool empty() const { return in_file_ == 0 && in_memory_.empty(); }
  void clear() {
    in_file_ = 0;  // the content of the file is overwritten
    in_memory_.clear();
  }
  Status add(u64 position, Bytes text);
  // Calls take(position, text) for each tail, in the order in which they were added, until take()
  // returns false.
  template <typename Take>
  Status each(Take take) {
    bool wanted = true;
    for (i64 at = 0; at < in_file_ && wanted;) {
      Result<Bytes> piece = read(at);
      if (!piece.is_ok()) return piece.status();
      const i64 used = show(*piece, take, &wanted);
      at += used;
    }
    if (wanted) show(in_memory_, take, &wanted);
    return Status::ok();
  }

 private:
  struct Head {
    u64 position, size;
  };
  // Shows the complete tails in `bytes`; returns their size.
  template <typename Take>
  static i64 show(Bytes bytes, Take take, bool *wanted) {
    const Bytes all = bytes;
    while (*wanted && bytes.size() >= sizeof(Head)) {
      Head head;
      std::memcpy(&head, bytes.data(), sizeof head);
      if (bytes.size() - sizeof head < head.size) break;
      *wanted = take(head.position, bytes.substr(sizeof head, head.size));
      bytes.remove_prefix(sizeof head + head.size);
    }
    return std::ssize(all) - std::ssize(bytes);
  }
  // Reads a piece of the file that has at least one complete tail.
  Result<Bytes> read(i64 at);

  const std::string tmpdir_;
  const i64 most_bytes_;
  std::string in_memory_, piece_;
  std::optional<RunFile> file_;
  i64 in_file_ = 0;
};

}  // namespace mrc
