// Rows that depend on all rows: those for buckets that no record has, and columns for the values of
// a field.
#include "base/number.h"
#include "cmd/compile.h"
#include "expr/bucket_steps.h"
#include "output/fill.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Reads a number, or "" for missing results.
Status set_fill(Ask *ask, const std::string &value) {
  Arena wide;
  std::string number;
  if (!value.empty()) append_number(parse_any_number(value, &wide), &number);
  if (number.empty() && !value.empty()) {
    return Status::error(
        fmt::format("needs a number such as 0, or '' for missing results; {} is "
                    "neither",
                    value));
  }
  ask->fill = number;
  return Status::ok();
}

Status set_across(Ask *ask, const std::string &value) {
  ask->reads_fields = true;
  ask->across = value;
  return value.empty() ? Status::error("needs the name or number of a field") : Status::ok();
}

}  // namespace

constinit const Option kFillOption = {
    "--fill", "VALUE",  "print VALUE for buckets between others that no record has",
    nullptr,  set_fill, Effect::answer};
constinit const Option kAcrossOption = {
    "--across", "FIELD",    "print a row for each key, and a column for each value of FIELD",
    nullptr,    set_across, Effect::state,
    false,      true};

namespace {

// Charts have rows for buckets that no record has, if rows are in the order of the key, and it is a
// bucket with steps. Counts are 0 there, and other results are missing.
void fill_chart(const Ask &ask, Compiled *compiled) {
  RowShape *shape = &compiled->program.shape;
  const std::vector<FieldExpr> &keys = compiled->program.map.fields.keys;
  const bool is_by_key = ask.by.empty() && ask.top < 0;
  const bool has_all = ask.having.empty() && !ask.total && !ask.run.live.is_wanted();
  const bool is_bars = shape->format->draws && !shape->format->spreads;
  if (!is_bars || !is_by_key || !has_all || keys.size() != 1) return;
  const BucketSteps *steps = steps_of(keys[0].bucket.get());
  if (steps == nullptr) return;
  const std::vector<Column> &columns = compiled->program.aggregation.columns;
  const auto drawn = std::ranges::find(columns, false, &Column::text);
  shape->fill =
      std::make_shared<const FillSpec>(FillSpec{.bucket = keys[0].bucket,
                                                .steps = steps,
                                                .number = drawn->whole != nullptr ? "0" : "",
                                                .descending = compiled->program.order.descending,
                                                .is_chart = true});
}

}  // namespace

Status choose_fill(const Ask &ask, Compiled *compiled) {
  if (!ask.fill) {
    fill_chart(ask, compiled);
    return Status::ok();
  }
  const Refusal refused[] = {
      {!ask.by.empty(), "--fill, --by: filled rows are in the order of the key"},
      {ask.top >= 0, "--fill, --top: buckets are filled between the first and the last"},
      {!ask.having.empty(), "--fill, --having: it would fill groups that are left out"},
      {ask.head > 0, "--fill, --head: records of groups cannot be filled"},
      {ask.total, "--fill, --total: leave one of them out"},
      {ask.run.live.is_wanted(), "--fill, --live: interim answers are not filled"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  RowShape *shape = &compiled->program.shape;
  const std::vector<FieldExpr> &keys = compiled->program.map.fields.keys;
  const auto end = keys.end() - (shape->pivot ? 1 : 0);
  const auto key = std::find_if(keys.begin(), end, [](const FieldExpr &each) {
    return steps_of(each.bucket.get()) != nullptr;
  });
  if (shape->pivot) shape->pivot->number = *ask.fill;
  if (key != end) {
    shape->fill = std::make_shared<const FillSpec>(
        FillSpec{.bucket = key->bucket,
                 .steps = steps_of(key->bucket.get()),
                 .part = key - keys.begin(),
                 .number = *ask.fill,
                 .descending = compiled->program.order.descending});
  } else if (!shape->pivot) {
    return Status::error(
        "--fill needs a key in steps of time or of a number, as in -k time:hour or -k bytes:1000");
  }
  return Status::ok();
}

Status choose_across(const Ask &ask, Compiled *compiled) {
  if (ask.across.empty()) return Status::ok();
  RowShape *shape = &compiled->program.shape;
  const Refusal refused[] = {
      {!ask.by.empty(),
       "--across, --by: rows are in the order of the key; sort them with mrc sort -f csv -k "
       "COLUMN"},
      {ask.top >= 0,
       "--across, --top: rows are in the order of the key; sort them with mrc sort -f csv --top N "
       "-k COLUMN"},
      {!ask.having.empty(),
       "--across, --having: it is for rows without columns of values; use mrc select -w"},
      {ask.head > 0, "--across, --head: records of groups have no columns"},
      {ask.total, "--across, --total: leave one of them out"},
      {ask.run.live.is_wanted(), "--across, --live: columns are known only in the end"},
      {ask.run.hands_over,
       "--across: its columns, which the next stage has to know, are known only in the end; use a "
       "pipe: mrc ... --to csv | mrc ..."},
      {shape->format->draws, "--across, --to bars: bars show one column; use --to table"},
      {shape->format == &OutputFormat::uniq,
       "--across, --to uniq: it shows one column; use --to table"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  shape->pivot = PivotSpec();
  shape->header = ask.display.header != When::never;
  return Status::ok();
}

}  // namespace mrc
