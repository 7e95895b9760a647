#include "engine/inner/content_tiles.h"

#include "input/input.h"
#include "sched/sched.h"
#include "split/content_borders.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace mrc {
namespace {

// Reads a part of a file in pieces that stay in the L2 cache while they are used.
// Calls take(offset, bytes) for the pieces of [begin, end) until it returns false. `buffer` holds
// the pieces. Fails if the file cannot be read up to `end`.
template <typename Take>
Status each_piece(const InputFile &file, i64 begin, i64 end, std::string *buffer, Take take) {
  constexpr i64 kPiece = 256 << 10;
  buffer->resize(static_cast<size_t>(kPiece));
  for (i64 at = begin; at < end;) {
    const Result<i64> got = file.read_at(at, buffer->data(), std::min(kPiece, end - at));
    if (!got.is_ok()) return got.status();
    if (*got == 0) return Status::about(file.name(), "has just been truncated");
    if (!take(at, Bytes(*buffer).substr(0, static_cast<size_t>(*got)))) break;
    at += *got;
  }
  return Status::ok();
}

// Each border depends on the one before. So each stretch of a file is cut as if a tile began at its
// front; soon its borders are those of the whole file. A bridge leads from the last border of a
// stretch to the first border that it shares with a later stretch, usually the next.

constexpr i64 kTiles = 16;  // in each stretch: a bridge takes about two
constexpr i64 kLeastStretch = i64{4} << 20;

struct Stretch {
  std::vector<i64> ends = {};    // those of a scan from the front of the stretch on
  std::vector<i64> bridge = {};  // those after the last of `ends`
  bool is_quoted = false;
  Status status = Status::ok();
};

// Call cut() for all stretches, then bridge() for all stretches, then join(). Different stretches
// may be cut or bridged by different threads at the same time.
class FileCutter {
 public:
  FileCutter(const CutBytes &ends_of_records, i64 tile_bytes, CutFile *file)
      : cuts_(ends_of_records),
        tile_bytes_(tile_bytes),
        file_(file),
        size_(file->source->end),
        length_(file->whole ? size_ : std::max(kTiles * tile_bytes, kLeastStretch)),
        stretches_(static_cast<size_t>((size_ + length_ - 1) / length_)) {}

  i64 stretches() const { return std::ssize(stretches_); }

  void cut(i64 k) {
    if (file_->whole) return;
    const i64 begin = k * length_;
    walk(begin, std::min(size_, begin + length_), &stretch(k), &stretch(k).ends,
         [] { return true; });
  }

  void bridge(i64 k) {
    Stretch &from = stretch(k);
    if (k + 1 == stretches() || from.ends.empty()) return;
    walk_to_common(from.ends.back(), std::min(size_, (k + 2) * length_), &from, &from.bridge);
  }

  void join() {
    std::vector<i64> ends = is_cut() ? true_ends() : std::vector<i64>{size_};
    if (file_->groups) move_to_records(&ends);
    for (const Stretch &each : stretches_) {
      if (!each.status.is_ok()) file_->status = each.status;
    }
    i64 begin = 0;
    for (const i64 end : ends) {
      file_->tiles.push_back({.begin = std::exchange(begin, end), .end = end});
    }
  }

 private:
  Stretch &stretch(i64 k) { return stretches_[static_cast<size_t>(k)]; }
  i64 stretch_of(i64 border) const { return (border - 1) / length_; }

  // False if the whole file is one tile, or cannot be read.
  bool is_cut() const {
    return !file_->whole && std::ranges::none_of(stretches_, [](const Stretch &each) {
      return each.is_quoted || !each.status.is_ok();
    });
  }

  bool is_common(i64 border) {
    return std::ranges::binary_search(stretch(stretch_of(border)).ends, border);
  }

  // Joins stretches and bridges. A bridge that has not reached a common border is extended.
  std::vector<i64> true_ends() {
    std::vector<i64> ends = stretch(0).ends;
    for (i64 k = 0; ends.empty() || ends.back() < size_;) {
      Stretch &last = stretch(k);
      std::vector<i64> &bridge = last.bridge;
      if (bridge.empty() || !is_common(bridge.back())) {
        bridge.clear();
        walk_to_common(ends.empty() ? 0 : ends.back(), size_, &last, &bridge);
        if (!last.status.is_ok() || bridge.empty()) return {size_};  // the file has just changed
      }
      k = stretch_of(bridge.back());
      const std::vector<i64> &more = stretch(k).ends;
      ends.insert(ends.end(), bridge.begin(), bridge.end());
      ends.insert(ends.end(), std::ranges::upper_bound(more, ends.back()), more.end());
    }
    return ends;
  }

  // Moves ends of tiles inside records to the ends of these.
  void move_to_records(std::vector<i64> *ends) {
    const Result<InputFile> input = InputFile::open(*file_->source);
    if (!input.is_ok()) return;  // its reader complains
    for (i64 &end : *ends) end = end_of_record(*input, end);
    const auto same = std::ranges::unique(*ends);
    ends->erase(same.begin(), same.end());
  }
  // Returns the first end of a record from the end of a line on.
  i64 end_of_record(const InputFile &file, i64 end) const {
    constexpr i64 kPiece = i64{64} << 10;
    std::string piece(static_cast<size_t>(kPiece + kPadding), '\0');
    for (i64 at = end - 1; at < size_;) {
      const Result<i64> got = file.read_at(at, piece.data(), std::min(kPiece, size_ - at));
      if (!got.is_ok() || *got == 0) break;
      const char *begin = piece.data(), *stop = begin + *got;
      const LineGroups::Found found = file_->groups.first(begin, stop, stop, at + *got == size_);
      if (found.cut != nullptr) return at + (found.cut - begin) + 1;
      at += found.rest - begin;
    }
    return size_;
  }

