#include "plugin/plugin_aggregate.h"

#include "base/typed_text.h"
#include "plugin/inner/reduction.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

ValueColumn::Kind kind_of(mrc_type type) {
  return type == MRC_INTEGER ? ValueColumn::Kind::integer
         : type == MRC_REAL  ? ValueColumn::Kind::real
                             : ValueColumn::Kind::text;
}

}  // namespace

Status add_plugin_aggregate(const Plugin &plugin, const Reducer &reducer, std::string_view text,
                            const Clock &clock, const NumberStyle &style,
                            std::vector<ValueColumn> *values, Aggregation *aggregation) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view field_text = text.substr(std::min(colon + 1, text.size()));
  if (reducer.value_count > 1) {
    return Status::error(fmt::format("{} takes {} values at a time: it is for jobs of its plugin",
                                     reducer.name, reducer.value_count));
  }
  if (reducer.value_count == 0 && !field_text.empty()) {
    return Status::error(fmt::format("{} looks at no field", reducer.name));
  }
  if (reducer.value_count == 1 && field_text.empty()) {
    return Status::error(fmt::format("{0} needs a field, as in {0}:bytes", reducer.name));
  }
  Reduction reduction{
      .reducer = &reducer,
      .value = std::ssize(*values),
      .style = style,
      .place = {.plugin = plugin.path().c_str(), .what = "reducer", .name = reducer.name}};
  aggregation->counts_records |= reducer.value_count == 0;
  if (reducer.value_count > 0) {
    Result<FieldExpr> field = parse_field(field_text, clock);
    if (!field.is_ok()) return field.status();
    values->push_back({kind_of(reducer.values[0]), *field});
  }
  if (keeps_values(reducer)) {  // a record has one value: its position orders them
    reduction.position = std::ssize(*values);
    values->insert(values->end(), 2, ValueColumn{ValueColumn::Kind::position, {}});
  }
  const size_t before = aggregation->columns.size();
  add_reduction(reduction, aggregation);
  const std::string called = without_quotes(text);
  const bool only = aggregation->columns.size() == before + 1;
  for (size_t i = before; i < aggregation->columns.size(); ++i) {
    std::string *name = &aggregation->columns[i].name;
    *name = only ? called : fmt::format("{}.{}", called, *name);
  }
  return Status::ok();
}

}  // namespace mrc
