// Reads the members of an archive one after another.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "input/inner/archive_library.h"
#include "input/stream.h"

#include <memory>
#include <string>

namespace mrc {

// One thread at a time.
class ArchiveReader {
 public:
  // Reads the file, which is compressed by `codec` if it is no ZIP archive.
  static Result<std::unique_ptr<ArchiveReader>> open(const std::string &path, Codec codec);
  // Reads a tar archive in memory, which must outlive the reader.
  static Result<std::unique_ptr<ArchiveReader>> open(const std::string &path, Bytes bytes);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader &) = delete;
  ArchiveReader &operator=(const ArchiveReader &) = delete;

  // Goes to the next member; false after the last one.
  Result<bool> next();
  // Number of members that next() has found.
  i64 found() const { return found_; }

  // The member: its name, and whether it is a file; links and directories are not.
  std::string name() const;
  bool is_file() const;
  bool is_encrypted() const;
  i64 size() const;
  // Returns the bytes of the member if they lie in memory in one piece; else nothing.
  Bytes bytes_in_memory();
  // Reads the next bytes of the member; 0 at its end.
  Result<i64> read(char *to, i64 size);

 private:
  ArchiveReader(const ArchiveLibrary &library, std::string path);
  static Result<std::unique_ptr<ArchiveReader>> make(const std::string &path);
  Status open_packed(Codec codec);
  Status failure() const;
  Status failure_of(const std::string &subject) const;
  static la_ssize_t read_packed(struct archive *, void *reader, const void **buffer);

  const ArchiveLibrary &library_;
  const std::string path_;
  struct archive *handle_;
  archive_entry *entry_ = nullptr;
  i64 found_ = 0;
  // For compressed archives.
  std::unique_ptr<BufferedReader> packed_;
  std::unique_ptr<Stream> stream_;
  Status damage_ = Status::ok();
  std::string block_;
};

}  // namespace mrc
