// engine: the directory in which a job keeps what it makes of its inputs, and how much of them is
// in it. state_inputs.h and checkpoint_inputs.h have the two reasons to keep it.
#pragma once

#include "engine/program.h"
#include "kept/directory.h"

#include <string>
#include <vector>

namespace mrc {

// The directory is locked as long as this lives. One thread.
class KeptInputs {
 public:
  // An error: it keeps another job, or another process has it.
  static Result<KeptDirectory> open(const KeepSpec &spec);
  // `directory`: what open() has returned for `spec`.
  KeptInputs(KeptDirectory directory, const KeepSpec &spec);
  virtual ~KeptInputs() = default;

  // Says of each input how far it is known. Appends notes for people. Once. An error: an input is
  // no file, or the job may not begin with these inputs.
  virtual Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) = 0;
  // The job cannot begin: a directory that it made goes.
  Status give_up() { return directory_.is_new() ? directory_.drop() : Status::ok(); }

  // Of the plan: those of which at least something is known.
  i64 known_sources() const { return known_sources_; }
  virtual i64 known_bytes() const = 0;
  KeptDirectory &directory() { return directory_; }

 protected:
  // `setting`: the one that keeps them.
  static Status check_files(const std::vector<Source> &sources, const std::string &setting);
  KeptSource &kept(i64 index) { return manifest_.sources[static_cast<size_t>(index)]; }
  const KeptSource &kept(i64 index) const { return manifest_.sources[static_cast<size_t>(index)]; }

  KeptDirectory directory_;
  const KeepSpec spec_;
  Manifest manifest_;  // as it becomes
  i64 known_sources_ = 0;
};

}  // namespace mrc
