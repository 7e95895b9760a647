// Counts the sessions of a key, from the numbers that the list of quantiles keeps.
#include "base/arithmetic.h"
#include "combine/inner/reducers.h"
#include "combine/inner/wide_sums.h"
#include "combine/value_runs.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// A number that outlives its stream's next step.
class Before {
 public:
  Number get() const { return number_; }
  void set(Number number) {
    number_ = number;
    if (is_narrow(number)) return;
    wide_ = wide_number(number);
    number_ = as_number(wide_);
  }

 private:
  Number number_ = kNoNumber;
  alignas(16) WideNumber wide_;
};

// A difference beyond all numbers ends a session, too.
u64 sessions_of(const State *own, Number gap) {
  const std::unique_ptr<ValueStream> times = numbers_in_order(own);
  u64 sessions = 0;
  Before before;
  Arena wide;
  for (CountedValue time; times->next(&time); before.set(time.number)) {
    const Number pause =
        is_number(before.get()) ? subtract(time.number, before.get(), &wide) : kNoNumber;
    sessions += !is_number(pause) || order_of_numbers(pause, gap) > 0;
    wide.clear();
  }
  return sessions;
}

u64 sessions_shown(const Column &column, const State *own) {
  return sessions_of(own, static_cast<const SessionGap *>(column.context)->gap());
}

}  // namespace

SessionGap::SessionGap(const std::string &number) : gap_(parse_any_number(number, &arena_)) {}

void finish_sessions(const Column &column, const State *own, Notation, std::string *out) {
  const fmt::format_int count(sessions_shown(column, own));
  out->append(count.data(), count.size());
}

u64 rank_sessions(const Column &column, const State *own) { return sessions_shown(column, own); }

}  // namespace mrc
