#include "cmd/check_samples.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

std::string hard_lines() {
  std::string text =
      "a b c\n\n \t \n0 -1 1.5 9223372036854775807 -9223372036854775808\nnan inf 1e999\n";
  text +=
      "key\tvalue\nkey,\"va,lue\"\n{\"key\": [1, null]}\n\xC3\xA4\xFF\xFE\n" + std::string(3, '\0');
  text += "\n" + std::string(70000, 'x') + "\n";
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("w{} {} {}.5\n", i % 97, i * 7919 % 1000, i % 13);
  return text + "the last one has no end";
}

// Returns as many records of a fixed size as the text has, and at least some.
std::string hard_records(size_t bytes) {
  constexpr size_t kLeast = 100;
  const std::string lines = hard_lines();
  std::string text = lines;
  while (text.size() < kLeast * bytes) text += lines;
  text.resize(text.size() / bytes * bytes);
  return text;
}

}  // namespace

Result<CheckFolder> CheckFolder::make() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string path = (parent / "mrc-check-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) return Status::from_errno(path, errno);
  return CheckFolder(path);
}

CheckFolder::~CheckFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

CheckSamples::CheckSamples(const std::vector<std::string> &given, const CheckFolder &folder,
                           i64 record_bytes)
    : generated(given.empty()), paths(given) {
  constexpr size_t kMostLines = 10000;
  if (generated) {
    paths = {folder.path("generated")};
    std::ofstream(paths[0], std::ios::binary)
        << (record_bytes > 0 ? hard_records(static_cast<size_t>(record_bytes)) : hard_lines());
  }
  for (const std::string &path : paths) inputs.push_back({path, read_file(path)});
  if (generated) return;
  for (const LawInput &input : inputs) {
    std::istringstream text(input.bytes);
    for (std::string line; lines.size() < kMostLines && std::getline(text, line);)
      lines.push_back(line);
  }
}

}  // namespace mrc
