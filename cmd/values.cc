#include "cmd/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

std::errc parse_whole(std::string_view text, i64 *value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

std::vector<std::string> split_list(const std::string &list) {
  std::vector<std::string> items;
  for (size_t at = 0; at <= list.size();) {
    size_t comma = std::min(list.find(',', at), list.size());
    items.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return items;
}

// The index of a column: -1 is the key, 0 and on are those of the aggregation.
Status find_column(const Job &job, const std::string &name, i64 *column) {
  std::vector<std::string> names = {job.shape.key_name};
  for (const Column &one : job.aggregation.columns) names.push_back(one.name);
  auto found = std::find(names.begin(), names.end(), name);
  *column = found - names.begin() - 1;
  if (found != names.end()) return Status::ok();
  return Status::error(fmt::format("--by: no column \"{}\"{}; there are {}", name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

Status parse_integer(const std::string &text, i64 least, i64 most, i64 *value) {
  const std::errc error = parse_whole(text, value);
  if (error == std::errc::invalid_argument) {
    return Status::error(fmt::format("\"{}\" is not a whole number", text));
  }
  if (error != std::errc() || *value < least || *value > most) {
    return Status::error(most == INT64_MAX
                             ? fmt::format("{} is out of range: {} or more", text, least)
                             : fmt::format("{} is not between {} and {}", text, least, most));
  }
  return Status::ok();
}

Status parse_size(const std::string &text, i64 *bytes) {
  std::string_view digits = text;
  const std::string_view units = "KMGT";
  int shift = 0;
  if (!digits.empty()) {
    size_t unit = units.find(static_cast<char>(digits.back() & ~0x20));
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<int>(unit) + 1);
      digits.remove_suffix(1);
    }
  }
  if (parse_whole(digits, bytes) != std::errc() || *bytes < 1 || *bytes > INT64_MAX >> shift) {
    return Status::error(fmt::format("\"{}\" is not a size such as 4096, 64K or 2M", text));
  }
  *bytes <<= shift;
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

Request::When parse_when(const std::string &text, const std::string &yes) {
  if (text == "auto") return Request::When::automatic;
  return text == yes ? Request::When::always : Request::When::never;
}

Status set_direction(Request *request, Request::Direction direction) {
  if (request->direction != Request::Direction::natural && request->direction != direction) {
    return Status::error("--asc and --desc exclude each other");
  }
  request->direction = direction;
  return Status::ok();
}

// Rows are ordered by the first column, then by key: a second column can only say
// that, and a key before it leaves nothing to decide.
Status choose_order(Request *request) {
  Order *order = &request->job.order;
  const bool top = order->limit >= 0, counted = !request->job.aggregation.columns.empty();
  const std::string by = !request->by.empty() ? request->by
                         : top && counted     ? request->job.aggregation.columns[0].name
                                              : request->job.shape.key_name;
  std::vector<i64> columns;
  for (const std::string &name : split_list(by)) {
    if (Status status = find_column(request->job, name, &columns.emplace_back()); !status.is_ok()) {
      return status;
    }
  }
  order->column = columns[0];
  const bool number = order->column >= 0;
  order->descending = request->direction == Request::Direction::natural
                          ? number
                          : request->direction == Request::Direction::descending;
  const bool key_named = std::find(columns.begin(), columns.end(), -1) != columns.end();
  order->ties_descending = key_named && request->direction == Request::Direction::descending;
  return Status::ok();
}

}  // namespace mrc
