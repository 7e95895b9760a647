#include "baselines.h"

#include <map>
#include <string_view>

void string_match(const Arguments &arguments) {
  const std::string text = read_file(arguments[0]);
  Arguments keys(arguments.begin() + 1, arguments.end());
  if (keys.empty()) keys = {"Helloworld", "howareyou", "ferrari", "whotheman"};
  std::map<std::string_view, long> counts;
  for (const std::string &key : keys) counts[key] = 0;
  const char *const end = text.data() + text.size();
  for (const char *line = text.data(); line < end;) {
    const void *found = std::memchr(line, '\n', static_cast<size_t>(end - line));
    const char *const next = found == nullptr ? end : static_cast<const char *>(found);
    const std::string_view word(line, static_cast<size_t>(next - line));
    for (const std::string &key : keys) {
      if (word == key) ++counts[key];
    }
    line = next + 1;
  }
  for (const auto &[key, count] : counts) {
    std::printf("%.*s\t%ld\n", static_cast<int>(key.size()), key.data(), count);
  }
}
