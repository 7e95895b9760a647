// Runs a plugin's job in several ways, all of which must give the same answer.
#pragma once

#include "check/check.h"
#include "cmd/verb.h"

#include <string>
#include <vector>

namespace mrc {

// Samples for the check of a plugin: files of its author, or lines that are hard on programs.

// A temporary directory, which the destructor removes.
class CheckFolder {
 public:
  static Result<CheckFolder> make();
  ~CheckFolder();
  CheckFolder(CheckFolder &&other) noexcept : path_(std::exchange(other.path_, "")) {}
  CheckFolder &operator=(CheckFolder &&) = delete;

  std::string path(const std::string &name) const { return path_ + "/" + name; }

 private:
  explicit CheckFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct CheckSamples {
  bool generated = false;
  std::vector<std::string> paths;
  std::vector<LawInput> inputs;
  std::vector<std::string> lines;  // lines of the author's files, which reducers get as values

  // `given` are paths of the author. If there are none, one file is generated in the folder. Its
  // size is a multiple of `record_bytes`, unless that is 0; or it is CSV with a header, unless that
  // is empty.
  CheckSamples(const std::vector<std::string> &given, const CheckFolder &folder, i64 record_bytes,
               const std::string &header = "");
};

std::string read_file(const std::string &path);

struct CheckedRuns {
  enum class Verdict { same, broken, nothing_compared } verdict;
  std::string text;  // lines of the report, or the reason why nothing was compared
};

// REQUIRES: the job has been opened with these settings, and its map can read the samples
CheckedRuns check_runs(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
                       const CheckSamples &samples, const CheckFolder &folder);

}  // namespace mrc
