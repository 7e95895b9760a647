// Messages and progress on stderr while a job runs.
#pragma once

#include "cmd/live_view.h"
#include "cmd/verb.h"

#include <chrono>
#include <memory>

namespace mrc {

// Prints complaints as they come, interim answers, and, if wanted and the run lasts, a progress
// line.
class Progress : public Observer {
 public:
  explicit Progress(const Request &request);
  void complain(const std::string &message) override;
  void warn(const std::string &message) override;
  void note(const std::string &message) override;
  void progress(i64 bytes, i64 total) override;
  void writing() override { clear(); }
  Room room() const override { return live_ ? live_->room() : Room{}; }
  void interim(const Interim &interim) override;

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  const std::unique_ptr<LiveView> live_;  // null: there are no interim answers
  const bool is_quiet_;
  bool wanted_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace mrc
