#include "fields/inner/line_forms.h"

#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/wrapper.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {

bool is_json(Bytes line) {
  return line.starts_with('{') && without_blanks_around(line).ends_with('}');
}

bool begins_with_key(Bytes line) {
  const size_t size = line.find_first_of("= \t\"([<");
  return size != Bytes::npos && size > 0 && line[size] == '=';
}

TimeForm form_in(Bytes line) {
  LogPrefix prefix;
  return find_prefix(line, &prefix) ? form_of_time(line.substr(prefix.at)) : TimeForm();
}

namespace {

constexpr size_t kMostForms = 8;

// Returns the form of a record by its beginning.
std::string form_of_front(Bytes line) {
  if (line.starts_with('{')) return "{";
  if (begins_with_key(line)) return "=";
  LogPrefix prefix;
  if (!find_prefix(line, &prefix)) return "";
  const TimeForm form = form_of_time(line.substr(prefix.at));
  return fmt::format("{}{} {}{}", prefix.form(), static_cast<int>(form.shape), form.mark,
                     form.joint);
}

// Returns the form of a record by its beginning, and by the first word after its time.
std::string fine_form_of(Bytes line) {
  LogPrefix prefix;
  if (!find_prefix(line, &prefix)) return form_of_front(line);
  const Bytes time = line.substr(prefix.at, static_cast<size_t>(prefix.time.size));
  const Bytes rest = line.substr(prefix.at + time.size());
  const LogToken token = next_token(rest, {.closers = prefix.closers});
  const bool is_level = token.end != nullptr && is_sure_level(token.content);
  return fmt::format("{} {}{}{}{}", form_of_front(line), time.find(',') != Bytes::npos,
                     without_blanks_in(token.gap), token.open == '\0' ? ' ' : token.open, is_level);
}

// Returns the form of a line; if a record may be inside it, the form of this. A message after a
// time is one only if it is an object.
std::string form_of(Bytes line, Arena *arena) {
  for (const AccessWrapper &wrapper : wrappers()) {
    if (line.starts_with('"')) break;
    const Bytes inner = unwrapped(line, wrapper, arena);
    if (inner.data() == line.data()) continue;
    const bool is_any = Bytes(wrapper.name) == "syslog" || Bytes(wrapper.name) == "timestamps";
    if (!is_any || is_json(inner)) return fmt::format("{}: {}", wrapper.name, form_of_front(inner));
  }
  return form_of_front(line);
}

}  // namespace

std::vector<Division> divide(const Lines &lines, bool finely) {
  Arena arena;
  std::map<std::string, Division> by_form;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string form = finely ? fine_form_of(lines[i]) : form_of(lines[i], &arena);
    Division &of = by_form.try_emplace(form, Division{i}).first->second;
    of.lines.push_back(lines[i]);
  }
  std::vector<Division> divisions;
  for (auto &[form, division] : by_form) divisions.push_back(std::move(division));
  std::ranges::sort(divisions, [](const Division &a, const Division &b) {
    return std::pair(b.lines.size(), a.first) < std::pair(a.lines.size(), b.first);
  });
  if (divisions.size() > kMostForms) divisions.resize(kMostForms);
  return divisions;
}

}  // namespace mrc
