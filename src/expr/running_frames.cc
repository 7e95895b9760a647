// Running functions of records within a time or a number: sessions, and frames of the last records.
#include "base/arithmetic.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "expr/inner/running_state.h"
#include "kinds/time_text.h"

namespace mrc {
namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

std::unique_ptr<RunningState> make_frame_sum(const RunningField &field) {
  return make_frame<FrameOf<OfFrame::sum>>(field);
}
std::unique_ptr<RunningState> make_frame_mean(const RunningField &field) {
  return make_frame<FrameOf<OfFrame::mean>>(field);
}
std::unique_ptr<RunningState> make_frame_count(const RunningField &field) {
  return make_frame<FrameOf<OfFrame::count>>(field);
}
std::unique_ptr<RunningState> make_frame_least(const RunningField &field) {
  return make_frame<ExtremeOfFrame<-1>>(field);
}
std::unique_ptr<RunningState> make_frame_most(const RunningField &field) {
  return make_frame<ExtremeOfFrame<1>>(field);
}

}  // namespace mrc
