// The directory that holds a manifest and its runs: DIR/MANIFEST, DIR/NNNNNNNN.run, DIR/lock; or
// in place of runs DIR/text, of a job that prints text in the order of its input.
//
// MANIFEST is replaced by rename after everything that it names is on the disk, and runs that it
// no longer names are removed after that. So after a crash at any point there is the old state
// or the new one, and what else lies there is removed by the next open().
#pragma once

#include "kept/kept.h"
#include "store/store.h"

#include <string>

namespace mrc {

// An open directory, locked against other processes until this is destroyed. One thread.
class KeptDirectory {
 public:
  struct Spec {
    std::string path;
    i64 wait_seconds = 10;  // for another process to finish
    bool create = true;     // if there is none
  };

  // Refuses what is not a directory, or one that holds things which mrc did not write.
  static Result<KeptDirectory> open(const Spec &spec);
  KeptDirectory(KeptDirectory &&other) noexcept;
  KeptDirectory &operator=(KeptDirectory &&) = delete;
  ~KeptDirectory();

  const std::string &path() const { return path_; }
  // There is no manifest yet: manifest() is Manifest::fresh().
  bool is_new() const { return is_new_; }
  // What was committed last.
  const Manifest &manifest() const { return manifest_; }
  // An error that shows both jobs if the directory is that of another one. A new one is anyone's.
  Status check_job(u64 digest, const std::string &job) const;

  // A run under a new number, which the manifest that names it must exceed with `next_run`.
  // The caller writes and commits it. Without a manifest that names it, it goes.
  Result<RunFile> create_run(i64 *number);
  Result<RunFile> open_run(i64 number) const;
  std::string run_path(i64 number) const;
  // Where the text of a job grows. Without a manifest that names it, it goes.
  std::string text_path() const;
  // Whether it is as long as the manifest says, or longer.
  Status check_text() const;

  // Replaces the manifest, and removes the runs that it no longer names. `mrc_version` is the
  // caller's; next_run is raised to what create_run() has given out.
  // REQUIRES: all runs that it names are committed
  Status commit(Manifest manifest);
  // Removes everything, the directory too. This must not be used after that.
  Status drop();
  // The same without a look into the manifest, which may be damaged.
  static Status remove(const Spec &spec);

 private:
  explicit KeptDirectory(std::string path) : path_(std::move(path)) {}
  Status enter(const Spec &spec);
  Status check_entries(bool may_be_empty) const;
  Result<bool> try_lock();
  Status read_manifest();
  Status sweep() const;

  std::string path_;
  int lock_ = -1;
  bool is_new_ = true;
  Manifest manifest_;
  i64 next_run_ = 0;
};

}  // namespace mrc
