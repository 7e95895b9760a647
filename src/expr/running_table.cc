// All running functions, and what each keeps of the records of a group.
#include "base/arithmetic.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "expr/inner/running_state.h"
#include "kinds/time_text.h"

#include <algorithm>

namespace mrc {
namespace {

using Gives = RunningFunction::Gives;
using Takes = RunningFunction::Takes;
using Value = RunningFunction::Value;

std::unique_ptr<RunningState> make_row(const RunningField &) {
  return make_state<i64>(
      [](const RunningRecords &, size_t, i64 *rows, RunningOut *out) { out->put(whole(++*rows)); });
}

// Keeps nothing of the records.
template <typename Rule>
class Stateless : public RunningState {
 public:
  explicit Stateless(Rule rule) : rule_(std::move(rule)) {}
  void fill(const RunningRecords &records, RunningOut *out) override {
    for (size_t i = 0; i < records.groups.size(); ++i) rule_(records, i, out);
  }
  i64 used_bytes() const override { return 0; }

 private:
  Rule rule_;
};

template <typename Rule>
std::unique_ptr<RunningState> make_stateless(Rule rule) {
  return std::make_unique<Stateless<Rule>>(std::move(rule));
}

std::unique_ptr<RunningState> make_group(const RunningField &) {
  return make_stateless([](const RunningRecords &in, size_t i, RunningOut *out) {
    out->put(whole(i64{in.groups[i]} + 1));
  });
}

// Each group is one stretch of records, so that the record meant is in the group or is not there.
std::unique_ptr<RunningState> make_lead(const RunningField &field) {
  const size_t distance = static_cast<size_t>(field.records);
  return make_stateless([distance](const RunningRecords &in, size_t i, RunningOut *out) {
    const size_t own = in.groups.size(), later = i + distance;
    if (later >= own + in.later_groups.size()) return out->put_missing();
    const u32 group = later < own ? in.groups[later] : in.later_groups[later - own];
    const Bytes text = in.values.texts[later];
    if (group != in.groups[i] || text.data() == nullptr) return out->put_missing();
    out->put(text, in.values.marks[later]);
  });
}

std::unique_ptr<RunningState> make_lag(const RunningField &field) {
  const size_t distance = static_cast<size_t>(field.records);
  return make_state<LastTexts>(
      [distance](const RunningRecords &in, size_t i, LastTexts *last, RunningOut *out) {
        EarlierText &oldest = last->oldest(distance);
        put_text(oldest, out);
        last->replace(&oldest, in.values.texts[i], in.values.marks[i]);
      });
}

std::unique_ptr<RunningState> make_first(const RunningField &) {
  struct Group {
    bool has_begun = false;
    EarlierText text;
    i64 grown_bytes() { return text.grown_bytes(); }
  };
  return make_state<Group>([](const RunningRecords &in, size_t i, Group *group, RunningOut *out) {
    if (!std::exchange(group->has_begun, true)) keep_text(in, i, &group->text);
    put_text(group->text, out);
  });
}

std::unique_ptr<RunningState> make_fill(const RunningField &) {
  return make_state<EarlierText>(
      [](const RunningRecords &in, size_t i, EarlierText *last, RunningOut *out) {
        if (!is_absent(in.values.texts[i])) keep_text(in, i, last);
        put_text(*last, out);
      });
}

// Records in order are stretches with equal values, which are numbered: by the first record of
// each, or one by one. Numbers are compared as such, and text by its bytes.
struct Stretches {
  EarlierText text;
  EarlierNumber number;
  i64 rows = 0, rank = 0;
  int direction = 0;  // of the order: 1 ascending, -1 descending, 0 not known yet

