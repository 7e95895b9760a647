// All running functions, and what each keeps of the records of a group.
#include "expr/inner/running_table.h"

#include "base/arithmetic.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "expr/inner/running_values.h"
#include "kinds/time_text.h"

#include <algorithm>

namespace mrc {
namespace {

using Gives = RunningFunction::Gives;
using Takes = RunningFunction::Takes;
using Value = RunningFunction::Value;

// Keeps a Group for each group, and calls rule(group, record, out) for each record.
template <typename Group, typename Rule>
class StateBy : public RunningState {
 public:
  explicit StateBy(Rule rule) : rule_(std::move(rule)) {}

  void fill(const RunningRecords &records, RunningOut *out) override {
    groups_.resize(static_cast<size_t>(records.groups_in_all));
    for (size_t i = 0; i < records.groups.size(); ++i) {
      Group *group = &groups_[records.groups[i]];
      rule_(records, i, group, out);
      if constexpr (requires { group->grown_bytes(); }) bytes_ += group->grown_bytes();
    }
  }
  i64 used_bytes() const override {
    return static_cast<i64>(groups_.capacity() * sizeof(Group)) + bytes_;
  }

 private:
  Rule rule_;
  std::vector<Group> groups_;
  i64 bytes_ = 0;
};

template <typename Group, typename Rule>
std::unique_ptr<RunningState> make_state(Rule rule) {
  return std::make_unique<StateBy<Group, Rule>>(std::move(rule));
}

Number whole(i64 number) { return make_number(number, 0); }

std::unique_ptr<RunningState> make_row(const RunningField &) {
  return make_state<i64>(
      [](const RunningRecords &, size_t, i64 *rows, RunningOut *out) { out->put(whole(++*rows)); });
}

std::unique_ptr<RunningState> make_count(const RunningField &) {
  return make_state<i64>([](const RunningRecords &in, size_t i, i64 *count, RunningOut *out) {
    *count += !is_absent(in.values.texts[i]);
    out->put(whole(*count));
  });
}

void put_text(const EarlierText &text, RunningOut *out) {
  text.is_there() ? out->put(text.get(), text.mark()) : out->put_missing();
}
void keep_text(const RunningRecords &in, size_t i, EarlierText *text) {
  text->set(in.values.texts[i], in.values.marks[i]);
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

std::unique_ptr<RunningState> make_sum(const RunningField &) {
  return make_state<EarlierNumber>(
      [](const RunningRecords &in, size_t i, EarlierNumber *sum, RunningOut *out) {
        const Number number = in.values.numbers[i];
        if (is_number(number)) {
          sum->set(is_number(sum->get()) ? add(sum->get(), number, out->arena()) : number);
        }
        out->put(sum->get());
      });
}

std::unique_ptr<RunningState> make_mean(const RunningField &) {
  struct Group {
    EarlierNumber sum;
    i64 count = 0;
  };
  return make_state<Group>([](const RunningRecords &in, size_t i, Group *group, RunningOut *out) {
    const Number number = in.values.numbers[i];
    if (is_number(number)) {
      const Number sum = group->sum.get();
      group->sum.set(group->count++ > 0 ? add(sum, number, out->arena()) : number);
    }
    if (group->count == 0) return out->put_missing();
    out->put(divide(group->sum.get(), whole(group->count), out->arena()));
  });
}

template <int kSign>
std::unique_ptr<RunningState> make_extreme(const RunningField &) {
  struct Group {
    EarlierNumber number;
    EarlierText text;
    i64 grown_bytes() { return text.grown_bytes(); }
  };
  return make_state<Group>([](const RunningRecords &in, size_t i, Group *group, RunningOut *out) {
    const Number number = in.values.numbers[i], before = group->number.get();
    const bool is_better =
        is_number(number) && (!is_number(before) || kSign * order_of_numbers(number, before) > 0);
    if (is_better) group->number.set(number);
    if (is_better) keep_text(in, i, &group->text);
    put_text(group->text, out);
  });
}

// Puts no value for a time, in seconds since 1970, that is before that of the record before.
void put_earlier(Number time, RunningOut *out) {
  __int128 digits = 0;
  i64 scale = 0;
  std::string text;
  if (to_decimal(time, &digits, &scale) && scale <= 9) {
    text = utc_text(static_cast<i64>(digits * power_of_ten(9 - scale)));
    const size_t end = text.find_last_not_of("0Z");
    if (text.find('.') <= end) text = text.substr(0, text[end] == '.' ? end : end + 1) + "Z";
  }
  out->note(text, "the time goes back");
  out->put_missing();
}

// A session ends where the next record is later by more than the gap.
std::unique_ptr<RunningState> make_session(const RunningField &field) {
  struct Group {
    EarlierNumber time;
    i64 session = 0;
  };
  const auto gap = std::make_shared<EarlierNumber>();
  Arena arena;
  gap->set(parse_any_number(field.span, &arena));
  return make_state<Group>([gap](const RunningRecords &in, size_t i, Group *group,
                                 RunningOut *out) {
    const Number time = in.values.numbers[i], before = group->time.get();
    if (!is_number(time)) return out->put_missing();
    if (is_number(before) && order_of_numbers(time, before) < 0) {
      return put_earlier(time, out);
    }
    const bool goes_on = is_number(before) &&
                         order_of_numbers(subtract(time, before, out->arena()), gap->get()) <= 0;
    group->session += !goes_on;
    group->time.set(time);
    out->put(whole(group->session));
  });
}

enum class OfFrame { sum, mean, count };

// Returns what the frame adds up; a count takes any value that is there.
template <OfFrame kWhat>
Number number_of(const RunningRecords &in, size_t i) {
  if constexpr (kWhat != OfFrame::count) return in.values.numbers[i];
  return is_absent(in.values.texts[i]) ? kNoNumber : whole(1);
}

template <OfFrame kWhat>
void put_of_frame(Frame *frame, RunningOut *out) {
  if (kWhat == OfFrame::count) return out->put(whole(frame->count()));
  if (frame->count() == 0) return out->put_missing();
  const Number sum = frame->sum(out->arena());
  out->put(kWhat == OfFrame::sum ? sum : divide(sum, whole(frame->count()), out->arena()));
}

// The records of a frame are the last ones, up to a number, or those of a time up to the own one.
template <OfFrame kWhat>
std::unique_ptr<RunningState> make_frame(const RunningField &field) {
  if (field.span.empty()) {
    return make_state<Frame>([records = field.records](const RunningRecords &in, size_t i,
                                                       Frame *frame, RunningOut *out) {
      frame->add(number_of<kWhat>(in, i), kNoNumber, out->arena());
      if (frame->records() > records) frame->drop_first(out->arena());
      put_of_frame<kWhat>(frame, out);
    });
  }
  const auto span = std::make_shared<EarlierNumber>();
  Arena arena;
  span->set(parse_any_number(field.span, &arena));
  return make_state<Frame>(
      [span](const RunningRecords &in, size_t i, Frame *frame, RunningOut *out) {
        const Number time = in.times[i];
        if (!is_number(time)) return out->put_missing();
        if (frame->records() > 0 && order_of_numbers(time, frame->last_time()) < 0) {
          return put_earlier(time, out);
        }
        frame->add(number_of<kWhat>(in, i), time, out->arena());
        const Number least = subtract(time, span->get(), out->arena());
        while (order_of_numbers(frame->first_time(), least) <= 0) frame->drop_first(out->arena());
        put_of_frame<kWhat>(frame, out);
      });
}

constexpr RunningFunction kFunctions[] = {
    {"row", "()", Value::none, Takes::nothing, Gives::number, make_row},
    {"lag", "(VALUE[, RECORDS])", Value::text, Takes::count, Gives::value, make_lag},
    {"first", "(VALUE)", Value::text, Takes::nothing, Gives::value, make_first},
    {"filldown", "(VALUE)", Value::text, Takes::nothing, Gives::value, make_fill},
    {"rank", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_rank<false>},
    {"dense_rank", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_rank<true>},
    {"delta", "(VALUE)", Value::number, Takes::nothing, Gives::difference, make_delta},
    {"cumsum", "(VALUE)", Value::number, Takes::nothing, Gives::measure, make_sum},
    {"cummean", "(VALUE)", Value::number, Takes::nothing, Gives::measure, make_mean},
    {"cumcount", "(VALUE)", Value::text, Takes::nothing, Gives::number, make_count},
    {"cummin", "(VALUE)", Value::both, Takes::nothing, Gives::value, make_extreme<-1>},
    {"cummax", "(VALUE)", Value::both, Takes::nothing, Gives::value, make_extreme<1>},
    {"session", "(TIME, GAP)", Value::number, Takes::gap, Gives::number, make_session},
    {"sum", "(VALUE, RECORDS or SPAN[, TIME])", Value::number, Takes::frame, Gives::measure,
     make_frame<OfFrame::sum>},
    {"mean", "(VALUE, RECORDS or SPAN[, TIME])", Value::number, Takes::frame, Gives::measure,
     make_frame<OfFrame::mean>},
    {"count", "(VALUE, RECORDS or SPAN[, TIME])", Value::text, Takes::frame, Gives::number,
     make_frame<OfFrame::count>},
};

}  // namespace

const RunningFunction *find_running_function(std::string_view name) {
  const auto *found = std::ranges::find(kFunctions, name, &RunningFunction::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string> running_function_names() {
  std::vector<std::string> names;
  for (const RunningFunction &function : kFunctions) names.emplace_back(function.name);
  return names;
}

}  // namespace mrc
