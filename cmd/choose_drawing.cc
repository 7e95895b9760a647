// Formats that draw the last part of the key along an axis.
#include "cmd/compile.h"
#include "expr/bucket_steps.h"
#include "output/fill.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Refuses options that change which rows there are, or their order.
Status check_rows(const Ask &ask, const std::string &to) {
  const bool has_order = !ask.by.empty() || ask.top >= 0;
  const std::string by = to + ": rows are in the order of the key; leave out " +
                         (ask.by.empty() ? "--top" : "--by"),
                    having = to + " needs all groups; leave out --having",
                    across = to + " spreads the last key; leave out --across",
                    fill = to + " shows buckets without records by itself; leave out --fill",
                    total = to + ": a total would dwarf the others; leave out --total",
                    live = to + ": the axis is known only in the end; leave out --live";
  const Refusal refused[] = {
      {has_order, by.c_str()},
      {!ask.having.empty(), having.c_str()},
      {!ask.across.empty(), across.c_str()},
      {ask.fill.has_value(), fill.c_str()},
      {ask.total, total.c_str()},
      {ask.run.live.is_wanted(), live.c_str()},
  };
  return refuse(refused);
}

void fill_rows(const FieldExpr &key, FillSpec *fill) {
  fill->bucket = key.bucket;
  fill->steps = steps_of(key.bucket.get());
  fill->is_chart = true;
}

}  // namespace

Status choose_drawing(const Ask &ask, const OutputFormat &format, Compiled *compiled) {
  const std::string to = fmt::format("--to {}", format.name);
  if (Status status = check_rows(ask, to); !status.is_ok()) return status;
  RowShape *shape = &compiled->program.shape;
  const std::vector<FieldExpr> &keys = compiled->program.map.fields.keys;
  const bool is_heat = &format == &OutputFormat::heat;
  if (is_heat && keys.size() < 2) {
    return Status::error(to +
                         " needs two keys, of rows and of columns, as in -k "
                         "time:weekday,time:hourofday");
  }
  const bool has_steps = !keys.empty() && steps_of(keys.back().bucket.get()) != nullptr;
  if (!is_heat && !has_steps) {
    return Status::error(to +
                         " needs a bucket of time or of a number as its last key, as in -k "
                         "host,time:hour or -k bytes:1000");
  }
  const std::vector<Column> &columns = compiled->program.aggregation.columns;
  const auto drawn = std::ranges::find(columns, false, &Column::text);
  DrawnAxis axis{.name = shape->key.parts.back().name,
                 .number = drawn->name,
                 .column = drawn - columns.begin(),
                 .bucket = has_steps ? keys.back().bucket : nullptr,
                 .empty = drawn->whole != nullptr ? "0" : ""};
  FillSpec fill{.descending = ask.direction == Ask::Direction::descending,
                .axis = std::make_shared<const DrawnAxis>(std::move(axis))};
  // Buckets of rows are filled, too, if they are the key of rows.
  if (keys.size() == 2 && is_heat) fill_rows(keys[0], &fill);
  shape->fill = std::make_shared<const FillSpec>(std::move(fill));
  shape->pivot = PivotSpec{};
  return Status::ok();
}

}  // namespace mrc
