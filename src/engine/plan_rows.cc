// Leaves out rows of a collection by numbers for which the program's condition cannot hold,
// whatever the other columns have. The collection tests the numbers, and hands over fewer rows. The
// condition is tested for these as for others, so the answer stays the same. Messages count these
// rows only.
#include "engine/inner/plan_steps.h"
#include "expr/field_bounds.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Rows with larger numbers are always read, since BoundsBuilder knows no extent of all of these.
constexpr i64 kFar = i64{1} << 57;

void add_number(i64 number, BoundsBuilder *builder) {
  const std::string digits = std::to_string(number);
  std::string text = digits;
  text.append(kPadding, '\0');
  builder->add(Bytes(text).substr(0, digits.size()));
}

// True if the condition holds for no row whose value of the field is a number within these, and
// notes nothing there.
bool rules_out(const Filter &filter, size_t field, i64 least, i64 most) {
  BoundsBuilder builder(true, nullptr, false);
  add_number(least, &builder);
  add_number(most, &builder);
  const FieldBounds bounds = builder.take();
  std::vector<const FieldBounds *> page(filter.fields().size());
  page[field] = &bounds;
  const Outlook outlook = filter.outlook(page);
  return !outlook.holds && !outlook.notes;
}

// Returns the last number from `first` on, towards `end`, for which `is_out` is true of all from
// `first` to it. REQUIRES: it is true of the first
template <typename IsOut>
i64 last_out(i64 first, i64 end, IsOut is_out) {
  if (is_out(end)) return end;
  while (first + 1 < end || end + 1 < first) {
    const i64 middle = first + (end - first) / 2;
    (is_out(middle) ? first : end) = middle;
  }
  return first;
}

void leave_out_rows(const Filter &filter, size_t field, size_t column,
                    std::vector<Collection::Numbers> *all) {
  const auto below = [&](i64 most) { return rules_out(filter, field, -kFar, most); };
  const auto above = [&](i64 least) { return rules_out(filter, field, least, kFar); };
  if (below(-kFar)) all->push_back({column, -kFar, last_out(-kFar, kFar, below)});
  if (above(kFar)) all->push_back({column, last_out(kFar, -kFar, above), kFar});
}

std::string describe_rows(const Collection &collection, const Collection::Numbers &numbers) {
  const std::string &column = collection.columns()[numbers.column];
  return numbers.least == -kFar ? fmt::format("{} <= {}", column, numbers.most)
                                : fmt::format("{} >= {}", column, numbers.least);
}

}  // namespace

std::vector<Collection::Numbers> numbers_left_out(const Program &program,
                                                  const Collection &collection,
                                                  const Source &source, Plan *plan) {
  std::vector<Collection::Numbers> all;
  const bool selects = program.map.records == MapSpec::Records::fields && program.map.fields.filter;
  if (!selects || program.join || !collection.leaves_out_rows()) return all;
  if (!reason_against_pages(program).empty()) return all;
  const Filter &filter = *program.map.fields.filter;
  const std::vector<FieldName> fields = filter.fields();
  const std::vector<std::string> &columns = collection.columns();
  for (size_t i = 0; i < fields.size(); ++i) {
    const bool is_looked_up = std::ranges::any_of(
        program.lookups, [&](const Lookup &lookup) { return lookup.has(fields[i]); });
    const auto column = std::ranges::find(columns, fields[i].text);
    if (is_looked_up || fields[i].number != -1 || column == columns.end()) continue;
    leave_out_rows(filter, i, static_cast<size_t>(column - columns.begin()), &all);
  }
  for (const Collection::Numbers &numbers : all) {
    plan->decisions.push_back({"rows", "not read where " + describe_rows(collection, numbers),
                               "the condition cannot hold in " + source.name()});
  }
  return all;
}

}  // namespace mrc
