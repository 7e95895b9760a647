// What the user sees on stderr while a job runs.
#pragma once

#include "cmd/verb.h"

#include <chrono>

namespace mrc {

// Prints complaints as they come, and a progress line if one is wanted and the
// run lasts.
class Progress : public Observer {
 public:
  explicit Progress(const Request &request);
  void complain(const std::string &message) override;
  void note(const std::string &message) override;
  void progress(i64 bytes, i64 total) override;
  void writing() override { clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  bool wanted_;
  const bool quiet_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace mrc
