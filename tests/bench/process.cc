#include "process.h"

#include "base/hash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

namespace bench {
namespace {

double seconds(const timeval &t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

// Reads to the end. Blocks are always full but for the last, so that the checksum does
// not depend on how the bytes arrive.
void checksum_of(int file, Outcome *outcome) {
  std::vector<char> block(size_t{1} << 20);
  u64 sum = 0;
  for (size_t used = block.size(); used == block.size();) {
    used = 0;
    while (used < block.size()) {
      const ssize_t n = read(file, block.data() + used, block.size() - used);
      if (n <= 0) break;
      used += static_cast<size_t>(n);
    }
    sum = mrc::hash_bytes(mrc::Bytes(block.data(), used), {sum, 1});
    outcome->bytes += static_cast<i64>(used);
  }
  outcome->checksum = sum;
}

std::string contents(int file) {
  std::string text;
  char block[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t n; (n = read(file, block, sizeof block)) > 0;) {
    text.append(block, static_cast<size_t>(n));
  }
  return text;
}

// A process that keeps the first CPU busy for as long as this lives.
class Disturbance {
 public:
  Disturbance() : child_(fork()) {
    if (child_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t allowed, first;
    CPU_ZERO(&first);
    sched_getaffinity(0, sizeof allowed, &allowed);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) ++cpu;
    CPU_SET(cpu, &first);
    sched_setaffinity(0, sizeof first, &first);
    for (std::atomic<u64> spins{0};; ++spins) {
    }
  }
  ~Disturbance() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Disturbance(const Disturbance &) = delete;
  Disturbance &operator=(const Disturbance &) = delete;

 private:
  pid_t child_;
};

// Samples the resident memory of a process until it is told to stop.
class Sampler {
 public:
  Sampler(pid_t process, std::vector<double> *mib)
      : thread_([this, process, mib] {
          const double page = static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
          while (!stop_) {
            std::ifstream file(fmt::format("/proc/{}/statm", process));
            double size = 0, resident = 0;
            if (file >> size >> resident) mib->push_back(resident * page);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
          }
        }) {}
  ~Sampler() {
    stop_ = true;
    thread_.join();
  }
  Sampler(const Sampler &) = delete;
  Sampler &operator=(const Sampler &) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

int open_answer(const Command &command) {
  const bool file = !command.file.empty() && !command.opens_file;
  return open(file ? command.file.c_str() : "/dev/null", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

[[noreturn]] void become(const Command &command, int answer, int errors) {
  dup2(answer, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  std::vector<char *> argv;
  for (const std::string &word : command.argv) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  alarm(static_cast<unsigned>(command.seconds));
  execvp(argv[0], argv.data());
  _exit(127);
}

}  // namespace

Outcome run(const Command &command, bool check) {
  Outcome outcome;
  if (!command.file.empty()) unlink(command.file.c_str());
  std::optional<Disturbance> disturbance;
  if (command.disturbed) disturbance.emplace();
  int pipe_ends[2] = {-1, -1};
  const bool piped = check && command.file.empty();
  if (piped && pipe2(pipe_ends, O_CLOEXEC) != 0) std::exit(2);
  const int answer = piped ? pipe_ends[1] : open_answer(command);
  const int errors = memfd_create("errors", MFD_CLOEXEC);

  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) become(command, answer, errors);
  close(answer);
  struct rusage usage = {};
  {
    std::optional<Sampler> sampler;
    if (command.footprint) sampler.emplace(child, &outcome.resident_mib);
    if (piped) checksum_of(pipe_ends[0], &outcome);
    wait4(child, &outcome.status, 0, &usage);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    outcome.sample.wall = wall.count();
  }
  outcome.sample.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  outcome.sample.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  outcome.timed_out = WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGALRM;
  outcome.errors = contents(errors);
  close(errors);
  if (piped) close(pipe_ends[0]);
  if (command.file.empty()) return outcome;
  if (const int file = check ? open(command.file.c_str(), O_RDONLY | O_CLOEXEC) : -1; file >= 0) {
    checksum_of(file, &outcome);
    close(file);
  }
  unlink(command.file.c_str());
  return outcome;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace bench
