// The directory of a checkpoint holds a manifest and its runs: DIR/MANIFEST, DIR/NNNNNNNN.run and
// DIR/lock. A job that prints text in the order of its input has DIR/text in place of runs.
//
// MANIFEST is replaced by rename after everything that it names is on the disk, and runs that it no
// longer names are removed after that. So a crash at any point leaves the old state or the new one,
// and the next open() removes what is left of the other.
#pragma once

#include "kept/kept.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace mrc {

// Makes the names in the directory survive a crash.
void sync_folder(const std::string &folder);

// An open directory, locked against other processes until it is destroyed. One thread.
class KeptDirectory {
 public:
  struct Spec {
    std::string path;
    i64 wait_seconds = 10;  // for another process to finish
    bool create = true;     // the directory, if it does not exist
  };

  // Refuses a path that is not a directory, and a directory with files that mrc did not write.
  static Result<KeptDirectory> open(const Spec &spec);
  KeptDirectory(KeptDirectory &&other) noexcept;
  KeptDirectory &operator=(KeptDirectory &&) = delete;
  ~KeptDirectory();

  const std::string &path() const { return path_; }
  // True if there is no manifest yet; then manifest() is Manifest::fresh().
  bool is_new() const { return is_new_; }
  // Returns the manifest that was committed last.
  const Manifest &manifest() const { return manifest_; }
  // Returns an error that shows both jobs if the directory belongs to another one. A new directory
  // belongs to any job.
  Status check_job(u64 digest, const std::string &job) const;

  // Creates a run under a new number, which `next_run` of the manifest that names it must exceed.
  // The caller writes and commits it. The next open() removes it if no manifest names it.
  Result<RunFile> create_run(i64 *number);
  Result<RunFile> open_run(i64 number) const;
  std::string run_path(i64 number) const;
  // The file to which a job appends its text. The next open() removes it if no manifest names it.
  std::string text_path() const;
  // Returns an error if the text is shorter than the manifest says.
  Status check_text() const;

  // Replaces the manifest, and removes the runs that it no longer names. The caller sets
  // `mrc_version`; next_run is raised to cover all numbers from create_run().
  // REQUIRES: all runs that it names are committed
  Status commit(Manifest manifest);
  // Removes everything, and the directory itself. The object must not be used after that.
  Status drop();
  // Removes a directory without reading the manifest, which may be damaged.
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

// Reads the manifest of a directory, which needs no lock: it is replaced as a whole.
Result<Manifest> read_manifest(const std::string &folder);

// Verifies a directory, from the manifest to the last record.
struct Verified {
  i64 runs = 0, blocks = 0, bytes = 0;  // counts of what was read
  std::vector<std::string> faults;      // a line each
};
// Reads all runs that the manifest names, block by block, and compares them with it.
Verified verify(const KeptDirectory &directory);

}  // namespace mrc
