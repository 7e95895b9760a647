// The literal blocks of a page of the manual, for tests that run its recipes.
#pragma once

#include <re2/re2.h>

#include <fstream>
#include <string>
#include <vector>

namespace mrc {

inline std::vector<std::string> page_blocks(const std::string &page) {
  std::ifstream file(MRC_SOURCE_DIR "/man/" + page);
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(".Bd -literal")) {
      blocks.emplace_back();
      inside = true;
    } else if (line == ".Ed") {
      inside = false;
    } else if (inside) {
      RE2::GlobalReplace(&line, R"(\\e)", R"(\\)");
      RE2::GlobalReplace(&line, R"(\\-)", "-");
      RE2::GlobalReplace(&line, R"(\\&)", "");
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

}  // namespace mrc
