#include "cmd/report/client_rows.h"

#include "base/row_text.h"
#include "cmd/report/row_values.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Returns how many sessions there are.
i64 take_sessions(std::string_view list, std::string *pages) {
  if (!list.starts_with('[')) return number_of(list);
  i64 sessions = 0;
  for (const std::string_view page : values_of(list)) {
    if (page.empty()) continue;  // the list is empty
    ++sessions;
    if (page == "null") continue;
    append_row_value(text_of_json(page), pages);
    pages->push_back('\n');
  }
  return sessions;
}

}  // namespace

void sum_up_clients(std::string *rows, std::string *pages) {
  std::string_view left = *rows;
  i64 sessions = 0;
  for (size_t end; (end = left.find('\n')) != left.npos; left.remove_prefix(end + 1)) {
    sessions += take_sessions(values_of(left.substr(0, end)).back(), pages);
  }
  *rows = fmt::format("[\"\",{}]\n{}", sessions, left);
}

}  // namespace mrc