  i64 grown_bytes() { return text.grown_bytes(); }
};

// Returns how the value compares with that of the record before, and keeps it.
int compare_and_keep(const RunningRecords &in, size_t i, bool are_numbers, Stretches *group,
                     Arena *wide) {
  const Bytes text = in.values.texts[i];
  const Number number = are_numbers ? parse_number(text, wide) : kNoNumber;
  const Number before = group->number.get();
  const bool has_both = is_number(number) && is_number(before);
  const int order = has_both ? order_of_numbers(number, before) : text.compare(group->text.get());
  group->number.set(number);
  if (order != 0 || group->rows == 0) keep_text(in, i, &group->text);
  return order;
}

template <bool kDense>
std::unique_ptr<RunningState> make_rank(const RunningField &field) {
  const ValueKind kind = field.value.computed->kind().kind;
  const bool are_numbers = kind == ValueKind::number;
  const bool is_checked = are_numbers || kind == ValueKind::text;
  return make_state<Stretches>(
      [=](const RunningRecords &in, size_t i, Stretches *group, RunningOut *out) {
        const int order = compare_and_keep(in, i, are_numbers, group, out->arena());
        const bool is_new = group->rows++ == 0 || order != 0;
        if (is_new) group->rank = kDense ? group->rank + 1 : group->rows;
        const int direction = (order > 0) - (order < 0);
        if (group->rows > 1 && group->direction == 0) group->direction = direction;
        if (is_checked && group->rows > 1 && direction == -group->direction && direction != 0) {
          out->note(in.values.texts[i], "ranks are of records in order, and this one goes back");
          return out->put_missing();
        }
        out->put(whole(group->rank));
      });
}

std::unique_ptr<RunningState> make_delta(const RunningField &) {
  return make_state<EarlierNumber>(
      [](const RunningRecords &in, size_t i, EarlierNumber *last, RunningOut *out) {
        const Number number = in.values.numbers[i], before = last->get();
        const bool has_both = is_number(number) && is_number(before);
        has_both ? out->put(subtract(number, before, out->arena())) : out->put_missing();
        last->set(number);
      });
}

constexpr char kOfFrame[] = "(VALUE, RECORDS or SPAN or all[, TIME])";

constexpr RunningFunction kRunningFunctions[] = {
    {"row", "()", Value::none, Takes::nothing, Gives::number, make_row},
    {"record", "()", Value::none, Takes::nothing, Gives::number, make_record_places, nullptr,
     PlaceIn::records},
    {"line", "()", Value::none, Takes::nothing, Gives::number, make_line_places, nullptr,
     PlaceIn::lines},
    {"lag", "(VALUE[, RECORDS])", Value::text, Takes::count, Gives::value, make_lag},
    {"lead", "(VALUE[, RECORDS])", Value::text, Takes::count, Gives::value, make_lead, nullptr,
     PlaceIn::nothing, true},
    {"group", "()", Value::none, Takes::nothing, Gives::number, make_group},
    {"first", "(VALUE)", Value::text, Takes::nothing, Gives::value, make_first},
    {"last", "(VALUE)", Value::text, Takes::nothing, Gives::value, nullptr, make_last},
    {"filldown", "(VALUE)", Value::text, Takes::nothing, Gives::value, make_fill},
    {"rank", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_rank<false>},
    {"dense_rank", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_rank<true>},
    {"delta", "(VALUE)", Value::number, Takes::nothing, Gives::difference, make_delta},
    {"cumsum", "(VALUE)", Value::number, Takes::nothing, Gives::measure, make_sum_so_far},
    {"cummean", "(VALUE)", Value::number, Takes::nothing, Gives::measure, make_mean_so_far},
    {"cumcount", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_count_so_far},
    {"cummin", "(VALUE)", Value::both, Takes::nothing, Gives::value, make_least_so_far},
    {"cummax", "(VALUE)", Value::both, Takes::nothing, Gives::value, make_most_so_far},
    {"session", "(TIME, GAP)", Value::number, Takes::gap, Gives::number, make_session},
    {"sum", kOfFrame, Value::number, Takes::frame, Gives::measure, make_frame_sum, make_sum_so_far},
    {"mean", kOfFrame, Value::number, Takes::frame, Gives::measure, make_frame_mean,
     make_mean_so_far},
    {"count", kOfFrame, Value::text, Takes::frame, Gives::number, make_frame_count,
     make_count_so_far},
    {"lowest", kOfFrame, Value::both, Takes::frame, Gives::value, make_frame_least,
     make_least_so_far},
    {"highest", kOfFrame, Value::both, Takes::frame, Gives::value, make_frame_most,
     make_most_so_far},
};

}  // namespace

const RunningFunction *find_running_function(std::string_view name) {
  const auto *found = std::ranges::find(kRunningFunctions, name, &RunningFunction::name);
  return found == std::end(kRunningFunctions) ? nullptr : found;
}

std::vector<std::string> running_function_names() {
  std::vector<std::string> names;
  for (const RunningFunction &function : kRunningFunctions) names.emplace_back(function.name);
  return names;
}

}  // namespace mrc
