// A folder of a test's own, removed when the test is done.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace mrc {

class TemporaryFolder {
 public:
  TemporaryFolder() : TemporaryFolder(usual_parent()) {}
  explicit TemporaryFolder(const std::filesystem::path &parent) {
    std::string name = (parent / "mrc-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) fail("cannot make", name);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string path(const std::string &name) const { return (path_ / name).string(); }

  // Returns the path of the file.
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file << text;
    file.close();
    if (!file) fail("cannot write", path(name));
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // How many files are in it, hidden ones included.
  long files() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

 private:
  // In memory where possible: thousands of runs must not wait for a disk. A container's share
  // of memory is often as small as 64 MiB, too little for several tests at a time.
  static std::filesystem::path usual_parent() {
    std::error_code error;
    const bool has_room = std::filesystem::space("/dev/shm", error).available >> 30 > 0 && !error;
    const bool in_memory =
        has_room && access("/dev/shm", W_OK) == 0 && std::getenv("TMPDIR") == nullptr;
    return in_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  }
  [[noreturn]] static void fail(const char *what, const std::string &path) {
    std::fprintf(stderr, "test: %s %s: %s\n", what, path.c_str(), std::strerror(errno));
    std::abort();
  }

  std::filesystem::path path_;
};

}  // namespace mrc
