#include "base/size_text.h"

#include <charconv>

namespace mrc {

std::optional<i64> read_size(std::string_view text) {
  constexpr std::string_view kUnits = "kmgt";
  int shift = 0;
  const size_t unit =
      text.empty() ? kUnits.npos : kUnits.find(static_cast<char>(text.back() | 0x20));
  if (unit != kUnits.npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    text.remove_suffix(1);
  }
  i64 bytes = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, bytes);
  if (error != std::errc() || stop != end || bytes < 0 || bytes > INT64_MAX >> shift) {
    return std::nullopt;
  }
  return bytes << shift;
}

}  // namespace mrc
