#include "split/chunk_feed.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace mrc {
namespace {

class ChunkFeedReader : public Feed::Reader {
 public:
  ChunkFeedReader(SplitQueue *queue, const char *terminator, std::atomic<i64> *commands)
      : queue_(*queue), reader_(queue), terminator_(terminator), commands_(*commands) {}

  Result<Bytes> next() override {
    const Bytes last = std::exchange(last_, {});
    if (!last.empty() && last.back() != *terminator_) return Bytes(terminator_, 1);
    for (;;) {
      if (!in_unit_) {
        const Result<std::optional<Unit>> unit = reader_.claim();
        if (!unit.is_ok()) return unit.status();
        if (!*unit) return Bytes();
        in_unit_ = true;
      }
      const Result<std::optional<Chunk>> chunk = reader_.next();
      if (!chunk.is_ok()) return chunk.status();
      in_unit_ = chunk->has_value();
      if (!in_unit_ || (*chunk)->bytes.empty()) continue;
      chunk_ = **chunk;
      return last_ = chunk_.bytes;
    }
  }
  std::string place() const override {
    return fmt::format("{}, bytes {} to {}",
                       queue_.sources()[static_cast<size_t>(chunk_.source)].name(), chunk_.offset,
                       chunk_.offset + std::ssize(chunk_.bytes) - 1);
  }
  // A pipe may give no bytes for long.
  void give_up() override {
    if (!has_given_up_.exchange(true) && --commands_ == 0) queue_.cancel();
  }

 private:
  SplitQueue &queue_;
  ChunkReader reader_;
  const char *const terminator_;
  std::atomic<i64> &commands_;
  std::atomic<bool> has_given_up_{false};
  Bytes last_;  // returned by the last call, if it was a chunk
  bool in_unit_ = false;
  Chunk chunk_;
};

// Looks at lines of a file that are sorted by their keys.
class SortedLines {
 public:
  SortedLines(const Source &source, const InputFile &file, char terminator)
      : end_(source.end),
        terminator_(terminator),
        window_(open_window(IoMode::read, source, file, &buffer_)) {}

  // Returns the offset of the first line after `at` whose key is not that of the line before.
  Result<i64> next_key(i64 at) {
    std::optional<std::string> key;
    for (bool in_line = true; at < end_; in_line = false) {
      const Result<Bytes> line = line_at(at);
      if (!line.is_ok()) return line.status();
      const Bytes its_key = line->substr(0, line->find_first_of(std::string{'\t', terminator_}));
      if (key && its_key != *key) return at;
      if (!in_line && !key) key = its_key;
      at += std::ssize(*line);
    }
    return end_;
  }

 private:
  Result<Bytes> line_at(i64 at) {
    for (i64 size = i64{4} << 10;; size *= 4) {
      const i64 end = std::min(at + size, end_);
      const Result<Bytes> seen = window_->view(at, end);
      if (!seen.is_ok()) return seen;
      const size_t cut = seen->find(terminator_);
      if (cut != Bytes::npos) return seen->substr(0, cut + 1);
      if (end == end_ || std::ssize(*seen) < size) return seen;
    }
  }

  const i64 end_;
  const char terminator_;
  Pages buffer_;
  const std::unique_ptr<Window> window_;
};

}  // namespace

// A queue with `idle` waits for pipes in steps, and looks between them if it is cancelled.
ChunkFeed::ChunkFeed(QueueSpec spec, char terminator, bool wants_all, i64 commands)
    : queue_([&] {
        spec.idle = [] {};
        return std::move(spec);
      }()),
      terminator_(terminator),
      wants_all_(wants_all),
      commands_(commands) {}

std::unique_ptr<Feed::Reader> ChunkFeed::open() {
  return std::make_unique<ChunkFeedReader>(&queue_, &terminator_, &commands_);
}

std::string ChunkFeed::remedy() const {
  return fmt::format("; with {}, each split has a command of its own, which may leave the rest",
                     setting_name("each-split"));
}

Result<std::vector<Split>> split_by_key(const Source &source, i64 index, i64 bytes,
                                        char terminator) {
  std::vector<Split> splits;
  const Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  SortedLines lines(source, *file, terminator);
  for (i64 at = source.begin; at < source.end;) {
    const bool is_last = source.end - at <= bytes;
    const Result<i64> end = is_last ? Result<i64>(source.end) : lines.next_key(at + bytes);
    if (!end.is_ok()) return end.status();
    splits.push_back({.source = index, .begin = at, .end = *end});
    at = *end;
  }
  return splits;
}

}  // namespace mrc
