// --live: jobs that have interim answers, and the destination of these.
#include "cmd/conducts.h"
#include "cmd/live_view.h"
#include "cmd/values.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace mrc {
namespace {

constexpr double kUsualSeconds = 2;

// True if output can be erased again.
bool is_screen() {
  const char *term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

// Parses a value such as "10%".
bool parse_percent(const std::string &text, double *percent) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_share = end != text.c_str() && std::string_view(end) == "%";
  if (!is_share || !(value > 0) || value > 100) return false;
  *percent = value;
  return true;
}

// Parses one part of the value: order, a time or a share.
Status set_one(const std::string &text, LiveSpec *live) {
  if (text == "order") {
    live->in_order = true;
    return Status::ok();
  }
  if (!text.ends_with('%')) {
    if (parse_seconds(text, &live->every_seconds).is_ok()) return Status::ok();
  } else if (parse_percent(text, &live->every_percent)) {
    return Status::ok();
  }
  return Status::error(fmt::format(
      "\"{}\" is no time as 2s or 500ms, no share of the input as 10%, and not order", text));
}

// A screen has room for the first rows only. If the user sets no order, it shows the highest
// numbers.
void show_highest(Request *request) {
  const Program &program = request->program;
  const bool has_order = !request->by.empty() || program.order.limit >= 0 || program.plugin ||
                         request->direction != Request::Direction::natural;
  if (has_order || program.aggregation.columns.empty()) return;
  Request highest = *request;
  highest.program.order.limit = 0;  // the order of --top
  if (!choose_order(&highest).is_ok()) return;
  highest.program.order.limit = -1;
  request->program.live.order = highest.program.order;
}

}  // namespace

Status parse_live(const std::string &value, LiveSpec *live) {
  live->every_seconds = live->every_percent = 0;
  live->in_order = false;
  for (std::string_view rest = value; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (Status status = set_one(std::string(rest.substr(0, comma)), live); !status.is_ok()) {
      return status;
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (live->every_seconds > 0 && live->every_percent > 0) {
    return Status::error("a time or a share of the input, not both");
  }
  if (!live->is_wanted()) live->every_seconds = kUsualSeconds;
  return Status::ok();
}

// A file that is whole or absent gets only the final answer, so nothing is shown.
Status choose_live(Request *request) {
  Program &program = request->program;
  LiveSpec &live = program.live;
  if (!live.path.empty() && !live.is_wanted()) {
    if (Status status = parse_live("", &live); !status.is_ok()) return status;
  }
  request->may_end_input = program.follows || live.is_wanted();
  if (program.follows && !live.is_wanted() && check_conduct(kLive, *request).is_ok()) {
    live.every_seconds = kUsualSeconds;  // otherwise the user would see nothing
  }
  if (!live.is_wanted()) return Status::ok();
  if (Status status = check_conduct(kLive, *request); !status.is_ok()) return status;
  request->shows_live = program.output == "-" || !live.path.empty();
  if (!request->shows_live) live.every_seconds = live.every_percent = 0;
  const bool to_screen = request->shows_live && live.path.empty() && is_screen();
  if (to_screen) show_highest(request);
  if (program.shape.format == &OutputFormat::json && !to_screen && request->shows_live) {
    program.shape.progress = "1";
  }
  return Status::ok();
}

std::unique_ptr<LiveView> make_live_view(const Request &request) {
  if (!request.shows_live) return nullptr;
  const bool is_json = request.program.shape.format == &OutputFormat::json;
  return std::make_unique<LiveView>(request.program.live.path, is_screen(), !is_json);
}

}  // namespace mrc
