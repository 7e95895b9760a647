// Shows interim answers while a job runs.
#pragma once

#include "engine/live.h"
#include "output/output.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace mrc {

struct Request;

// On a terminal, the newest answer replaces the previous one; a pipe gets one after the other; a
// file is replaced. Thread safe.
class LiveView {
 public:
  // `path` is a file, or empty for standard output. If `empty_lines`, an empty line follows each
  // answer.
  LiveView(std::string path, bool on_terminal, bool empty_lines);

  Room room() const;
  void show(const Interim &interim);
  // Clears the terminal for other output, such as the final answer.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void replace_file(const Interim &interim);
  void draw(const Interim &interim);
  void warn(const std::string &message);

  const std::string path_;
  const bool on_terminal_, empty_lines_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::unique_ptr<OutputFile> output_;  // standard output
  std::string drawn_;                   // text that is on the terminal now
  std::string warned_;                  // the last message about an answer that could not be shown
};

// Returns null if the user sees no interim answers.
std::unique_ptr<LiveView> make_live_view(const Request &request);

// Returns the first lines of a text, cut to a screen of this size. Escape sequences for colors stay
// whole.
std::string fit_in(Bytes text, i64 width, i64 lines);
// Returns how many lines of a screen a text takes that was drawn when the screen was wider.
i64 lines_on(Bytes text, i64 width);

}  // namespace mrc
