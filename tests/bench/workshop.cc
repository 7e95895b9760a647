#include "workshop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

namespace bench {
namespace {

namespace fs = std::filesystem;

i64 setting(const char *name, i64 otherwise) {
  const char *text = std::getenv(name);
  return text != nullptr && std::atoll(text) > 0 ? std::atoll(text) : otherwise;
}

// What is generated in the place of an input that is missing: all together 2.4 GB.
struct Substitute {
  const char *name, *how;
  const char *by = "generate";
};
const Substitute kSubstitutes[] = {
    {"few100.txt", "many-keys 100"},
    {"many100.txt", "few-keys 100"},
    {"manymany800.txt", "many-many 200"},
    {"unpred500.txt", "unpredictable 200"},
    {"books300.txt", "words 200"},
    {"zipf300.txt", "zipf 200"},
    {"stations.txt", "lines 200"},
    {"tera1g.txt", "records 200"},
    {"long200.txt", "long 200"},
    {"access500.log", "log 200"},
    {"hist400.bmp", "bitmap 1 6000 5000", "generate_numbers"},
    {"lr500.bin", "pairs 1 100000000", "generate_numbers"},
    {"sm200.txt", "dictionary 1 10000000 16000", "generate_numbers"},
    {"points.txt", "points 1 100000 3", "generate_numbers"},
    {"matrix.txt", "matrix 1 1000 1000", "generate_numbers"},
};

}  // namespace

Workshop::Workshop(const std::string &build)
    : build_(fs::absolute(build)),
      scratch_(build_ + "/bench-data"),
      data_(std::getenv("MRC_BENCH_DATA") != nullptr ? std::getenv("MRC_BENCH_DATA") : ""),
      rounds_(static_cast<int>(setting("MRC_BENCH_ROUNDS", 5))),
      threads_(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      seconds_(static_cast<int>(setting("MRC_BENCH_SECONDS", 300))),
      rows_(setting("MRC_BENCH_ROWS", 20'000'000)) {
  fs::create_directories(scratch_);
}

std::vector<std::string> split_words(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string describe_file(const std::string &path) {
  std::error_code error;
  const double bytes = static_cast<double>(fs::file_size(path, error));
  return fmt::format("{}, {:.0f} MB", fs::path(path).filename().string(), bytes / 1e6);
}

Command Workshop::program(const std::string &words) const {
  Command command{split_words(words)};
  command.seconds = seconds_;
  return command;
}

Command Workshop::mrc(const std::string &words, const std::string &file) const {
  Command command = program(build_ + "/mrc " + words);
  command.argv.push_back(file);
  return command;
}

std::optional<std::string> Workshop::input(const std::string &name) {
  if (!data_.empty() && fs::exists(data_ + "/" + name)) return data_ + "/" + name;
  for (const Substitute &substitute : kSubstitutes) {
    if (name != substitute.name) continue;
    generated_.insert(name);
    return generate(name, substitute.how, substitute.by);
  }
  missing_.insert(name);
  return std::nullopt;
}

std::optional<std::string> Workshop::generate(const std::string &name, const std::string &how,
                                              const std::string &by) {
  std::string path = scratch_ + "/" + name;
  if (fs::exists(path)) return path;
  const std::string unfinished = path + ".unfinished";
  Command command = program(build_ + "/tests/bench/" + by + " " + how);
  command.argv.push_back(unfinished);
  const Outcome outcome = bench::run(command);
  if (outcome.status == 0) {
    fs::rename(unfinished, path);
    return path;
  }
  fmt::print(stderr, "papers: {}: {}", name, outcome.errors);
  remove(unfinished);
  missing_.insert(name);
  return std::nullopt;
}

std::optional<std::string> Workshop::keys(const std::string &how) {
  remove(scratch_ + "/keys.txt");  // a run that was interrupted may have left other keys
  return generate("keys.txt", fmt::format("keys {} {}", how, rows_));
}

void Workshop::remove(const std::string &path) const {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

std::optional<std::string> Workshop::tool(const std::string &name) {
  std::string beside = data_ + "/bin/" + name;
  if (!data_.empty() && access(beside.c_str(), X_OK) == 0) return beside;
  const char *path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
  }
  missing_.insert(name);
  return std::nullopt;
}

void Workshop::print_missing() const {
  if (!generated_.empty()) {
    fmt::print("generated in {}: {}\n", scratch_, fmt::join(generated_, " "));
  }
  if (!missing_.empty()) fmt::print("not there, left out: {}\n", fmt::join(missing_, " "));
}

}  // namespace bench
