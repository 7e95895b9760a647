// Finds the ends of tiles first, and then hashes the tiles, which are in the page cache by then.
#include "engine/inner/content_tiles.h"

#include "engine/inner/content_ends.h"
#include "engine/inner/file_pieces.h"

#include <mutex>

namespace mrc {
namespace {

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
