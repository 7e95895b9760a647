// Fifos that threads write to while a job reads them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace mrc {

class FedFifos {
 public:
  // Makes the fifo; the text follows in two halves, as soon as there is a reader.
  void feed(const std::string &path, const std::string &text) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    paths_.push_back(path);
    feeders_.emplace_back([path, text] {
      const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      const size_t half = text.size() / 2;
      if (write(fd, text.data(), half) >= 0) {
        [[maybe_unused]] ssize_t put = write(fd, text.data() + half, text.size() - half);
      }
      close(fd);
    });
  }

  // Waits for all. Those that were not read, since enough was found, get a reader here.
  void end() {
    std::vector<int> readers;
    for (const std::string &path : paths_) {
      readers.push_back(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    }
    for (std::thread &feeder : feeders_) feeder.join();
    for (int reader : readers) close(reader);
    feeders_.clear();
    paths_.clear();
  }

 private:
  std::vector<std::string> paths_;
  std::vector<std::thread> feeders_;
};

}  // namespace mrc
