// Opens files and other inputs, and finds out on which memory nodes the pages of a file are.
#include "input/inner/child_program.h"
#include "input/inner/collections.h"
#include "input/inner/combined_command.h"
#include "input/inner/fed_command.h"
#include "input/inner/packed_cursor.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace mrc {
namespace {

// Detects how the file is compressed, from source.begin on, or that it is not text.
Status look_at_front(Source *source) {
  static_assert(kBinaryHead >= kMagicBytes);
  Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return Status::ok();  // the reader will report it
  char first[kBinaryHead];
  Result<i64> got = file->read_at(source->begin, first, kBinaryHead);
  if (!got.is_ok()) return Status::ok();
  const Bytes front(first, static_cast<size_t>(*got)), magic = front.substr(0, kMagicBytes);
  source->codec = codec_of(*source, magic);
  source->window_bytes = window_of(magic);
  if (source->codec == Codec::none) source->binary = binary_format_of(front);
  if (source->path == "-" || source->content == Content::binary ||
      !is_archive(source->path, front)) {
    return Status::ok();
  }
  Result<std::shared_ptr<Collection>> archive = open_archive(source->path, "");
  if (archive.is_ok()) source->collection = std::move(*archive);
  return archive.status();
}

// Examines a part of an archive, ARCHIVE:MEMBER, or rows of a database. `missing`: the error if it
// is neither.
Result<Source> examine_part(Source source, const Status &missing) {
  Result<std::shared_ptr<Collection>> found = open_collection(source.path);
  if (!found.is_ok()) return found.status();
  if (*found == nullptr) return missing;
  source.collection = std::move(*found);
  source.stream = true;
  return source;
}

// move_pages(2) without targets reports the node of each page, but only of pages that this process
// has mapped. So one page is mapped at each offset, without touching it: a touch would read pages
// that are not in the page cache, one at a time from all files of a cold input, and would raise
// SIGBUS past the end of a file that shrank. The kernel is first asked whether the page is in
// memory; madvise(2) then maps it or fails.
//
// System calls are made by number, as one call does not justify libnuma.

constexpr i64 kPageOfCache = 4096;
constexpr size_t kBatch = 512;

// Reserves addresses for the whole file; uses memory only for page tables.
class Mapping {
 public:
  Mapping(int fd, i64 bytes) : bytes_(static_cast<size_t>(bytes)) {
    void *base = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return;
    base_ = static_cast<char *>(base);
    madvise(base_, bytes_, MADV_RANDOM);  // no read-around
  }
  ~Mapping() {
    if (base_ != nullptr) munmap(base_, bytes_);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  char *base() const { return base_; }

 private:
  char *base_ = nullptr;
  size_t bytes_;
};

bool in_page_cache(int fd, i64 offset, void *page) {
  unsigned char resident = 0;
  if (mincore(page, kPageOfCache, &resident) != 0 || (resident & 1) == 0) return false;
  // mincore(2) reports every page of files of other users as resident. A read with RWF_NOWAIT is
  // exact, but not all file systems have it, and it may start to read the page.
  char byte;
  iovec one{&byte, 1};
  return preadv2(fd, &one, 1, offset, RWF_NOWAIT) == 1 || errno == EOPNOTSUPP;
}

// Queries up to kBatch pages at once.
void query(const std::vector<void *> &pages, i64 *nodes) {
  std::vector<int> status(pages.size(), -1);
  long failed = syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0);
  for (size_t i = 0; i < pages.size() && failed == 0; ++i) nodes[i] = std::max(status[i], -1);
}

}  // namespace

Codec codec_of(const Source &source, Bytes first) {
  if (has_rows(source)) return Codec::none;
  const Codec codec = codec_of(first);
  return is_wide(codec) && source.content == Content::binary ? Codec::none : codec;
}

