#include "kept/inner/missing_units.h"

#include "base/setting_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <vector>

namespace mrc {
namespace {

// Lists the numbers as "3-7, 9"; shortens the list if there are many gaps.
std::string numbers_missing(const std::set<i64> &there, i64 units) {
  constexpr size_t kShown = 20;
  std::vector<std::string> gaps;
  i64 next = 0, shown = 0;
  const auto end_gap = [&](i64 end) {
    const i64 last = end - 1, begin = next;
    next = end + 1;
    if (last < begin || gaps.size() == kShown) return;
    gaps.push_back(last == begin ? fmt::format("{}", begin) : fmt::format("{}-{}", begin, last));
    shown += end - begin;
  };
  for (const i64 number : there) end_gap(number);
  end_gap(units);
  const i64 more = units - std::ssize(there) - shown;
  return fmt::format("{}{}", fmt::join(gaps, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string consequence(bool is_one, Absence absence) {
  const char *is = is_one ? "is" : "are", *it = is_one ? "it" : "them";
  if (absence == Absence::unknown) {
    return fmt::format("{} no states in these partitions, or {} missing", is_one ? "has" : "have",
                       is);
  }
  if (absence == Absence::wanted) return fmt::format("{} missing and left out", is);
  return fmt::format("{} missing; map {}, or leave {} out with {}", is, it, it,
                     setting_name("partial-ok"));
}

}  // namespace

std::string describe_missing(const std::set<i64> &there, i64 units, Absence absence) {
  const i64 missing = units - std::ssize(there);
  if (missing <= 0) return "";
  return fmt::format("{} {} of its list of {} {}", missing == 1 ? "unit" : "units",
                     numbers_missing(there, units), units, consequence(missing == 1, absence));
}

}  // namespace mrc
