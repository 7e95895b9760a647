#include "cmd/follow_state.h"

#include "base/signals.h"
#include "cmd/live_view.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

namespace mrc {
namespace {

using Time = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kError = 2;
// Of the time that passes, that runs may take.
constexpr double kMostShare = 0.02;
constexpr auto kLook = std::chrono::milliseconds(50);

// What shows that inputs have changed: of each its place, size and time.
std::string look_at(const std::vector<std::string> &inputs) {
  std::string seen;
  for (const std::string &path : inputs) {
    struct stat info = {};
    stat(path.c_str(), &info);
    seen += fmt::format("{} {} {} {}.{} ", info.st_dev, info.st_ino, info.st_size,
                        info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  }
  return seen;
}

// A file for the answer of a run that is not the last.
class AnswerFile {
 public:
  explicit AnswerFile(const Request &request) {
    const char *folder = getenv("TMPDIR");
    path_ = request.program.tmpdir;
    if (path_.empty()) path_ = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    path_ += "/mrc-answer-XXXXXX";
    const int fd = mkstemp(path_.data());
    fd < 0 ? path_.clear() : void(close(fd));
  }
  ~AnswerFile() { unlink(path_.c_str()); }
  AnswerFile(const AnswerFile &) = delete;

  const std::string &path() const { return path_; }
  std::string text() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

// The same job, for an answer that is shown.
Request interim_of(const Request &request, const Room &room, const std::string &path) {
  Request interim = request;
  Program &program = interim.program;
  program.output = path;
  interim.quiet = true;
  if (!program.shape.progress.empty()) program.shape.progress = "null";
  if (room.width > 0) program.shape.width = room.width;
  if (room.rows < 0) return interim;
  if (program.live.order) program.order = *program.live.order;
  const i64 limit = program.order.limit;
  program.order.limit = limit < 0 ? room.rows : std::min(limit, room.rows);
  return interim;
}

void wait_until(Time::time_point next) {
  while (!interrupted() && Time::now() < next) std::this_thread::sleep_for(kLook);
}

}  // namespace

bool follows_state(const Request &request) {
  return request.program.follows && !request.program.keep.path.empty();
}

int follow_state(const Request &asked, const std::function<int(const Request &)> &run_once) {
  Request request = asked;
  request.program.follows = false;
  request.program.live.every_seconds = 0;  // each run is an answer of its own
  const std::unique_ptr<LiveView> view = make_live_view(request);
  request.shows_live = false;
  const AnswerFile file(request);
  if (file.path().empty()) return spdlog::error("--follow: no temporary file in --tmpdir"), kError;
  std::string seen;
  for (bool goes_on = true; goes_on;) {
    goes_on = !interrupted();
    const Time::time_point began = Time::now();
    if (const std::string now = look_at(request.program.inputs); now != seen) {
      seen = now;
      const Request interim = interim_of(request, view ? view->room() : Room{}, file.path());
      if (const int status = run_once(interim); status == kError) return status;
      if (view) view->show({.text = file.text(), .of = {}});
    }
    const Seconds cost = Time::now() - began;
    const Seconds pause(std::max(asked.program.live.every_seconds, cost.count() / kMostShare));
    if (goes_on) wait_until(began + std::chrono::duration_cast<Time::duration>(pause));
  }
  if (view) view->clear();
  return run_once(request);
}

}  // namespace mrc
