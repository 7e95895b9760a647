// output: text that goes to many files.
#pragma once

#include "output/output.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace mrc {

class FoldersBelow;
class WorkFolder;

struct NamedFilesSpec {
  std::string prefix;     // stands before the path of each file: "DIR/", or nothing
  std::string pattern;    // what the user has typed, for messages
  i64 most_open = 256;    // files that are open at a time
  bool replaces = false;  // files that are there already
};

// Takes the place of the answer. It receives records, each of which has the path of its file before
// it: append_to_file(). A path has the text that begins each file after it if it is empty.
//
// Text of files waits in memory until there is enough of it for one of them, or too much for all.
// It is appended to numbered files in a directory beside those that will be (inner/work_folder.h).
// When all text is there, all of them get their names, or none.
class NamedFiles : public OutputTarget {
 public:
  // Files whose text waits take `memory` bytes, and the paths of all files twice as much.
  static Result<std::unique_ptr<NamedFiles>> open(const NamedFilesSpec &spec, i64 memory);
  ~NamedFiles() override;

  Status write(Bytes bytes) override;
  bool reader_left() override { return false; }
  // Gives the files their names.
  Status finish(WorkerPool *pool);
  i64 size() const { return std::ssize(files_); }

 private:
  struct File {
    std::string path;
    std::string text;  // waits to be written
    i64 number;
    bool is_made = false, waits = false;
    int fd = -1;  // -1: it is not open
  };
  struct OldFile;

  NamedFiles(const NamedFilesSpec &spec, i64 memory);
  Status add(Bytes path, Bytes text);
  Result<File *> make_file(Bytes path);
  Status write_out(File *file);
  Status write_all();
  Status open_file(File *file);
  Status close_oldest();
  Status close_all();
  Status sync(WorkerPool *pool) const;
  Status sync_folders();
  Result<OldFile> find_old(const File &file);
  Status check_places();
  Status give_names();
  Status give_name(const File &file, bool *is_new);
  void take_back(const std::vector<const File *> &named);
  Status cannot_write(const File &file, int error) const;
  std::string name_of(const File &file) const { return spec_.prefix + file.path; }

  const NamedFilesSpec spec_;
  const i64 most_held_, most_of_paths_;
  std::unique_ptr<FoldersBelow> folders_;
  std::unique_ptr<WorkFolder> work_;  // the directory with numbered files
  std::string header_;
  std::deque<File> files_;  // in the order of their first records
  std::unordered_map<Bytes, File *> by_path_;
  File *last_ = nullptr;
  std::deque<File *> open_;      // the first has been open for longest
  std::vector<File *> waiting_;  // have text
  i64 held_ = 0, of_paths_ = 0;  // bytes
};

// Appends a record as write() takes it.
void append_to_file(Bytes path, Bytes record, std::string *out);

}  // namespace mrc
