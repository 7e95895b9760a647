// Messages, progress and interim answers on stderr and the terminal while a job runs.
#pragma once

#include "cmd/compile.h"
#include "engine/engine.h"
#include "output/output.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace mrc {

// Makes spdlog write "mrc: LEVEL: MESSAGE", one line per message. Names and arguments in it are
// escaped, because text of unknown origin must not act on a terminal.
void begin_messages();

// Each prints one message.
void say_info(const std::string &message);
void say_warning(const std::string &message);
void say_error(const std::string &message);

// Returns a text as messages show it.
std::string visible(const std::string &text);

// If standard input is among `inputs` and is a terminal, notes on stderr that the job waits for
// typed input, and which file was taken for another kind of argument.
void note_terminal(const Job &job, bool quiet, const std::vector<std::string> &inputs);

// Shows interim answers while a job runs.
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
std::unique_ptr<LiveView> make_live_view(const Compiled &compiled);

// Returns the first lines of a text, cut to a screen of this size. Escape sequences for colors stay
// whole.
std::string fit_in(Bytes text, i64 width, i64 lines);
// Returns how many lines of a screen a text takes that was drawn when the screen was wider.
i64 lines_on(Bytes text, i64 width);

// The progress of a job, in memory that its process may share with another.
struct JobProgress {
  std::atomic<i64> bytes, total;  // total: 0 if unknown
};
// Writes the progress of this process's job there, too.
void publish_progress(JobProgress *progress);

// Prints complaints as they come, interim answers, and, if wanted and the run lasts, a progress
// line.
class Progress : public Observer {
 public:
  explicit Progress(const Compiled &compiled);
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
