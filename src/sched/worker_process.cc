#include "sched/worker_process.h"

#include "base/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

namespace mrc {
namespace {

// Room for the control message that carries files.
struct FileRoom {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(Channel::kMostFiles * sizeof(int))> bytes{};
};

void take_files(msghdr *header, std::vector<int> *files) {
  for (cmsghdr *part = CMSG_FIRSTHDR(header); part != nullptr; part = CMSG_NXTHDR(header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    files->resize((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(files->data(), CMSG_DATA(part), files->size() * sizeof(int));
  }
}

// Returns the number of mapped pages; 0 if it is unknown.
i64 mapped_pages() {
  std::ifstream statm("/proc/self/statm");
  i64 pages = 0;
  statm >> pages;
  return pages;
}

void limit_memory(i64 more_memory) {
  const i64 pages = mapped_pages();
  if (more_memory == INT64_MAX || pages == 0) return;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  const auto most = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + more_memory);
  limit.rlim_cur = std::min({limit.rlim_cur, limit.rlim_max, most});
  setrlimit(RLIMIT_AS, &limit);
}

// Sets up the child before anything else. The parent may be dead already.
void begin_worker(pid_t maker, i64 more_memory) {
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);  // it may write to the terminal
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != maker) _exit(1);
  leave_signals_to_maker();
  limit_memory(more_memory);
}

}  // namespace

Channel::Channel(Channel &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Channel::~Channel() {
  if (fd_ >= 0) close(fd_);
}

bool Channel::send(Bytes message, std::span<const int> files) const {
  iovec piece = {const_cast<char *>(message.data()), message.size()};
  msghdr header = {};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  FileRoom room;
  if (!files.empty()) {
    header.msg_control = room.bytes.data();
    header.msg_controllen = CMSG_SPACE(files.size_bytes());
    cmsghdr *part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(files.size_bytes());
    memcpy(CMSG_DATA(part), files.data(), files.size_bytes());
  }
  ssize_t sent;
  do {
    sent = sendmsg(fd_, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

Channel::Got Channel::receive(Message *message, bool wait) const {
  message->text.resize(kMostBytes);
  message->files.clear();
  iovec piece = {message->text.data(), message->text.size()};
  FileRoom room;
  msghdr header = {};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  header.msg_control = room.bytes.data();
  header.msg_controllen = room.bytes.size();
  ssize_t got;
  do {
    got = recvmsg(fd_, &header, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  } while (got < 0 && errno == EINTR);
  message->text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Got::nothing : Got::end;
  take_files(&header, &message->files);
  return got == 0 ? Got::end : Got::message;
}

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(process) + "/task";
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread > 0) threads.push_back(thread);
  }
  return threads;
}

i64 other_threads() {
#if defined(__SANITIZE_THREAD__)
  constexpr i64 kAllowed = 2;  // the sanitizer has a thread of its own
#else
  constexpr i64 kAllowed = 1;
#endif
  constexpr int kMostMs = 1000;
  const auto count = [] { return std::ssize(threads_of(getpid())) - kAllowed; };
  i64 others = count();
  for (int ms = 0; others > 0 && ms < kMostMs; ++ms) {
    usleep(1000);
    others = count();
  }
  return others;
}

Result<WorkerProcess> WorkerProcess::start(i64 more_memory,
                                           const std::function<void(Channel *)> &work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Status::from_errno("a worker process", errno);
  }
  Channel ours(ends[0]), theirs(ends[1]);
  const pid_t maker = getpid();
  const pid_t id = fork_worker();
  if (id < 0) return Status::from_errno("a worker process", errno);
  if (id == 0) {
    begin_worker(maker, more_memory);
    const Channel not_ours(std::move(ours));
    work(&theirs);
    _exit(0);
  }
  setpgid(id, id);  // the child may not have done so yet
  const auto death = static_cast<int>(syscall(SYS_pidfd_open, id, 0));
  WorkerProcess made(id, death, std::move(ours));
  if (death < 0) return Status::from_errno("a worker process", errno);
  return made;
}

WorkerProcess::WorkerProcess(WorkerProcess &&other) noexcept
    : id_(std::exchange(other.id_, -1)),
      death_(std::exchange(other.death_, -1)),
      channel_(std::move(other.channel_)) {}

WorkerProcess::~WorkerProcess() {
  if (id_ > 0) {
    kill();
    end();
  }
  if (death_ >= 0) close(death_);
}

bool WorkerProcess::is_dead() const {
  pollfd ended = {death_, POLLIN, 0};
  return poll(&ended, 1, 0) > 0;
}

void WorkerProcess::kill() {
  if (::kill(-id_, SIGKILL) != 0) ::kill(id_, SIGKILL);
}

// Kills the group before it waits for the child: until then the number of the group is not reused.
WorkerProcess::End WorkerProcess::end() {
  kill();
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return WIFSIGNALED(status) ? End{.signal = WTERMSIG(status)} : End{.code = WEXITSTATUS(status)};
}

}  // namespace mrc
