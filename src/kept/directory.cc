#include "kept/directory.h"

#include "base/text.h"
#include "kept/inner/job_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace mrc {

void sync_folder(const std::string &folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // not ours: all our directories can be opened
  fsync(fd);
  close(fd);
}
namespace {

constexpr Bytes kManifest = "MANIFEST", kLock = "lock", kText = "text", kRunSuffix = ".run",
                kPart = ".part";
constexpr size_t kRunDigits = 8;  // at least; longer numbers have more
constexpr auto kBetweenTries = std::chrono::milliseconds(50);

std::string in(const std::string &folder, Bytes name) {
  return std::string(folder).append("/").append(name);
}

// Returns the number of a run from the name of its file; -1: not the name of a run.
i64 number_of_run(Bytes name) {
  if (!name.ends_with(kRunSuffix)) return -1;
  name.remove_suffix(kRunSuffix.size());
  const bool ours = is_digits(name) && name.size() >= kRunDigits && name.size() <= 18;
  return ours ? std::stoll(std::string(name)) : -1;
}

// RunFile leaves such files if the process dies.
bool is_part(Bytes name) {
  if (!name.ends_with(kPart)) return false;
  name.remove_suffix(kPart.size());
  return name == kManifest || number_of_run(name) >= 0;
}

bool is_ours(Bytes name) {
  return name == kManifest || name == kLock || name == kText || is_part(name) ||
         number_of_run(name) >= 0;
}

Result<std::vector<std::string>> names_in(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error) return Status::from_errno(folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Status remove_file(const std::string &path) {
  return unlink(path.c_str()) == 0 || errno == ENOENT ? Status::ok()
                                                      : Status::from_errno(path, errno);
}

Status make_folder(const std::string &path) {
  if (mkdir(path.c_str(), 0700) != 0) {
    return errno == EEXIST ? Status::ok() : Status::from_errno(path + ": cannot create", errno);
  }
  const std::string parent = std::filesystem::path(path).parent_path().string();
  sync_folder(parent.empty() ? "." : parent);
  return Status::ok();
}

// Returns the process that has written its number into the lock file.
std::string holder(int fd) {
  char text[32];
  const ssize_t size = pread(fd, text, sizeof text, 0);
  const Bytes number =
      without_spaces_around(Bytes(text, static_cast<size_t>(std::max(size, ssize_t{0}))));
  return is_digits(number) ? "process " + std::string(number) : "another process";
}

// False if drop() of another process has removed the lock file while this process waited for it.
bool has_name(int fd, const std::string &path) {
  struct stat open_file, named;
  return fstat(fd, &open_file) == 0 && stat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

}  // namespace

Result<Manifest> read_manifest(const std::string &folder) {
  const std::string name = in(folder, kManifest);
  const Result<RunFile> file = RunFile::open(name);
  if (!file.is_ok()) return file.status();
  const Result<i64> size = file->size();
  if (!size.is_ok()) return size.status();
  std::string text(static_cast<size_t>(*size), '\0');
  const Result<i64> got = file->read(0, reinterpret_cast<std::byte *>(text.data()), *size);
  if (!got.is_ok()) return got.status();
  text.resize(static_cast<size_t>(*got));
  Result<Manifest> manifest = Manifest::from_text(text);
  return manifest.is_ok() ? std::move(manifest) : manifest.status().within(name);
}

KeptDirectory::KeptDirectory(KeptDirectory &&other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      is_new_(other.is_new_),
      manifest_(std::move(other.manifest_)),
      next_run_(other.next_run_) {}

KeptDirectory::~KeptDirectory() {
  if (lock_ >= 0) close(lock_);
}

Result<KeptDirectory> KeptDirectory::open(const Spec &spec) {
  KeptDirectory directory(spec.path);
  Status status = directory.enter(spec);
  if (status.is_ok()) status = directory.read_manifest();
  if (status.is_ok()) status = directory.sweep();
  return status.is_ok() ? Result<KeptDirectory>(std::move(directory)) : status;
}

Status KeptDirectory::remove(const Spec &spec) {
  KeptDirectory directory(spec.path);
  const Status status = directory.enter(spec);
  return status.is_ok() ? directory.drop() : status;
}

// Creates the directory if that is wanted, checks that it is ours and locks it.
Status KeptDirectory::enter(const Spec &spec) {
  if (path_.empty()) return Status::error("the name of the directory is empty");
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(spec.wait_seconds);
  for (;;) {
    const Status made = spec.create ? make_folder(path_) : Status::ok();
    if (!made.is_ok()) return made;
    if (const Status status = check_entries(spec.create); !status.is_ok()) return status;
    const Result<bool> locked = try_lock();
    if (!locked.is_ok()) return locked.status();
    if (*locked) return Status::ok();
    if (lock_ >= 0 && Clock::now() >= deadline) {
      return Status::error(
          fmt::format("{}: in use by {}; try again when it has ended", path_, holder(lock_)));
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

// Runs before anything is written into the directory.
Status KeptDirectory::check_entries(bool may_be_empty) const {
  const Result<std::vector<std::string>> names = names_in(path_);
  if (!names.is_ok()) return names.status();
  for (const std::string &name : *names) {
    if (is_ours(name)) continue;
    return Status::error(
        fmt::format("{}: has \"{}\" in it, which mrc has not written; name a directory for mrc "
                    "alone, or one that is not there yet",
                    path_, name));
  }
  if (may_be_empty || std::binary_search(names->begin(), names->end(), kManifest)) {
    return Status::ok();
  }
  return Status::error(fmt::format("{}: mrc keeps nothing here; there is no {}", path_, kManifest));
}

// False if another process holds the lock, or has removed it meanwhile.
Result<bool> KeptDirectory::try_lock() {
  const std::string name = in(path_, kLock);
  if (lock_ >= 0) close(lock_);
  lock_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_ < 0) return errno == ENOENT ? Result<bool>(false) : Status::from_errno(name, errno);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK || errno == EINTR) return false;
    return Status::from_errno(name + ": cannot lock", errno);
  }
  if (!has_name(lock_, name)) return false;
  const std::string number = std::to_string(getpid()) + "\n";
  if (ftruncate(lock_, 0) != 0 ||
      pwrite(lock_, number.data(), number.size(), 0) != std::ssize(number)) {
    return Status::from_errno(name + ": cannot write", errno);
  }
  return true;
}

Status KeptDirectory::read_manifest() {
  const std::string name = in(path_, kManifest);
  if (access(name.c_str(), F_OK) != 0 && errno == ENOENT) {
    manifest_ = Manifest::fresh();
    return Status::ok();
  }
  Result<Manifest> manifest = mrc::read_manifest(path_);
  if (!manifest.is_ok()) return manifest.status();
  manifest_ = std::move(*manifest);
  next_run_ = manifest_.next_run;
  is_new_ = false;
  return Status::ok();
}

// Removes the files that the manifest does not name: a process that died left them.
Status KeptDirectory::sweep() const {
  const Result<std::vector<std::string>> names = names_in(path_);
  if (!names.is_ok()) return names.status();
  const std::vector<i64> runs = manifest_.runs();
  for (const std::string &name : *names) {
    const i64 run = number_of_run(name);
    const bool left = (run >= 0 && !std::binary_search(runs.begin(), runs.end(), run)) ||
                      (name == kText && !manifest_.text);
    if (!left && !is_part(name)) continue;
    if (const Status status = remove_file(in(path_, name)); !status.is_ok()) return status;
  }
  return Status::ok();
}

namespace {

// Returns the text of a job on one line: of a long one, only the lines that the other does not
// have.
std::string told_apart(std::string text, const std::string &other) {
  constexpr size_t kLong = 400;
  std::string lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    if (("\n" + other + "\n").find("\n" + line + "\n") == other.npos) lines += line + "\n";
  }
  text = without_spaces_around(text.size() > kLong && !lines.empty() ? lines : text);
  std::replace(text.begin(), text.end(), '\n', ';');
  return text;
}

}  // namespace

Status KeptDirectory::check_job(u64 digest, const std::string &job) const {
  if (is_new_ || digest == manifest_.digest) return Status::ok();
  if (manifest_.covers_nothing() && without_kinds(job) == without_kinds(manifest_.job)) {
    return Status::ok();
  }
  return Status::error(
      fmt::format("{}: keeps another job: it was asked for \"{}\", and now for \"{}\"; ask as "
                  "before, or name another directory",
                  path_, told_apart(manifest_.job, job), told_apart(job, manifest_.job)));
}

std::string KeptDirectory::run_path(i64 number) const {
  return in(path_, fmt::format("{:0{}}{}", number, kRunDigits, kRunSuffix));
}

std::string KeptDirectory::text_path() const { return in(path_, kText); }

Status KeptDirectory::check_text() const {
  if (!manifest_.text) return Status::ok();
  struct stat info;
  const std::string path = text_path();
  if (stat(path.c_str(), &info) != 0) {
    return Status::error(path + " is gone; when a job ends it becomes its output");
  }
  if (S_ISREG(info.st_mode) && info.st_size >= manifest_.text->bytes) return Status::ok();
  return Status::error(fmt::format("{} is shorter than {} bytes", path, manifest_.text->bytes));
}

Result<RunFile> KeptDirectory::create_run(i64 *number) {
  *number = next_run_++;
  return RunFile::create(run_path(*number));
}

Result<RunFile> KeptDirectory::open_run(i64 number) const {
  return RunFile::open(run_path(number));
}

Status KeptDirectory::commit(Manifest manifest) {
  manifest.next_run = std::max(manifest.next_run, next_run_);
  const std::string text = manifest.to_text();
  const Bytes piece = text;
  Result<RunFile> file = RunFile::create(in(path_, kManifest));
  if (!file.is_ok()) return file.status();
  Status status = file->write(0, {&piece, 1});
  if (status.is_ok()) status = file->commit();
  if (!status.is_ok()) return status;
  const std::vector<i64> before = manifest_.runs(), now = manifest.runs();
  manifest_ = std::move(manifest);
  next_run_ = manifest_.next_run;
  is_new_ = false;
  // The new state is committed here; failing to remove old runs does not matter.
  std::vector<i64> left;
  std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                      std::back_inserter(left));
  for (const i64 run : left) static_cast<void>(remove_file(run_path(run)));
  return Status::ok();
}

// Removes the manifest first: the next open() removes runs that no manifest names.
Status KeptDirectory::drop() {
  const Result<std::vector<std::string>> names = names_in(path_);
  if (!names.is_ok()) return names.status();
  Status status = remove_file(in(path_, kManifest));
  if (status.is_ok()) sync_folder(path_);
  for (const std::string &name : *names) {
    if (status.is_ok() && is_ours(name) && name != kLock) status = remove_file(in(path_, name));
  }
  if (status.is_ok()) status = remove_file(in(path_, kLock));
  if (status.is_ok() && rmdir(path_.c_str()) != 0) status = Status::from_errno(path_, errno);
  manifest_ = Manifest::fresh();
  is_new_ = true;
  return status;
}

namespace {

// Returns how many blocks each run must have at least.
std::map<i64, i64> blocks_of_runs(const Manifest &manifest) {
  std::map<i64, i64> blocks;
  for (const i64 run : manifest.parts) blocks[run] = 0;
  for (const KeptSource &source : manifest.sources) {
    for (const KeptTile &tile : source.tiles) {
      if (tile.run < 0) continue;
      i64 &least = blocks[tile.run];
      least = std::max(least, tile.first_block + tile.blocks);
    }
  }
  return blocks;
}

Status verify_run(const RunFile &file, i64 least_blocks, Pages *pages, Verified *verified) {
  const Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return reader.status();
  for (const BlockInfo &block : reader->blocks()) {
    const Result<Bytes> records = reader->read_block(block, pages);
    if (!records.is_ok()) return records.status();
    ++verified->blocks;
    verified->bytes += block.stored_bytes;
  }
  if (reader->totals().blocks >= least_blocks) return Status::ok();
  return Status::error(fmt::format("{}: has {} blocks, and the manifest names {}", file.name(),
                                   reader->totals().blocks, least_blocks));
}

}  // namespace

Verified verify(const KeptDirectory &directory) {
  Verified verified;
  Pages pages;
  for (const auto &[run, blocks] : blocks_of_runs(directory.manifest())) {
    const Result<RunFile> file = directory.open_run(run);
    const Status status =
        file.is_ok() ? verify_run(*file, blocks, &pages, &verified) : file.status();
    if (!status.is_ok()) verified.faults.push_back(status.message());
    verified.runs += file.is_ok();
  }
  const Status text = directory.check_text();
  if (!text.is_ok()) verified.faults.push_back(text.message());
  return verified;
}

}  // namespace mrc
