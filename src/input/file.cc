#include "input/inner/child_program.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace mrc {
namespace {

// Detects how the file is compressed, from source.begin on, or that it is not text.
void look_at_front(Source *source) {
  static_assert(kBinaryHead >= kMagicBytes);
  Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return;  // the reader will report it
  char first[kBinaryHead];
  Result<i64> got = file->read_at(source->begin, first, kBinaryHead);
  if (!got.is_ok()) return;
  const Bytes front(first, static_cast<size_t>(*got)), magic = front.substr(0, kMagicBytes);
  source->codec = codec_of(magic);
  source->window_bytes = window_of(magic);
  if (source->codec == Codec::none) source->binary = binary_format_of(front);
}

}  // namespace

Result<Source> examine(const std::string &path) {
  Source source{.path = path};
  struct stat info;
  bool is_stdin = path == "-";
  if ((is_stdin ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info)) != 0) {
    return Status::from_errno(source.name(), errno);
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
  look_at_front(&source);
  if (source.codec != Codec::none) {
    source.packed_bytes = source.end - source.begin;
    source.stream = true;
    source.begin = source.end = 0;
  }
  return source;
}

Result<Source> examine(const std::string &path, const std::string &command) {
  if (command.empty() || path == "-") return examine(path);
  return Source{.path = path, .command = command, .stream = true};
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
  if (!source.command.empty()) {
    Status status = file.start(source.command, source.path);
    return status.is_ok() ? Result<InputFile>(std::move(file)) : status;
  }
  const int open_fd = source.fd < 0 && source.path == "-" ? STDIN_FILENO : source.fd;
  // Opens a followed fifo without waiting for its writer.
  const int wait = source.followed && source.stream ? O_NONBLOCK : 0;
  file.fd_ = open_fd >= 0 ? fcntl(open_fd, F_DUPFD_CLOEXEC, 3)
                          : ::open(source.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | wait);
  if (file.fd_ < 0) return Status::from_errno(file.name_, errno);
  struct stat info;
  if (source.inode != 0 && (fstat(file.fd_, &info) != 0 || info.st_ino != source.inode ||
                            info.st_dev != source.device)) {
    return Status::error(file.name_ + ": another file has its name now; it is read next time");
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

// Closes the output before program_ waits for the program, so that a program still writing gets
// SIGPIPE.
InputFile::~InputFile() {
  if (fd_ >= 0) close(fd_);
}

InputFile::InputFile(InputFile &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      command_(std::move(other.command_)),
      program_(std::move(other.program_)) {}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(name_, other.name_);
  std::swap(command_, other.command_);
  std::swap(program_, other.program_);
  return *this;
}

Result<i64> InputFile::read_at(i64 offset, char *to, i64 size) const {
  i64 done = 0;
  while (done < size) {
    ssize_t got = pread(fd_, to + done, static_cast<size_t>(size - done), offset + done);
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
  for (;;) {
    ssize_t got = ::read(fd_, to, static_cast<size_t>(size));
    if (got == 0 && program_) return end_of_command();
    if (got >= 0) return i64{got};
    if (errno != EINTR) return Status::from_errno(name_, errno);
  }
}

// Waits for the command: only its exit status tells whether the output is complete.
Result<i64> InputFile::end_of_command() const {
  std::string reason;
  if (program_->succeeded(&reason)) return i64{0};
  return Status::error(name_ + ": " + command_ + ": " + reason);
}

}  // namespace mrc
