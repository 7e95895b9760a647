#include "cmd/progress.h"

#include "cmd/messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace mrc {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(1000);  // shorter runs need no line
constexpr auto kInterval = std::chrono::milliseconds(200);

}  // namespace

// There is no progress line if interim answers are drawn on the terminal, because these show the
// progress.
Progress::Progress(const Request &request)
    : live_(make_live_view(request)),
      is_quiet_(request.quiet),
      wanted_(!request.quiet && !(live_ && live_->room().rows >= 0) &&
              (request.progress == Request::When::always ||
               (request.progress == Request::When::automatic && isatty(STDERR_FILENO) != 0))) {
  next_ = start_ + (request.progress == Request::When::always ? kInterval : kPatience);
}

void Progress::complain(const std::string &message) {
  clear();
  say_error(message);
}

void Progress::warn(const std::string &message) {
  clear();
  say_warning(message);
}

void Progress::note(const std::string &message) {
  if (is_quiet_) return;
  clear();
  say_info(message);
}

void Progress::interim(const Interim &interim) { live_->show(interim); }

void Progress::progress(i64 bytes, i64 total) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double mib = static_cast<double>(bytes) / (1 << 20);
  std::string line = fmt::format("\r\x1b[Kmrc: {:.0f} MiB, {:.0f} MiB/s", mib, mib / seconds);
  if (total > 0) {
    const double share = static_cast<double>(bytes) / static_cast<double>(total);
    line += fmt::format(", {:.0f} %, {:.0f} s left", 100 * share,
                        share > 0 ? seconds / share - seconds : 0);
  }
  fputs(line.c_str(), stderr);
  shown_ = true;
}

void Progress::clear() {
  if (live_) live_->clear();
  if (shown_) fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace mrc
