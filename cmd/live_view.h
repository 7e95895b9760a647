// Where interim answers go while a job runs.
#pragma once

#include "engine/live.h"
#include "output/output.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace mrc {

struct Request;

// A terminal shows the newest one in place of the one before; a pipe gets one after the other; a
// file is replaced. Thread safe.
class LiveView {
 public:
  // `path`: of the file; empty: standard output takes them. `empty_lines`: one after each answer.
  LiveView(std::string path, bool on_terminal, bool empty_lines);

  Room room() const;
  void show(const Interim &interim);
  // The terminal is needed for something else, such as the final answer.
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
  std::string drawn_;                   // on the terminal now
  std::string warned_;                  // what was said last of an answer that cannot be shown
};

// Null: the user sees none.
std::unique_ptr<LiveView> make_live_view(const Request &request);

// As much of a text as a screen of this size can show: its first lines, each as long as a line of
// the screen. What colors it stays whole.
std::string fit_in(Bytes text, i64 width, i64 lines);
// How many lines of a screen a text takes that was drawn when it was wider.
i64 lines_on(Bytes text, i64 width);

}  // namespace mrc
