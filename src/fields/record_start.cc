#include "fields/record_start.h"

#include "base/setting_name.h"
#include "base/text.h"
#include "fields/inner/named_formats.h"
#include "regex/regex.h"

#include <fmt/format.h>

namespace mrc {

Result<LineGroups> groups_started_by(const std::string &regex, char terminator) {
  Result<std::unique_ptr<Regex>> compiled = Regex::compile(regex, {});
  if (!compiled.is_ok()) {
    return compiled.status().within(fmt::format("{} \"{}\"", setting_name("record-start"), regex));
  }
  const std::shared_ptr<const Regex> start = std::move(*compiled);
  return LineGroups{[start](Bytes head) { return start->matches(without_byte_order_mark(head)); },
                    terminator};
}

bool may_start_records(const LineFormat &format) {
  const NamedKind *kind = format.row == nullptr ? nullptr : format.row->kind;
  const bool has_headers = kind == &kHeadedKind || kind == &kFlowKind;
  const bool knows_its_own = has_headers || kind == &kSlowQueriesKind || kind == &kJournalKind;
  return !format.quoted && !format.paths && !format.one_line && !knows_its_own;
}

std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups) {
  std::string starts;
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end;) {
    const LineGroups::Found found = groups.first(begin, end, end, true);
    const char *stop = found.cut == nullptr ? end : found.cut + 1;
    if (found.cut == nullptr && !whole && !starts.empty()) break;  // its first line may continue
    const Bytes record(begin, static_cast<size_t>(stop - begin));
    starts += record.substr(0, record.find(groups.terminator));
    starts += groups.terminator;
    begin = stop;
  }
  return starts;
}

}  // namespace mrc
