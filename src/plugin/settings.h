// plugin: converts --set NAME=VALUE for the options of a job.
#pragma once

#include "base/status.h"
#include "mrc_plugin.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// The values of a job's options, in their order. Owns the texts.
class Settings {
 public:
  // `given`: "NAME=VALUE" each; the last of a name counts. Errors: an unknown name, a value that
  // has another type or is out of bounds, and a missing value.
  static Result<Settings> parse(const mrc_job &job, std::span<const std::string> given);

  Settings(Settings &&) = default;
  Settings &operator=(Settings &&) = default;
  mrc_settings all() const { return {values_.data(), values_.size(), sizeof(mrc_setting)}; }

 private:
  Settings() = default;

  std::vector<std::string> texts_;
  std::vector<mrc_setting> values_;
};

// Reads a number for an option; false: the text is not one. REQUIRES: the option is a number
bool read_number(const mrc_option &option, const std::string &text, mrc_setting *value);
// True if the number is within the option's bounds, if it has any.
bool is_within_bounds(const mrc_option &option, double value);

// Lists the options of a job, a line each, for its help.
std::string describe_options(const mrc_job &job);

}  // namespace mrc
