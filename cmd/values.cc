#include "cmd/values.h"

#include "base/typed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

std::errc parse_whole(std::string_view text, i64 *value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

}  // namespace

Status parse_integer(const std::string &text, i64 least, i64 most, i64 *value) {
  const std::errc error = parse_whole(text, value);
  if (error == std::errc::invalid_argument) {
    return Status::error(fmt::format("\"{}\" is not a whole number", text));
  }
  if (error != std::errc() || *value < least || *value > most) {
    return Status::error(fmt::format("{} is not between {} and {}", text, least, most));
  }
  return Status::ok();
}

Status parse_size(const std::string &text, i64 *bytes) {
  const std::optional<i64> size = read_size(text);
  const size_t digits = text.find_first_not_of("0123456789");
  const bool has_unit =
      !text.empty() && digits + 1 == text.size() && read_size("1" + text.substr(digits));
  if (!size && !text.empty() && (digits == text.npos || (digits > 0 && has_unit))) {
    return Status::error(fmt::format("{} is more than {}T", text, INT64_MAX >> 40));
  }
  if (!size || *size < 1) {
    return Status::error(fmt::format("\"{}\" is not a size such as 4096, 64K or 2M", text));
  }
  *bytes = *size;
  return Status::ok();
}

Status parse_seconds(const std::string &text, double *seconds) {
  constexpr int kMostSeconds = 86400;
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string_view unit(end);
  const bool is_time = end != text.c_str() && (unit == "s" || unit == "ms");
  const double scaled = unit == "ms" ? value / 1000 : value;
  if (!is_time || !(scaled > 0) || scaled > kMostSeconds) {
    return Status::error(
        fmt::format("\"{}\" is no time such as 5s or 500ms, at most {}s", text, kMostSeconds));
  }
  *seconds = scaled;
  return Status::ok();
}

Status parse_byte(const std::string &text, char *byte) {
  static constexpr std::string_view kLetters = "t0nrvf\\", kBytes("\t\0\n\r\v\f\\", 7);
  *byte = text.empty() ? '\0' : text.back();
  if (text.size() == 1) return Status::ok();
  const size_t letter = text.size() == 2 && text[0] == '\\' ? kLetters.find(text[1]) : text.npos;
  if (letter == text.npos) {
    return Status::error(fmt::format("\"{}\" is not one byte, such as , or \\t", text));
  }
  *byte = kBytes[letter];
  return Status::ok();
}

Status parse_names(const std::string &text, std::vector<std::string> *names) {
  Result<std::vector<std::string>> split = split_names(text);
  if (split.is_ok()) *names = std::move(*split);
  return split.status();
}

std::optional<bool> parse_header(const std::string &text) {
  return text == "auto" ? std::nullopt : std::optional(text == "yes");
}

When parse_when(const std::string &text, const std::string &yes) {
  if (text == "auto") return When::automatic;
  return text == yes ? When::always : When::never;
}

Status set_direction(Ask *ask, Ask::Direction direction) {
  if (ask->direction != Ask::Direction::natural && ask->direction != direction) {
    return Status::error("--asc and --desc cannot be used together");
  }
  ask->direction = direction;
  return Status::ok();
}

Status set_words(Ask *ask, const std::string &value) {
  ask->words = value == "alpha" ? Words::alpha : value == "blank" ? Words::blank : Words::word;
  return Status::ok();
}

}  // namespace mrc
