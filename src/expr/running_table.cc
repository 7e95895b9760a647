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

template <OfFrame kWhat>
class FrameOf : public Frame {
 public:
  // A count takes any value that is there.
  void take(const RunningRecords &in, size_t i, Number time, Arena *arena) {
    if constexpr (kWhat == OfFrame::count) {
      add(is_absent(in.values.texts[i]) ? kNoNumber : whole(1), time, arena);
    } else {
      add(in.values.numbers[i], time, arena);
    }
  }
  void put(RunningOut *out) {
    if (kWhat == OfFrame::count) return out->put(whole(count()));
    if (count() == 0) return out->put_missing();
    const Number all = sum(out->arena());
    out->put(kWhat == OfFrame::sum ? all : divide(all, whole(count()), out->arena()));
  }
};

// The records whose number may still become the extreme of a frame: each is better than all that
// follow it.
template <int kSign>
class ExtremeOfFrame {
 public:
  void take(const RunningRecords &in, size_t i, Number time, Arena *) {
    ++records_;
    last_time_.set(time);
    const Number number = in.values.numbers[i];
    if (!is_number(number)) return;
    while (first_ < best_.size() &&
           kSign * order_of_numbers(number, best_.back().number.get()) > 0) {
      forget(&best_.back());
      best_.pop_back();
    }
    Candidate &added = best_.emplace_back();
    added.record = records_;
    added.number.set(number);
    added.time.set(time);
    keep_text(in, i, &added.text);
    grown_ += added.text.grown_bytes();
  }
  bool is_empty() const { return records_ == 0; }
  Number last_time() const { return last_time_.get(); }
  void keep_last(i64 records, Arena *) {
    while (first_ < best_.size() && best_[first_].record <= records_ - records) drop_first();
  }
  void drop_until(Number time, Arena *) {
    while (first_ < best_.size() && order_of_numbers(best_[first_].time.get(), time) <= 0) {
      drop_first();
    }
  }
  void put(RunningOut *out) {
    first_ < best_.size() ? put_text(best_[first_].text, out) : out->put_missing();
  }
  i64 grown_bytes() {
    const i64 bytes = static_cast<i64>(best_.capacity() * sizeof(Candidate));
    return std::exchange(grown_, 0) + bytes - std::exchange(told_, bytes);
  }

 private:
  struct Candidate {
    i64 record;
    EarlierNumber number, time;
    EarlierText text;
  };

  void forget(Candidate *dropped) {
    grown_ -= dropped->text.told_bytes();
    dropped->text = {};
  }
  void drop_first() {
    forget(&best_[first_]);
    if (++first_ * 2 <= best_.size()) return;
    best_.erase(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<Candidate> best_;
  size_t first_ = 0;  // those before it are dropped
  i64 records_ = 0;   // of the group
  EarlierNumber last_time_;
  i64 told_ = 0, grown_ = 0;
};

// The records of a frame are the last ones, up to a number, or those of a time up to the own one.
template <typename Window>
std::unique_ptr<RunningState> make_frame(const RunningField &field) {
  if (field.span.empty()) {
    return make_state<Window>([records = field.records](const RunningRecords &in, size_t i,
                                                        Window *window, RunningOut *out) {
      window->take(in, i, kNoNumber, out->arena());
      window->keep_last(records, out->arena());
      window->put(out);
    });
  }
  const auto span = std::make_shared<EarlierNumber>();
  Arena arena;
  span->set(parse_any_number(field.span, &arena));
  return make_state<Window>(
      [span](const RunningRecords &in, size_t i, Window *window, RunningOut *out) {
        const Number time = in.times[i];
        if (!is_number(time)) return out->put_missing();
        if (!window->is_empty() && order_of_numbers(time, window->last_time()) < 0) {
          return put_earlier(time, out);
        }
        window->take(in, i, time, out->arena());
        window->drop_until(subtract(time, span->get(), out->arena()), out->arena());
        window->put(out);
      });
}

constexpr RunningFunction kFunctions[] = {
    {"row", "()", Value::none, Takes::nothing, Gives::number, make_row},
    {"record", "()", Value::none, Takes::nothing, Gives::number, make_record_places,
     PlaceIn::records},
    {"line", "()", Value::none, Takes::nothing, Gives::number, make_line_places, PlaceIn::lines},
    {"lag", "(VALUE[, RECORDS])", Value::text, Takes::count, Gives::value, make_lag},
    {"lead", "(VALUE[, RECORDS])", Value::text, Takes::count, Gives::value, make_lead,
     PlaceIn::nothing, true},
    {"group", "()", Value::none, Takes::nothing, Gives::number, make_group},
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
     make_frame<FrameOf<OfFrame::sum>>},
    {"mean", "(VALUE, RECORDS or SPAN[, TIME])", Value::number, Takes::frame, Gives::measure,
     make_frame<FrameOf<OfFrame::mean>>},
    {"count", "(VALUE, RECORDS or SPAN[, TIME])", Value::text, Takes::frame, Gives::number,
     make_frame<FrameOf<OfFrame::count>>},
    {"lowest", "(VALUE, RECORDS or SPAN[, TIME])", Value::both, Takes::frame, Gives::value,
     make_frame<ExtremeOfFrame<-1>>},
    {"highest", "(VALUE, RECORDS or SPAN[, TIME])", Value::both, Takes::frame, Gives::value,
     make_frame<ExtremeOfFrame<1>>},
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
