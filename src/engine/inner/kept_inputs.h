// engine: the directory in which a job keeps its results, and how much of each input these cover.
// state_inputs.h is for results kept for good, checkpoint_inputs.h for those of one job.
#pragma once

#include "engine/inner/program.h"
#include "kept/directory.h"

#include <string>
#include <vector>

namespace mrc {

// The directory is locked as long as this object lives. One thread.
class KeptInputs {
 public:
  // Opens the directory. Returns an error if it belongs to another job, or another process uses it.
  static Result<KeptDirectory> open(const KeepSpec &spec);
  // `directory`: the result of open() for `spec`.
  KeptInputs(KeptDirectory directory, const KeepSpec &spec);
  virtual ~KeptInputs() = default;

  // Sets how far each input is known, and appends notes for the user. Called once. Returns an error
  // if an input is not a file, or if the job may not begin with these inputs.
  virtual Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) = 0;
  // Removes a directory that the job has just made. Called if the job cannot begin.
  Status give_up() { return directory_.is_new() ? directory_.drop() : Status::ok(); }

  // Number of the plan's sources of which at least a part is known.
  i64 known_sources() const { return known_sources_; }
  virtual i64 known_bytes() const = 0;
  KeptDirectory &directory() { return directory_; }

 protected:
  // Returns an error if a source is not a named file. `setting`: the setting to name in it.
  static Status check_files(const std::vector<Source> &sources, const std::string &setting);
  KeptSource &kept(i64 index) { return manifest_.sources[static_cast<size_t>(index)]; }
  const KeptSource &kept(i64 index) const { return manifest_.sources[static_cast<size_t>(index)]; }

  KeptDirectory directory_;
  const KeepSpec spec_;
  Manifest manifest_;  // the one to commit next
  i64 known_sources_ = 0;
};

}  // namespace mrc