Result<Source> examine(const std::string &path, Content content) {
  Source source{.path = path};
  source.content = content;
  struct stat info;
  bool is_stdin = path == "-";
  if ((is_stdin ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info)) != 0) {
    const Status missing = Status::from_errno(source.name(), errno);
    return examine_part(std::move(source), missing);
  }
  if (S_ISDIR(info.st_mode)) {
    return Status::error(source.name() + ": is a directory; name the files in it");
  }
  // Files of /proc are regular and report size 0, so they are read as streams.
  source.stream = !S_ISREG(info.st_mode) || info.st_size == 0;
  if (source.stream) return source;
  source.end = info.st_size;
  if (is_stdin) {
    off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    source.begin = at < 0 ? 0 : std::min<i64>(at, source.end);
  }
  Status status = look_at_front(&source);
  if (!status.is_ok()) return status;
  if (source.codec != Codec::none) {
    source.packed_bytes = source.end - source.begin;
    source.stream = true;
    source.begin = source.end = 0;
  }
  return source;
}

namespace {

OpenCollection *open_other_collection = nullptr;

}  // namespace

void open_other_collections_by(OpenCollection *open) { open_other_collection = open; }

Result<std::shared_ptr<Collection>> open_collection(const std::string &name) {
  if (names_rows(name)) return open_rows(name);
  for (size_t at = name.find(':'); at != name.npos; at = name.find(':', at + 1)) {
    const std::string file = name.substr(0, at), member = name.substr(at + 1);
    struct stat info;
    if (member.empty() || stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    Result<std::shared_ptr<Collection>> archive = open_archive(file, member);
    if (!archive.is_ok() || *archive != nullptr) return archive;
  }
  if (open_other_collection != nullptr) return open_other_collection(name);
  return std::shared_ptr<Collection>();
}

Result<Source> examine(const std::string &path, const std::string &command, Content content) {
  if (command.empty() || path == "-") return examine(path, content);
  Source source{.path = path, .command = command, .stream = true};
  source.content = content;
  return source;
}

bool is_named_file(const Source &source) {
  struct stat info;
  return source.command.empty() && source.path != "-" && stat(source.path.c_str(), &info) == 0 &&
         S_ISREG(info.st_mode);
}

InputFile::InputFile() = default;

Result<InputFile> InputFile::open(const Source &source) {
  InputFile file;
  file.name_ = source.name();
  file.origin_ = source.origin;
  const bool is_part = source.collection != nullptr && (source.file.empty() || source.stream);
  if (is_part && source.fd < 0) {
    Result<std::unique_ptr<Stream>> stream = source.collection->open(source);
    if (!stream.is_ok()) return stream.status();
    file.stream_ = std::move(*stream);
    return file;
  }
  if (source.combiner) {
    Result<std::unique_ptr<Stream>> stream = CombinedCommand::open(source);
    if (!stream.is_ok()) return stream.status();
    file.stream_ = std::move(*stream);
    return file;
  }
  const std::string &path = source.file.empty() ? source.path : source.file;
  if (!source.command.empty()) {
    Status status = source.feed ? file.start_fed(source) : file.start(source.command, source.path);
    return status.is_ok() ? Result<InputFile>(std::move(file)) : status;
  }
  const int open_fd = source.fd < 0 && source.path == "-" ? STDIN_FILENO : source.fd;
  // Opens a followed fifo without waiting for its writer.
  const int wait = source.followed && source.stream ? O_NONBLOCK : 0;
  file.fd_ = open_fd >= 0 ? fcntl(open_fd, F_DUPFD_CLOEXEC, 3)
                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | wait);
  if (file.fd_ < 0) return Status::from_errno(file.name_, errno);
  struct stat info;
  if (source.inode != 0 && (fstat(file.fd_, &info) != 0 || info.st_ino != source.inode ||
                            info.st_dev != source.device)) {
    return Status::error(file.name_ + ": another file has its name now; it is read next time");
  }
  if (source.blocks) {
    file.packed_ = std::make_unique<PackedCursor>(source.blocks, file.fd_, file.name_);
  }
#ifdef F_SETPIPE_SZ
  // The default pipe of 64 KiB costs a context switch per 64 KiB.
  if (source.stream) fcntl(file.fd_, F_SETPIPE_SZ, 1 << 20);
#endif
  return file;
}

