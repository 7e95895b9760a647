#include "kept/loads.h"

#include "base/text.h"
#include "input/folders.h"
#include "kept/directory.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace mrc {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kLoads = ".mrc";
constexpr size_t kLoadDigits = 6, kHashDigits = 16;

bool is_hex(Bytes text) { return text.find_first_not_of("0123456789abcdef") == Bytes::npos; }

// True for names that a load gives: a number, a hash and an ending, and names derived from these
// for indexes and for files that are being written.
bool is_of_load(Bytes name) {
  name.remove_prefix(std::min(name.find_first_not_of('.'), name.size()));
  const size_t minus = std::min(name.find('-'), name.size());
  if (minus < kLoadDigits || !is_digits(name.substr(0, minus))) return false;
  name.remove_prefix(std::min(minus + 1, name.size()));
  return name.size() > kHashDigits && is_hex(name.substr(0, kHashDigits)) &&
         name[kHashDigits] == '.';
}

bool has_entries(const std::string &directory) {
  std::error_code error;
  return fs::directory_iterator(directory, error) != fs::directory_iterator() && !error;
}

// Removes the files of a folder that are not listed, and the folder if it is empty then.
Status sweep_folder(const std::string &path, const std::unordered_set<std::string> &listed) {
  std::error_code error;
  std::vector<fs::path> left, folders;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (folder_field(name)) folders.push_back(at->path());
    } else if (is_of_load(name) && !listed.contains(at->path().string())) {
      left.push_back(at->path());
    }
  }
  if (error) return Status::from_errno(path, error.value());
  for (const fs::path &file : left) {
    if (unlink(file.c_str()) != 0 && errno != ENOENT) {
      return Status::from_errno(file.string(), errno);
    }
  }
  for (const fs::path &folder : folders) {
    Status status = sweep_folder(folder.string(), listed);
    if (!status.is_ok()) return status;
    rmdir(folder.c_str());  // fails if it has files
  }
  return Status::ok();
}

}  // namespace

std::string loads_path(const std::string &directory) {
  return std::string(directory).append("/").append(kLoads);
}

Status check_loads(const std::string &directory) {
  struct stat info;
  if (stat(directory.c_str(), &info) != 0) {
    return errno == ENOENT ? Status::ok() : Status::from_errno(directory, errno);
  }
  if (!S_ISDIR(info.st_mode)) return Status::error(directory + ": is not a directory");
  const bool has_loads = access(loads_path(directory).c_str(), F_OK) == 0;
  if (has_loads || !has_entries(directory)) return Status::ok();
  return Status::error(directory +
                       ": has files that mrc load has not written; name an empty directory, or one "
                       "that is not there yet");
}

Status make_loads(const std::string &directory) {
  if (Status status = check_loads(directory); !status.is_ok()) return status;
  if (mkdir(directory.c_str(), 0777) != 0) {
    return errno == EEXIST ? Status::ok()
                           : Status::from_errno(directory + ": cannot create", errno);
  }
  const std::string parent = fs::path(directory).parent_path().string();
  sync_folder(parent.empty() ? "." : parent);
  return Status::ok();
}

Status sweep_loads(const std::string &directory, const Manifest &manifest) {
  std::unordered_set<std::string> listed;
  for (const LoadedFile &file : manifest.loaded) {
    const std::string path = directory + "/" + file.path;
    const size_t name = path.rfind('/') + 1;
    listed.insert(path);
    listed.insert(path.substr(0, name) + "." + path.substr(name) + ".mrcx");
  }
  return sweep_folder(directory, listed);
}

std::string load_name(i64 load, u64 inputs) {
  return fmt::format("{:0{}}-{:0{}x}", load, kLoadDigits, inputs, kHashDigits);
}

Result<std::optional<Loads>> read_loads(const std::string &directory) {
  const std::string path = loads_path(directory);
  if (access((path + "/MANIFEST").c_str(), F_OK) != 0) return std::optional<Loads>();
  Result<Manifest> manifest = read_manifest(path);
  if (!manifest.is_ok()) return manifest.status();
  Loads loads{.files = {}, .loaded = std::move(manifest->loaded), .job = manifest->job};
  std::ranges::sort(loads.loaded, {}, &LoadedFile::path);
  for (const LoadedFile &file : loads.loaded) {
    loads.files.push_back(directory + "/" + file.path);
  }
  return std::optional(std::move(loads));
}

}  // namespace mrc
