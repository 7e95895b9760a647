// Writes rows in the order of their folders: a file for each folder, with its range index.
#pragma once

#include "engine/inner/run.h"
#include "engine/sinks/range_pages.h"
#include "kept/kept.h"
#include "kept/range_index.h"
#include "output/file_set.h"
#include "rows/row_source.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Workers claim blocks of rows, and copy their text and find its bounds at the same time. They
// write in turn, so that one file is open at a time.
class LoadFiles {
 public:
  struct Spec {
    std::string name;    // name of all files, before the ending
    std::string header;  // begins each file; may be empty
    // How the records of the files are read: their indexes need it. Null: there are no indexes.
    const InputReaders *readers = nullptr;
  };
  // REQUIRES: all arguments outlive this
  LoadFiles(const Run &run, Spec spec, RowSource *rows, FileSet *files);

  Status write(WorkerPool *pool);
  // Returns the files that were written.
  std::vector<LoadedFile> take_files() { return std::move(loaded_); }

 private:
  // A page of the file of a folder: text of whole records.
  struct Piece {
    std::string folder;
    std::string text;
    i64 records = 0;
    RangeIndex::Page page = {};
  };
  class Worker;

  bool wait_for_turn(i64 block);
  void pass_turn();
  void stop();
  Status take(Piece *piece);
  void add_page(Piece *piece);
  Status begin(const std::string &folder);
  Status write(Bytes text);
  Status write_frame(Bytes text);
  Status end();
  Status write_index();
  i64 text_bytes() const;
  Status check_stamps() const;

  const Run &run_;
  const LoadSpec &load_;
  const Spec spec_;
  RowSource &rows_;
  FileSet &files_;
  const size_t held_bytes_;  // text that a worker holds until its turn

  std::atomic<i64> next_block_{0};
  std::mutex mutex_;
  std::condition_variable turns_;
  i64 turn_ = 0;  // the block that is written
  bool stopped_ = false;

  // Used by the worker that has the turn:
  std::string folder_;                // folder of the open file
  std::string path_;                  // path of the open file, below the directory
  std::unique_ptr<OutputFile> file_;  // null: none is open
  std::string frame_;                 // text of the next frame, if files are compressed
  PackedBlocks blocks_;               // frames of the open file
  std::vector<RangeIndex::Page> pages_;
  i64 records_ = 0;
  std::vector<LoadedFile> loaded_;
  // The indexed files as they were when they were complete.
  std::vector<std::pair<std::string, FileStamp>> stamps_;
};

// True if the dialects read the same records and fields.
bool reads_alike(const Dialect &a, const Dialect &b);

}  // namespace mrc
