#include "sched/worker_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <thread>

namespace mrc {
namespace {

using Got = Channel::Got;

// Waits for the process, and says how it ended.
WorkerProcess::End end_of(WorkerProcess *process) {
  pollfd death = {process->death(), POLLIN, 0};
  poll(&death, 1, 10000);
  EXPECT_TRUE(process->is_dead());
  return process->end();
}

Result<WorkerProcess> start(const std::function<void(Channel *)> &work, i64 memory = INT64_MAX) {
  return WorkerProcess::start(memory, work);
}

TEST(WorkerProcess, GetsMessagesWholeAndInOrder) {
  Result<WorkerProcess> process = start([](Channel *channel) {
    Channel::Message message;
    while (channel->receive(&message, true) == Got::message) channel->send(message.text + "!");
  });
  ASSERT_TRUE(process.is_ok());
  const std::string large(60000, 'x');
  for (const std::string &text : {std::string("a"), large, std::string("\0b", 2)}) {
    EXPECT_TRUE(process->channel().send(text));
  }
  Channel::Message message;
  for (const std::string &text : {std::string("a"), large, std::string("\0b", 2)}) {
    EXPECT_EQ(process->channel().receive(&message, true), Got::message);
    EXPECT_EQ(message.text, text + "!");
  }
  EXPECT_EQ(process->channel().receive(&message, false), Got::nothing);
}

TEST(WorkerProcess, HandsOverFiles) {
  Result<WorkerProcess> process = start([](Channel *channel) {
    const int file = memfd_create("test", MFD_CLOEXEC);
    if (write(file, "text", 4) == 4) channel->send("here", {&file, 1});
  });
  ASSERT_TRUE(process.is_ok());
  Channel::Message message;
  ASSERT_EQ(process->channel().receive(&message, true), Got::message);
  ASSERT_EQ(message.files.size(), 1u);
  char text[8] = {};
  EXPECT_EQ(pread(message.files[0], text, sizeof text, 0), 4);
  EXPECT_STREQ(text, "text");
  EXPECT_TRUE(fcntl(message.files[0], F_GETFD) & FD_CLOEXEC);
  close(message.files[0]);
}

// What it has said before it died is still there.
TEST(WorkerProcess, TellsHowItDied) {
  Result<WorkerProcess> killed = start([](Channel *channel) {
    channel->send("last words");
    raise(SIGKILL);
  });
  ASSERT_TRUE(killed.is_ok());
  EXPECT_EQ(end_of(&*killed).signal, SIGKILL);
  Channel::Message message;
  EXPECT_EQ(killed->channel().receive(&message, false), Got::message);
  EXPECT_EQ(message.text, "last words");
  EXPECT_EQ(killed->channel().receive(&message, false), Got::end);
  EXPECT_FALSE(killed->channel().send("too late"));

  Result<WorkerProcess> ended = start([](Channel *) { _exit(5); });
  ASSERT_TRUE(ended.is_ok());
  const WorkerProcess::End end = end_of(&*ended);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.code, 5);
}

TEST(WorkerProcess, IsKilledWithItsObject) {
  pid_t id = -1;
  {
    Result<WorkerProcess> process = start([](Channel *) { pause(); });
    ASSERT_TRUE(process.is_ok());
    id = process->id();
    EXPECT_FALSE(process->is_dead());
  }
  EXPECT_NE(kill(id, 0), 0);
}

TEST(WorkerProcess, DoesNotDieOfAnInterrupt) {
  Result<WorkerProcess> process = start([](Channel *channel) {
    raise(SIGINT);
    channel->send("alive");
  });
  ASSERT_TRUE(process.is_ok());
  Channel::Message message;
  EXPECT_EQ(process->channel().receive(&message, true), Got::message);
}

#ifndef MRC_SANITIZED
TEST(WorkerProcess, HasNoMoreMemoryThanItMayTake) {
  Result<WorkerProcess> process = start(
      [](Channel *channel) {
        const auto map = [](size_t bytes) {
          void *memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          return memory != MAP_FAILED;
        };
        channel->send(map(size_t{32} << 20) ? "yes" : "no");
        channel->send(map(size_t{64} << 20) ? "yes" : "no");
      },
      i64{64} << 20);
  ASSERT_TRUE(process.is_ok());
  Channel::Message message;
  process->channel().receive(&message, true);
  EXPECT_EQ(message.text, "yes");
  process->channel().receive(&message, true);
  EXPECT_EQ(message.text, "no");
}
#endif

TEST(WorkerProcess, KnowsOfOtherThreads) {
  EXPECT_EQ(other_threads(), 0);
  std::mutex mutex;
  mutex.lock();
  std::thread other([&] { const std::lock_guard lock(mutex); });
  EXPECT_EQ(other_threads(), 1);
  mutex.unlock();
  other.join();
  EXPECT_EQ(other_threads(), 0);
}

}  // namespace
}  // namespace mrc