// The command gets no input from us: our standard input may be another input.
Status InputFile::start(const std::string &command, const std::string &input) {
  const Result<std::string> script = script_of(command);
  if (!script.is_ok()) return script.status().within(name_);
  command_ = command;
  program_ = std::make_unique<ChildProgram>();
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int error = nothing < 0 ? errno
                                : program_->start({"/bin/sh", "-c", *script, "mrc", input}, nothing,
                                                  ChildProgram::Messages::passed_on);
  if (nothing >= 0) close(nothing);
  fd_ = program_->take_output();
  return error == 0 ? Status::ok() : Status::from_errno(name_ + ": /bin/sh", error);
}

Status InputFile::start_fed(const Source &source) {
  command_ = source.command;
  fed_ = std::make_unique<FedCommand>(source);
  Result<int> output = fed_->start();
  if (!output.is_ok()) return output.status().within(name_);
  fd_ = *output;
  return Status::ok();
}

// Closes the output before program_ waits for the program, so that a program still writing gets
// SIGPIPE.
InputFile::~InputFile() {
  if (fd_ >= 0) close(fd_);
}

InputFile::InputFile(InputFile &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      origin_(other.origin_),
      name_(std::move(other.name_)),
      stream_(std::move(other.stream_)),
      command_(std::move(other.command_)),
      program_(std::move(other.program_)),
      fed_(std::move(other.fed_)),
      packed_(std::move(other.packed_)) {}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(origin_, other.origin_);
  std::swap(name_, other.name_);
  std::swap(stream_, other.stream_);
  std::swap(command_, other.command_);
  std::swap(program_, other.program_);
  std::swap(fed_, other.fed_);
  std::swap(packed_, other.packed_);
  return *this;
}

Result<i64> InputFile::read_at(i64 offset, char *to, i64 size) const {
  if (packed_) return packed_->read_at(offset, to, size);
  i64 done = 0;
  while (done < size) {
    const i64 at = origin_ + offset + done;
    ssize_t got = pread(fd_, to + done, static_cast<size_t>(size - done), at);
    if (got == 0) break;
    if (got > 0) {
      done += got;
    } else if (errno != EINTR) {
      return Status::from_errno(name_ + ": offset " + std::to_string(offset + done), errno);
    }
  }
  return done;
}

Result<i64> InputFile::read(char *to, i64 size) const {
  if (stream_) return stream_->read(to, size);
  for (;;) {
    ssize_t got = ::read(fd_, to, static_cast<size_t>(size));
    if (fed_ && got > 0) fed_->note_progress();
    if (got == 0 && (program_ || fed_)) return end_of_command();
    if (got >= 0) return i64{got};
    if (errno != EINTR) return Status::from_errno(name_, errno);
  }
}

void InputFile::hold(bool is_held) const {
  if (fed_) fed_->hold(is_held);
}

// Waits for the command: only its exit status tells whether the output is complete.
Result<i64> InputFile::end_of_command() const {
  if (fed_) {
    const Status status = fed_->finish();
    return status.is_ok() ? Result<i64>(i64{0}) : status.within(name_);
  }
  std::string reason;
  if (program_->succeeded(&reason)) return i64{0};
  return Status::error(name_ + ": " + command_ + ": " + reason);
}

std::vector<i64> page_nodes(const Source &source, const std::vector<i64> &offsets) {
  std::vector<i64> nodes(offsets.size(), -1);
  const bool has_pages = !source.stream && !source.collection && !source.blocks;
  if (!has_pages || source.end == 0) return nodes;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return nodes;  // its reader will report it
  const Mapping mapping(file->fd(), source.end);
  if (mapping.base() == nullptr) return nodes;
  posix_fadvise(file->fd(), 0, 0, POSIX_FADV_RANDOM);  // no read-around, as for the mapping
  std::vector<void *> pages;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const i64 offset = offsets[i] / kPageOfCache * kPageOfCache;
    char *page = mapping.base() + offset;
    if (in_page_cache(file->fd(), offset, page)) madvise(page, kPageOfCache, MADV_POPULATE_READ);
    pages.push_back(page);
    if (pages.size() == kBatch || i + 1 == offsets.size()) {
      query(pages, &nodes[i + 1 - pages.size()]);
      pages.clear();
    }
  }
  return nodes;
}

}  // namespace mrc
