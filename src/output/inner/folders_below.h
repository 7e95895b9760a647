// Folders below a directory, as paths in it name them.
#pragma once

#include "base/status.h"
#include "record.h"

#include <string>
#include <vector>

namespace mrc {

// Opens folders one by one, without following symbolic links, so that no path leaves the directory.
// One thread.
class FoldersBelow {
 public:
  // Makes the directory if it is not there. `prefix` stands before paths in it: "DIR/", or nothing.
  static Result<std::unique_ptr<FoldersBelow>> open(const std::string &prefix);
  ~FoldersBelow();
  FoldersBelow(const FoldersBelow &) = delete;
  FoldersBelow &operator=(const FoldersBelow &) = delete;

  int root() const { return root_; }
  // Returns the path of the directory.
  std::string directory() const;
  // Returns a descriptor of the file's folder, which the next call may close; -1: it is not there.
  // `makes`: makes it then.
  Result<int> folder_of(const std::string &path, bool makes);
  // The folders that were made stay. Otherwise the destructor removes those that are empty.
  void keep() { made_.clear(); }

  std::string message_name(const std::string &path) const { return prefix_ + path; }

 private:
  explicit FoldersBelow(std::string prefix) : prefix_(std::move(prefix)) {}
  Status make_directory();
  Result<int> open_folder(int above, const std::string &name, const std::string &path, bool makes);
  void close_last();

  const std::string prefix_;
  int root_ = -1;
  std::string last_;  // the folder that is open
  int last_fd_ = -1;  // -1: none is
  std::vector<std::string> made_;
};

// Returns the last name of a path.
std::string name_in(const std::string &path);

}  // namespace mrc
