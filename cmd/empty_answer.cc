#include "cmd/empty_answer.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool has_rows(const Program &program, const Report &report) {
  if (program.transform) return report.records > 0 || program.transform->terms().asks_whether;
  return report.rows > 0;
}

}  // namespace

std::string reason_of_empty_answer(const Compiled &compiled, const Report &report) {
  const Program &program = compiled.program;
  if (has_rows(program, report) || report.abandoned) return "";
  if (report.dropped_keys > 0) {
    return fmt::format("the answer is empty: {} holds for none of {} groups",
                       setting_name("having"), report.dropped_keys);
  }
  const i64 records = std::max(report.read_records, report.used_records);
  if (records == 0) {
    const bool has_none = report.bad_records == 0 && !compiled.is_fed;
    return has_none ? "the answer is empty: the input has no records" : "";
  }
  if (report.used_records > 0 || !program.map.fields.filter) return "";
  return fmt::format("the answer is empty: none of {} records fits {}, {} or {}", records,
                     setting_name("where"), setting_name("since"), setting_name("until"));
}

}  // namespace mrc
