// First each file is cut by one thread, since a border depends on the one before. Then tiles are
// hashed by all threads: they lie in the page cache by now.
#include "engine/content_tiles.h"

#include "sched/sched.h"
#include "split/content_borders.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kPiece = 256 << 10;  // stays in the L2 cache between reading and hashing

// Calls take(offset, bytes) for all bytes of a part.
template <typename Take>
Status each_piece(const InputFile &file, i64 begin, i64 end, std::string *buffer, Take take) {
  buffer->resize(static_cast<size_t>(kPiece));
  for (i64 at = begin; at < end;) {
    const Result<i64> got = file.read_at(at, buffer->data(), std::min(kPiece, end - at));
    if (!got.is_ok()) return got.status();
    if (*got == 0) return Status::about(file.name(), "has just been truncated");
    take(at, Bytes(*buffer).substr(0, static_cast<size_t>(*got)));
    at += *got;
  }
  return Status::ok();
}

// Where the tiles end.
Status find_ends(const CutBytes &ends_of_records, i64 tile_bytes, const CutFile &file,
                 std::vector<i64> *ends) {
  const Source &source = *file.source;
  Result<InputFile> input = InputFile::open(source);
  if (!input.is_ok()) return input.status();
  ContentBorders borders(ends_of_records, tile_bytes);
  bool is_quoted = false;
  std::string buffer;
  Status status = each_piece(*input, 0, source.end, &buffer, [&](i64, Bytes piece) {
    is_quoted = is_quoted || (file.quote && piece.find(*file.quote) != Bytes::npos);
    if (!is_quoted) borders.feed(piece, ends);
  });
  if (!status.is_ok()) return status;
  is_quoted ? ends->assign({source.end}) : borders.finish(ends);
  return status;
}

Status cut(const CutBytes &ends_of_records, i64 tile_bytes, CutFile *file) {
  std::vector<i64> ends = {file->source->end};
  if (!file->whole) {
    ends.clear();
    Status status = find_ends(ends_of_records, tile_bytes, *file, &ends);
    if (!status.is_ok()) return status;
  }
  i64 begin = 0;
  for (const i64 end : ends) {
    file->tiles.push_back({.begin = begin, .end = end});
    begin = end;
  }
  return Status::ok();
}

Status hash_tile(const ContentHash &hash, const InputFile &file, std::string *buffer,
                 ContentTile *tile) {
  return each_piece(file, tile->begin, tile->end, buffer, [&](i64 at, Bytes piece) {
    tile->own = ContentHash::join(tile->own, hash.of(at - tile->begin, piece));
    tile->content = ContentHash::join(tile->content, hash.of(at, piece));
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

Status hash_tiles(const ContentHash &hash, const Task &task, std::string *buffer) {
  Result<InputFile> input = InputFile::open(*task.file->source);
  if (!input.is_ok()) return input.status();
  for (size_t i = task.begin; i < task.end; ++i) {
    Status status = hash_tile(hash, *input, buffer, &task.file->tiles[i]);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

void cut_by_content(const CutBytes &ends_of_records, i64 tile_bytes, const ContentHash &hash,
                    i64 threads, std::vector<CutFile> *files) {
  WorkerPool pool(threads);
  std::atomic<size_t> next{0};
  static_cast<void>(pool.run(std::min(threads, std::ssize(*files)), [&](i64) {
    for (size_t i; (i = next.fetch_add(1)) < files->size();) {
      CutFile &file = (*files)[i];
      file.status = cut(ends_of_records, tile_bytes, &file);
    }
    return Status::ok();
  }));
  const std::vector<Task> tasks = tasks_of(files);
  std::mutex mutex;
  next = 0;
  static_cast<void>(pool.run(std::min(threads, std::ssize(tasks)), [&](i64) {
    std::string buffer;
    for (size_t i; (i = next.fetch_add(1)) < tasks.size();) {
      Status status = hash_tiles(hash, tasks[i], &buffer);
      if (status.is_ok()) continue;
      const std::lock_guard lock(mutex);
      tasks[i].file->status = status;
    }
    return Status::ok();
  }));
}

}  // namespace mrc
