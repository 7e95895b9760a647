#include "fields/inner/log_members.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "fields/inner/log_level.h"
#include "fields/timestamp.h"

#include <algorithm>

namespace mrc {
namespace {

bool has(const std::vector<std::string> &names, Bytes name) {
  return std::ranges::any_of(
      names, [&](const std::string &one) { return one == name || without_quotes(one) == name; });
}

bool is_time(Bytes value) {
  const Timestamp found = find_timestamp(value);
  return found.size == std::ssize(value) && found.shape != TimeShape::none &&
         found.shape != TimeShape::clock && found.shape != TimeShape::uptime;
}
bool is_level(Bytes value) {
  return is_log_level(value) || (is_digits(value) && value.size() <= 2);
}

// True if nine tenths of the values of a field fit, and there is a value.
bool most_values(const Dialect &dialect, const std::string &path, const InputHead &input,
                 bool (*fits)(Bytes)) {
  const std::vector<FieldName> wanted = {{path}};
  const std::unique_ptr<RecordBatch> batch = first_records(dialect, wanted, input);
  if (batch == nullptr) return false;
  i64 present = 0, agreeing = 0;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes value = batch->fields[0][i];
    if (value.empty()) continue;
    ++present;
    agreeing += fits(value);
  }
  return present > 0 && agreeing * 10 >= present * 9;
}

}  // namespace

std::vector<std::string> words_in(Bytes text) {
  std::vector<std::string> words;
  while (!(text = without_blanks_around(text)).empty()) {
    const size_t size = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return words;
}

std::vector<JsonAlias> aliases_of(const NamedFormat &row) {
  std::vector<JsonAlias> aliases;
  for (const std::string &word : words_in(row.rule)) {
    const size_t sign = word.find('=');
    aliases.push_back({word.substr(0, sign), word.substr(sign + 1)});
  }
  return aliases;
}

bool has_log_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input) {
  const std::vector<JsonAlias> aliases = aliases_of(row);
  const auto finds = [&](Bytes name, bool (*fits)(Bytes)) {
    if (has(dialect.names, name)) return false;
    return std::ranges::any_of(aliases, [&](const JsonAlias &alias) {
      return alias.name == name && has(dialect.names, alias.path) &&
             most_values(dialect, alias.path, input, fits);
    });
  };
  return finds("time", is_time) || finds("level", is_level);
}

}  // namespace mrc