  // Walks from `from` to the first end that is also an end of the stretch around it.
  void walk_to_common(i64 from, i64 to, Stretch *stretch, std::vector<i64> *ends) {
    size_t seen = 0;
    walk(from, to, stretch, ends, [&] {
      while (seen < ends->size() && !is_common((*ends)[seen])) ++seen;
      if (seen == ends->size()) return true;
      ends->resize(seen + 1);
      return false;
    });
  }

  // Adds the ends after `from`, where a tile begins. Asks wants_more() after each piece.
  template <typename WantsMore>
  void walk(i64 from, i64 to, Stretch *stretch, std::vector<i64> *ends, WantsMore wants_more) {
    const Result<InputFile> input = InputFile::open(*file_->source);
    if (!input.is_ok()) {
      stretch->status = input.status();
      return;
    }
    ContentBorders borders(cuts_, tile_bytes_, from);
    std::string buffer;
    bool goes_on = true;
    stretch->status = each_piece(*input, from, to, &buffer, [&](i64, Bytes piece) {
      if (file_->quote && piece.find(*file_->quote) != Bytes::npos) stretch->is_quoted = true;
      borders.feed(piece, ends);
      return goes_on = !stretch->is_quoted && wants_more();
    });
    if (goes_on && stretch->status.is_ok() && to == size_) borders.finish(ends);
  }

  const CutBytes &cuts_;
  const i64 tile_bytes_;
  CutFile *file_;
  const i64 size_, length_;
  std::vector<Stretch> stretches_;
};

// Sets begins and ends of tiles, and the status, of all files, with all threads. With any number of
// threads, the tiles are those that ContentBorders finds when it reads a file from the front.
void find_content_ends(const CutBytes &ends_of_records, i64 tile_bytes, WorkerPool *pool,
                       std::vector<CutFile> *files) {
  std::vector<FileCutter> cutters;
  std::vector<std::pair<size_t, i64>> stretches;
  for (CutFile &file : *files) {
    cutters.emplace_back(ends_of_records, tile_bytes, &file);
    for (i64 k = 0; k < cutters.back().stretches(); ++k) {
      stretches.emplace_back(cutters.size() - 1, k);
    }
  }
  const auto each_stretch = [&](void (FileCutter::*step)(i64)) {
    static_cast<void>(pool->run_each(std::ssize(stretches), [&](i64 i) {
      const auto &[file, k] = stretches[static_cast<size_t>(i)];
      (cutters[file].*step)(k);
      return Status::ok();
    }));
  };
  each_stretch(&FileCutter::cut);
  each_stretch(&FileCutter::bridge);
  static_cast<void>(pool->run_each(std::ssize(cutters), [&](i64 i) {
    cutters[static_cast<size_t>(i)].join();
    return Status::ok();
  }));
}

// Finds the ends of tiles first, and then hashes the tiles, which are in the page cache by then.

Status hash_tile(const ContentHash &hash, const InputFile &file, std::string *buffer,
                 ContentTile *tile) {
  return each_piece(file, tile->begin, tile->end, buffer, [&](i64 at, Bytes piece) {
    tile->own = ContentHash::join(tile->own, hash.of(at - tile->begin, piece));
    tile->content = ContentHash::join(tile->content, hash.of(at, piece));
    return true;
  });
}

// Tiles that one thread hashes at a time.
struct Task {
  CutFile *file;
  size_t begin, end;
};

std::vector<Task> tasks_of(std::vector<CutFile> *files) {
  constexpr i64 kTaskBytes = i64{4} << 20;
  std::vector<Task> tasks;
  for (CutFile &file : *files) {
    const std::vector<ContentTile> &tiles = file.tiles;
    for (size_t begin = 0, end; begin < tiles.size(); begin = end) {
      for (end = begin + 1; end < tiles.size(); ++end) {
        if (tiles[end].end - tiles[begin].begin > kTaskBytes) break;
      }
      tasks.push_back({&file, begin, end});
    }
  }
  return tasks;
}

Status hash_tiles(const ContentHash &hash, const Task &task) {
  std::string buffer;
  Result<InputFile> input = InputFile::open(*task.file->source);
  if (!input.is_ok()) return input.status();
  for (size_t i = task.begin; i < task.end; ++i) {
    Status status = hash_tile(hash, *input, &buffer, &task.file->tiles[i]);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

void cut_by_content(const CutBytes &ends_of_records, i64 tile_bytes, const ContentHash &hash,
                    i64 threads, std::vector<CutFile> *files) {
  WorkerPool pool(threads);
  find_content_ends(ends_of_records, tile_bytes, &pool, files);
  const std::vector<Task> tasks = tasks_of(files);
  std::mutex mutex;
  static_cast<void>(pool.run_each(std::ssize(tasks), [&](i64 i) {
    const Task &task = tasks[static_cast<size_t>(i)];
    Status status = hash_tiles(hash, task);
    const std::lock_guard lock(mutex);
    if (!status.is_ok()) task.file->status = status;
    return Status::ok();
  }));
}

}  // namespace mrc
