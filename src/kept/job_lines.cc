#include "kept/inner/job_lines.h"

#include "base/setting_name.h"

#include <algorithm>

namespace mrc {

std::vector<std::string> lines_of(Bytes text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const Bytes line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

bool has_kinds(const std::string &line) {
  return line.starts_with(setting_name("kinds") + " ") ||
         line.starts_with(setting_name("shown-kinds") + " ") || line.starts_with("found ");
}

std::string without_kinds(const std::string &job) {
  std::string text;
  for (const std::string &line : lines_of(job)) {
    if (!has_kinds(line)) text += line + "\n";
  }
  return text;
}

}  // namespace mrc
