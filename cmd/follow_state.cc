#include "cmd/follow_state.h"

#include "base/signals.h"
#include "cmd/live_view.h"

#include <fmt/format.h>
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
// Share of the time that runs may take.
constexpr double kMostShare = 0.02;
constexpr double kLeastSeconds = 0.1;
constexpr auto kLook = std::chrono::milliseconds(50);

// Returns a fingerprint of the inputs: the place, size and time of each.
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

// The directory's manifest does not name this file, so the next run removes it if it is still
// there.
std::string answer_path(const Request &request) { return request.program.keep.path + "/answer"; }

std::string take_answer(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  unlink(path.c_str());
  return text;
}

// Returns the request for an interim answer of the same job.
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
  const std::string answer = answer_path(request);
  std::string seen;
  for (bool goes_on = true; goes_on;) {
    goes_on = !interrupted();
    const Time::time_point began = Time::now();
    if (const std::string now = look_at(request.program.inputs); now != seen) {
      seen = now;
      const Request interim = interim_of(request, view ? view->room() : Room{}, answer);
      if (const int status = run_once(interim); status == kError) return status;
      const std::string text = take_answer(answer);
      if (view) view->show({.text = text, .of = {}});
    }
    const Seconds cost = Time::now() - began;
    const Seconds pause(
        std::max({asked.program.live.every_seconds, cost.count() / kMostShare, kLeastSeconds}));
    if (goes_on) wait_until(began + std::chrono::duration_cast<Time::duration>(pause));
  }
  if (view) view->clear();
  return run_once(request);
}

}  // namespace mrc
