// output: files of a directory that count only together.
#pragma once

#include "output/output.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace mrc {

// Each file appears when it is whole. keep() makes all of them stay; until then, the destructor and
// signals that end the process remove them. One thread, and one set with files at a time.
class FileSet {
 public:
  // The paths of files are relative to `root`, which exists.
  explicit FileSet(std::string root) : root_(std::move(root)) {}
  ~FileSet();
  FileSet(const FileSet &) = delete;
  FileSet &operator=(const FileSet &) = delete;

  // Opens a new file, and makes its folder if there is none. A file of this name is an error.
  Result<std::unique_ptr<OutputFile>> create(const std::string &path);
  // Gives a file that create() has opened its name.
  Status add(const std::string &path, OutputFile *file);
  // Forces all files and their folders to disk.
  Status sync(WorkerPool *pool) const;
  void keep();

  std::string path_of(const std::string &path) const { return root_ + "/" + path; }

  // A file for the signal handler, which may only read plain memory.
  struct Shown {
    std::unique_ptr<char[]> path;
    const Shown *before;  // null: the first
  };

 private:
  Status make_folders(const std::string &path);

  const std::string root_;
  std::vector<std::unique_ptr<Shown>> files_;
  std::set<std::string> folders_;         // folders of these files
  std::vector<std::string> new_folders_;  // folders that were made, outer ones first
  bool is_kept_ = false;
};

}  // namespace mrc
