#include "input/inner/child_program.h"

#include "base/setting_name.h"
#include "base/signals.h"
#include "input/input.h"
#include "input/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <utility>

extern char **environ;

namespace mrc {
namespace {

void close_once(int *fd) {
  if (*fd >= 0) close(std::exchange(*fd, -1));
}

// Programs expect the default actions and mask of signals.
void set_attributes(ChildProgram::Group group, posix_spawnattr_t *attributes) {
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigdefault(attributes, &defaults);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  const int of_group = group == ChildProgram::Group::its_own ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(
      attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | of_group));
}

int spawn(const std::vector<std::string> &argv, const int (&standard)[3], ChildProgram::Group group,
          pid_t *id) {
  std::vector<char *> words;
  for (const std::string &word : argv) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  set_attributes(group, &attributes);
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, standard[i], i);
  const int error = posix_spawnp(id, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Groups that run, for the end of this process. A group that finds no place is not ended then.
std::array<std::atomic<pid_t>, 1024> groups;

void end_groups() {
  for (const std::atomic<pid_t> &group : groups) {
    if (const pid_t id = group.load(); id > 0) ::kill(-id, SIGKILL);
  }
}

void enter_group(pid_t id) {
  clean_up_at_end(end_groups);
  for (std::atomic<pid_t> &group : groups) {
    pid_t none = 0;
    if (group.compare_exchange_strong(none, id)) return;
  }
}

void leave_group(pid_t id) {
  for (std::atomic<pid_t> &group : groups) {
    if (pid_t own = id; group.compare_exchange_strong(own, 0)) return;
  }
}

// Decompresses by an external program: such formats are rarer than gzip and zstd, and each would
// need another library. The program reads the file itself if it can. Bytes peeked from a pipe are
// consumed, so pipes are copied to the program.

class ProgramStream : public Stream {
 public:
  ProgramStream(Codec codec, BufferedReader *from) : codec_(codec), from_(from) {}

  Status start();
  Result<i64> read(char *to, i64 size) override;

 private:
  void hand_on();

  Codec codec_;
  BufferedReader *from_;
  ChildProgram program_;
  bool reads_itself_ = false;
  bool hands_on_ = false;          // input is still to be written to the program
  Status failure_ = Status::ok();  // ends the stream; returned after all bytes before it
};

Status ProgramStream::start() {
  const std::string name = codec_name(codec_);
  reads_itself_ = from_->unread();
  hands_on_ = !reads_itself_;
  const int error = program_.start({name, "-dc"}, reads_itself_ ? from_->fd() : -1);
  if (error == 0) return Status::ok();
  if (error != ENOENT) return Status::from_errno(from_->name() + ": " + name, error);
  return Status::error(
      fmt::format("{}: is compressed by {}, and there is no program of that name: install the "
                  "package {}, or decompress it beforehand",
                  from_->name(), name, package_of(codec_)));
}

Result<i64> ProgramStream::read(char *to, i64 size) {
  while (hands_on_ && !program_.await_output(true)) {
    hand_on();
  }
  const ssize_t got = program_.read(to, static_cast<size_t>(size));
  if (reads_itself_) from_->follow();
  if (got > 0) return i64{got};
  if (got < 0) return Status::from_errno(from_->name() + ": " + codec_name(codec_), errno);
  std::string reason;
  const bool is_whole = program_.succeeded(&reason);
  if (!failure_.is_ok()) return failure_;
  if (is_whole) return i64{0};
  return Status::error(fmt::format("{}: {}: {}; what lies before it is used", from_->name(),
                                   codec_name(codec_), reason));
}

void ProgramStream::hand_on() {
  const Result<Bytes> next = from_->peek(1);
  if (!next.is_ok()) failure_ = next.status();
  if (next.is_ok() && !next->empty()) {
    from_->skip(static_cast<i64>(program_.write(next->data(), next->size())));
    return;
  }
  hands_on_ = false;
  program_.end_input();
}

// Follows the quoting rules of sh(1) far enough to tell whether a {} is in quotes. A wrong guess,
// as in a comment with one quote, refuses a form that would have worked.

constexpr std::string_view kPlace = "{}", kName = "\"$1\"";

// Walks over the bytes of a form and tracks quotes.
class Walk {
 public:
  explicit Walk(std::string_view form) : form_(form) {}

  bool at_end() const { return at_ >= form_.size(); }
  bool in_quotes() const { return quote_ != '\0'; }
  bool sees(std::string_view text) const { return form_.substr(at_).starts_with(text); }
  // True if the shell substitutes the name here: $1, $@, $* or one of them in braces.
  bool sees_parameter() const {
    if (quote_ == '\'' || !sees("$")) return false;
    const std::string_view rest = form_.substr(at_ + (sees("${") ? 2 : 1));
    const bool is_other = sees("${") && rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9';
    return !rest.empty() && std::string_view("1@*").find(rest[0]) != rest.npos && !is_other;
  }
  // Takes the next byte, or two if the first is a backslash.
  std::string_view take() {
    const char first = form_[at_];
    const bool escapes = first == '\\' && quote_ != '\'' && at_ + 1 < form_.size();
    if (!escapes && (first == '\'' || first == '"')) {
      quote_ = quote_ == '\0' ? first : quote_ == first ? '\0' : quote_;
    }
    return skip(escapes ? 2 : 1);
  }
  std::string_view skip(size_t bytes) {
    const std::string_view taken = form_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }

 private:
  const std::string_view form_;
  size_t at_ = 0;
  char quote_ = '\0';  // '\0': outside quotes
};

}  // namespace

int ChildProgram::start(const std::vector<std::string> &argv, int input, Messages messages,
                        Group group) {
  name_ = argv[0];
  int out[2] = {-1, -1}, in[2] = {-1, -1};
  const bool keeps = messages == Messages::kept;
  if (keeps) messages_ = memfd_create("messages", MFD_CLOEXEC);
  int error = (keeps && messages_ < 0) || pipe2(out, O_CLOEXEC) != 0 ? errno : 0;
  if (error == 0 && input < 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) {
    error = errno;
  }
  if (error == 0) {
#ifdef F_SETPIPE_SZ
    fcntl(out[0], F_SETPIPE_SZ, 1 << 20);
#endif
    const int its_error = keeps ? messages_ : STDERR_FILENO;
    error = spawn(argv, {input < 0 ? in[0] : input, out[1], its_error}, group, &id_);
    has_group_ = error == 0 && group == Group::its_own;
    if (has_group_) enter_group(id_);
  }
  output_ = out[0];
  input_ = in[1];
  close_once(&out[1]);
  close_once(&in[0]);
  return error;
}

ChildProgram::~ChildProgram() {
  close_once(&output_);
  close_once(&input_);
  if (id_ > 0) {
    kill();
    int status = 0;
    wait(&status);
  }
  close_once(&messages_);
}

pid_t ChildProgram::wait(int *status) {
  // Until it is waited for, no other group has its number.
  siginfo_t info;
  while (has_group_ && waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  if (has_group_) leave_group(id_);
  pid_t ended;
  while ((ended = waitpid(id_, status, 0)) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return ended;
}

bool ChildProgram::await_output(bool wants_room) const {
  pollfd both[2] = {{output_, POLLIN, 0}, {wants_room ? input_ : -1, POLLOUT, 0}};
  while (poll(both, 2, -1) < 0 && errno == EINTR) {
  }
  return both[0].revents != 0 || both[1].revents == 0;
}

int ChildProgram::take_output() { return std::exchange(output_, -1); }

ssize_t ChildProgram::read(char *to, size_t size) const {
  for (;;) {
    const ssize_t got = ::read(output_, to, size);
    if (got >= 0 || errno != EINTR) return got;
  }
}

size_t ChildProgram::write(const char *from, size_t size) {
  const ssize_t put = send(input_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (put >= 0) return static_cast<size_t>(put);
  if (errno == EAGAIN || errno == EINTR) return 0;
  has_left_input_ = true;
  return size;
}

bool ChildProgram::await_room(int most_ms) const {
  pollfd room = {input_, POLLOUT, 0};
  return poll(&room, 1, most_ms) > 0;
}

bool ChildProgram::has_closed_input() const {
  pollfd room = {input_, POLLOUT, 0};
  return poll(&room, 1, 0) > 0 && (room.revents & (POLLERR | POLLHUP)) != 0;
}

// The socket stays open, to tell has_read_all().
void ChildProgram::end_input() { shutdown(input_, SHUT_WR); }

// If a socket is closed while there are bytes in it, its other end is reset.
bool ChildProgram::has_read_all() const {
  int error = 0;
  socklen_t size = sizeof error;
  const int result = getsockopt(input_, SOL_SOCKET, SO_ERROR, &error, &size);
  return !has_left_input_ && result == 0 && error != ECONNRESET;
}

void ChildProgram::kill() const {
  if (id_ > 0) ::kill(has_group_ ? -id_ : id_, SIGKILL);
}

std::optional<bool> ChildProgram::outcome() const {
  siginfo_t info = {};
  const int error = waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (error != 0 || info.si_pid == 0) return std::nullopt;
  return info.si_code == CLD_EXITED && info.si_status == 0;
}

bool ChildProgram::succeeded(std::string *reason) {
  int status = 0;
  const pid_t ended = wait(&status);
  *reason = first_message();
  // If SIGCHLD is ignored there is no status: only messages can tell of an error.
  if (ended < 0) return reason->empty();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (reason->empty()) {
    *reason = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                  : "exit status " + std::to_string(WEXITSTATUS(status));
  }
  return false;
}

std::string ChildProgram::first_message() const {
  char text[500];
  const ssize_t got = pread(messages_, text, sizeof text, 0);
  std::string_view all(text, got > 0 ? static_cast<size_t>(got) : 0);
  all.remove_prefix(std::min(all.find_first_not_of("\r\n"), all.size()));
  all = all.substr(0, all.find_first_of("\r\n"));
  for (const std::string &prefix : {name_ + ": ", std::string("(stdin): ")}) {
    if (all.starts_with(prefix)) all.remove_prefix(prefix.size());
  }
  return std::string(all);
}

Result<std::unique_ptr<Stream>> open_program(Codec codec, BufferedReader *from) {
  auto stream = std::make_unique<ProgramStream>(codec, from);
  if (Status status = stream->start(); !status.is_ok()) return status;
  return stream;
}

Result<std::string> script_of(std::string_view form) {
  std::string script;
  bool names_input = false;
  for (Walk walk(form); !walk.at_end();) {
    names_input |= walk.sees_parameter();
    if (!walk.sees(kPlace)) {
      script += walk.take();
      continue;
    }
    if (walk.in_quotes()) {
      return Status::error(
          "a {} in quotes would be a part of the command, and not the name of the input; write it "
          "without quotes, as in 'zcat {}', or write \"$1\" for the name");
    }
    walk.skip(kPlace.size());
    script += kName;
    names_input = true;
  }
  if (!names_input) script.append(" ").append(kName);
  return script;
}

Status check_input_command(const std::string &form) { return script_of(form).status(); }

}  // namespace mrc
