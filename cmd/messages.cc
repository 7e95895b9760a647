#include "cmd/messages.h"

#include "base/text.h"
#include "output/encode.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

namespace mrc {
namespace {

// Formats %*: the message, escaped.
class VisibleMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg &message, const std::tm &,
              spdlog::memory_buf_t &out) override {
    const std::string text = visible({message.payload.data(), message.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<VisibleMessage>();
  }
};

}  // namespace

void begin_messages() {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("mrc", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<VisibleMessage>('*').set_pattern("mrc: %l: %*");
  spdlog::set_formatter(std::move(formatter));
}

void say_info(const std::string &message) { spdlog::info("{}", message); }
void say_warning(const std::string &message) { spdlog::warn("{}", message); }
void say_error(const std::string &message) { spdlog::error("{}", message); }

std::string visible(const std::string &text) {
  std::string escaped;
  append_visible(text, &escaped);
  return escaped;
}

void note_terminal(const Job &job, bool quiet, const std::vector<std::string> &inputs) {
  const bool reads_stdin = std::find(inputs.begin(), inputs.end(), "-") != inputs.end();
  if (!reads_stdin || quiet || isatty(STDIN_FILENO) == 0) return;
  const char *const kind = find_verb(job.verb)->operand;
  std::string taken;
  for (const std::string &operand : job.operands) {
    if (*kind == '\0' || access(operand.c_str(), F_OK) != 0) continue;
    taken = fmt::format("; the file \"{}\" was taken for {}", operand, kind);
  }
  say_info(fmt::format("reading standard input from a terminal; end it with Ctrl-D{}", taken));
}

namespace {

constexpr i64 kUsualWidth = 80, kUsualLines = 24;
constexpr i64 kOtherLines = 3;  // the header of a table, and the line below the rows

struct Screen {
  i64 width = kUsualWidth, lines = kUsualLines;
};

Screen screen() {
  winsize size{};
  const bool is_known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  return is_known ? Screen{size.ws_col, size.ws_row} : Screen{};
}

// The character or escape sequence at the front of a text: its bytes, and its width.
struct Piece {
  size_t bytes;
  i64 width;
};
Piece first_piece(Bytes text) {
  if (text.starts_with("\x1b[")) {
    const size_t end = text.find_first_of("mK", 2);
    return {end == text.npos ? text.size() : end + 1, 0};
  }
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<u8>(text[bytes]) & 0xC0) == 0x80) ++bytes;
  return {bytes, 1};
}

// Returns text such as "43 %, 1.2 GiB, 12 s".
std::string describe_coverage(const Coverage &of, double seconds) {
  if (of.bytes == 0) return fmt::format("{:.0f} s", seconds);
  std::string text = of.share ? fmt::format("{:.0f} %, ", std::floor(100 * *of.share)) : "";
  const double mib = static_cast<double>(of.bytes) / (1 << 20);
  text += mib < 1024 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
  return text + fmt::format(", {:.0f} s", seconds);
}

}  // namespace

i64 lines_on(Bytes text, i64 width) {
  i64 lines = 0;
  for (size_t end; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size() - 1) + 1;
    i64 characters = 0;
    for (Bytes line = text.substr(0, end - 1); !line.empty();) {
      const Piece piece = first_piece(line);
      characters += piece.width;
      line.remove_prefix(piece.bytes);
    }
    lines += std::max<i64>(1, (characters + width - 1) / width);
  }
  return lines;
}

std::string fit_in(Bytes text, i64 width, i64 lines) {
  std::string fitting;
  for (i64 line = 0, column = 0; !text.empty() && line < lines;) {
    const Piece piece = first_piece(text);
    const bool is_end = text.front() == '\n';
    if (is_end || piece.width == 0 || column < width) fitting += text.substr(0, piece.bytes);
    column = is_end ? 0 : column + piece.width;
    line += is_end;
    text.remove_prefix(piece.bytes);
  }
  return fitting;
}

LiveView::LiveView(std::string path, bool on_terminal, bool empty_lines)
    : path_(std::move(path)), on_terminal_(on_terminal), empty_lines_(empty_lines) {}

Room LiveView::room() const {
  if (!path_.empty() || !on_terminal_) return {};
  const Screen now = screen();
  return {std::max<i64>(1, now.lines - kOtherLines - 1), now.width};
}

void LiveView::show(const Interim &interim) {
  if (!path_.empty()) return replace_file(interim);
  const std::lock_guard lock(mutex_);
  if (on_terminal_) return draw(interim);
  if (!output_) {
    Result<std::unique_ptr<OutputFile>> output = OutputFile::open("-");
    output_ = std::move(*output);
  }
  // The job itself notices that the reader has left.
  const Status status = output_->write(interim.text + (empty_lines_ ? "\n" : ""));
  if (!status.is_ok()) warn(status.message());
}

void LiveView::replace_file(const Interim &interim) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::open(path_);
  Status status = file.is_ok() ? (*file)->write(interim.text) : file.status();
  if (status.is_ok()) status = (*file)->commit();
  if (!status.is_ok()) warn("--live-to: " + status.message());
}

// The job continues. A message is not repeated, because each answer would fail alike.
void LiveView::warn(const std::string &message) {
  if (std::exchange(warned_, message) != message) say_warning(message);
}

void LiveView::draw(const Interim &interim) {
  const Screen now = screen();
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const std::string lines = fit_in(interim.text, now.width, now.lines - 2);
  const std::string last = fit_in(describe_coverage(interim.of, seconds) + "\n", now.width, 1);
  const i64 up = lines_on(drawn_, now.width);
  std::string text = up > 0 ? fmt::format("\x1b[{}A\r\x1b[J", up) : "";
  text += lines + last;
  drawn_ = lines + last;
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) drawn_.clear();
}

void LiveView::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_.empty()) return;
  const std::string text = fmt::format("\x1b[{}A\r\x1b[J", lines_on(drawn_, screen().width));
  drawn_.clear();
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) return;
}

namespace {

constexpr auto kPatience = std::chrono::milliseconds(1000);  // shorter runs need no line
constexpr auto kInterval = std::chrono::milliseconds(200);

JobProgress *published = nullptr;

}  // namespace

void publish_progress(JobProgress *progress) { published = progress; }

// There is no progress line if interim answers are drawn on the terminal, because these show the
// progress.
Progress::Progress(const Compiled &compiled)
    : live_(make_live_view(compiled)), is_quiet_(compiled.reporting.quiet) {
  const When when = compiled.reporting.progress;
  const bool is_drawn = live_ && live_->room().rows >= 0;
  wanted_ = !is_quiet_ && !is_drawn &&
            (when == When::always || (when == When::automatic && isatty(STDERR_FILENO) != 0));
  next_ = start_ + (when == When::always ? kInterval : kPatience);
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
  if (published != nullptr) {
    published->bytes = bytes;
    published->total = total;
  }
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
