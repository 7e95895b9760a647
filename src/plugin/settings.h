// plugin: what users say by --set NAME=VALUE, as the options of a job want it.
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
  // `given`: "NAME=VALUE" each; the last of a name counts. An unknown name, a value that is
  // none of its type or outside its bounds, and a missing one are errors.
  static Result<Settings> parse(const mrc_job &job, std::span<const std::string> given);

  Settings(Settings &&) = default;
  Settings &operator=(Settings &&) = default;
  mrc_settings all() const { return {values_.data(), values_.size(), sizeof(mrc_setting)}; }

 private:
  Settings() = default;

  std::vector<std::string> texts_;
  std::vector<mrc_setting> values_;
};

// Reads a number as an option wants it; false: the text is none. REQUIRES: it wants a number
bool read_number(const mrc_option &option, const std::string &text, mrc_setting *value);
// Whether the option's bounds, if there are any, hold the number.
bool is_within_bounds(const mrc_option &option, double value);

// The options of a job, a line each, for its help.
std::string describe_options(const mrc_job &job);

}  // namespace mrc
