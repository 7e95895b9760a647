#include "cmd/messages.h"

#include "output/text.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

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

}  // namespace mrc
