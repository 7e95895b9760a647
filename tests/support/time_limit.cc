// A limit for each test, so that no test waits for ever for a process, a fifo, a lock or a thread.
// It is part of each test program. A timer with a signal, as tests fork, and a thread would not be
// in their children.
#include "support/seed.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mrc {
namespace {

// Less than the limit of ctest (tests/CMakeLists.txt), which does not say what a test program with
// several tests was at.
constexpr i64 kUsualSeconds = 290;

i64 most_seconds() {
  const char *seconds = std::getenv("MRC_TEST_SECONDS");
  return seconds == nullptr ? kUsualSeconds * rounds() : std::strtoll(seconds, nullptr, 10);
}

char message[512];
int message_size = 0;

void end_process(int) {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, message, static_cast<size_t>(message_size));
  _exit(1);
}

class TimeLimit : public testing::EmptyTestEventListener {
 public:
  TimeLimit() {
    struct sigaction action = {};
    action.sa_handler = end_process;
    sigaction(SIGVTALRM, &action, nullptr);
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGVTALRM;
    timer_create(CLOCK_MONOTONIC, &event, &timer_);
  }

 private:
  void OnTestStart(const testing::TestInfo &test) override {
    const int size = std::snprintf(
        message, sizeof message,
        "test: %s.%s has not ended after %lld seconds (MRC_TEST_SECONDS; 0: no limit)\n",
        test.test_suite_name(), test.name(), static_cast<long long>(most_seconds()));
    message_size = std::min(size, static_cast<int>(sizeof message) - 1);
    set(most_seconds());
  }
  void OnTestEnd(const testing::TestInfo &) override { set(0); }

  void set(i64 seconds) {
    const itimerspec at = {.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_nsec = 0}};
    timer_settime(timer_, 0, &at, nullptr);
  }

  timer_t timer_;
};

// The list of listeners owns it.
[[maybe_unused]] const bool kIsAdded = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return true;
}();

}  // namespace
}  // namespace mrc
