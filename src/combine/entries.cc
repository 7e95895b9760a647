// Records come in any order, so a state has the sessions of the records so far: spans of time
// without a pause above the gap. A span stays one when records are added, and two spans become one
// when the pause between them is filled. So states can be merged, and the result does not depend on
// the order of records. A state takes memory for its sessions, not for its records.
//
// The span that was touched last takes most records. The others wait in an array, which is put in
// order, and whose spans are joined, when it is full. Therefore records in the order of time cost
// as little as a comparison, and others no more than a sort.
#include "base/varint.h"
#include "combine/figure.h"
#include "combine/inner/fine_bins.h"
#include "combine/inner/joined_values.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/reducers.h"
#include "combine/inner/wide_sums.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace mrc {
namespace {

struct Visit {
  i64 first, last;      // nanoseconds since 1970
  i64 entered = 0;      // time of the first record with a value
  u64 position = 0;     // ... and its position, which decides between records of one time
  KeptText value = {};  // none: no record has one

  void take(const Visit &other);
  void take_value(i64 time, u64 at, Bytes text, Arena *arena);
  bool is_before(i64 time, u64 at) const {
    return !value.is_none() && std::tie(entered, position) <= std::tie(time, at);
  }
};
static_assert(sizeof(Visit) == 48);

void Visit::take(const Visit &other) {
  first = std::min(first, other.first);
  last = std::max(last, other.last);
  if (other.value.is_none() || is_before(other.entered, other.position)) return;
  entered = other.entered;
  position = other.position;
  value = other.value;
}

void Visit::take_value(i64 time, u64 at, Bytes text, Arena *arena) {
  if (is_before(time, at)) return;
  entered = time;
  position = at;
  replace_text(&value, borrow_text(text), arena);
}

// True if no pause above the gap lies between the spans.
bool touch(const Visit &a, const Visit &b, i64 gap) {
  const auto pause = [](i64 from, i64 to) { return static_cast<u64>(to) - static_cast<u64>(from); };
  if (a.last < b.first) return pause(a.last, b.first) <= static_cast<u64>(gap);
  return b.last >= a.first || pause(b.last, a.first) <= static_cast<u64>(gap);
}

// Puts visits in order and joins those that touch. Returns how many are left, at the front.
u32 join_visits(std::span<Visit> visits, i64 gap) {
  if (visits.empty()) return 0;
  if (!std::ranges::is_sorted(visits, {}, &Visit::first)) {
    std::ranges::sort(visits, {}, &Visit::first);
  }
  u32 at = 0;
  for (const Visit &next : visits.subspan(1)) {
    touch(visits[at], next, gap) ? visits[at].take(next) : void(visits[++at] = next);
  }
  return at + 1;
}

struct Visits {
  Visit *others;  // in any order; some may touch
  u32 waiting;    // number of these
  u32 room : 31;
  u32 any : 1;  // false: there are no visits, and `latest` is none
  Visit latest;

  Visit *add(const Visit &visit, i64 gap, Arena *arena);
  std::vector<Visit> in_order(i64 gap) const;

 private:
  void put_aside(const Visit &visit, i64 gap, Arena *arena);
};
static_assert(sizeof(Visits) == 64);

Visit *Visits::add(const Visit &visit, i64 gap, Arena *arena) {
  if (any && touch(latest, visit, gap)) {
    latest.take(visit);
    return &latest;
  }
  if (any) put_aside(latest, gap, arena);
  any = 1;
  latest = visit;
  return &latest;
}

void Visits::put_aside(const Visit &visit, i64 gap, Arena *arena) {
  if (waiting == room) {
    waiting = join_visits({others, waiting}, gap);
    if (2 * waiting >= room) {
      room = std::max<u32>(2, 2 * room) & 0x7FFFFFFF;
      void *larger = arena->alloc(static_cast<i64>(room * sizeof(Visit)));
      others = std::copy_n(others, waiting, static_cast<Visit *>(larger)) - waiting;
    }
  }
  others[waiting++] = visit;
}

std::vector<Visit> Visits::in_order(i64 gap) const {
  std::vector<Visit> all(others, others + waiting);
  if (any) all.push_back(latest);
  all.resize(join_visits(all, gap));
  return all;
}

Visits *visits_of(State *state) { return reinterpret_cast<Visits *>(state); }
const Visits *visits_of(const State *state) { return reinterpret_cast<const Visits *>(state); }
i64 gap_of(const Part &part) { return *static_cast<const i64 *>(part.context); }

// Returns false for what is no time between 1678 and 2261.
MRC_INLINE bool nanoseconds_of(Number seconds, i64 *time) {
  constexpr i64 kPlaces = 9;
  if (!is_number(seconds)) return false;
  if (is_narrow(seconds) && scale_of(seconds) == 0) [[likely]] {
    return !__builtin_mul_overflow(digits_of(seconds), kSecond, time);
  }
  return find_bin(decimal_of(seconds), -kPlaces, time);
}

void add_visits(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const i64 gap = gap_of(part);
  for (i64 i = 0; i < n; ++i) {
    i64 time;
    if (!nanoseconds_of(values.at(i, part.value), &time)) continue;
    Visit *visit =
        visits_of(states[i] + part.offset)->add({.first = time, .last = time}, gap, arena);
    const Bytes value = values.text(i, part.second);
    if (!is_present(value)) continue;
    visit->take_value(time, values.at(i, part.position), value, arena);
  }
}

void merge_visits(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  const i64 gap = gap_of(part);
  for (i64 i = 0; i < n; ++i) {
    Visits *to = visits_of(into[i] + part.offset), *other = visits_of(from[i] + part.offset);
    if (!to->any) {
      std::swap(*to, *other);
      continue;
    }
    for (u32 k = 0; k < other->waiting; ++k) to->add(other->others[k], gap, arena);
    if (other->any) to->add(other->latest, gap, arena);
  }
}

// Saves the visits in order: the times as differences, and the first value if there is one. A state
// that owns no memory is saved as its own bytes.
void save_visits(const Part &part, const State *state, std::string *out) {
  const Visits &visits = *visits_of(state + part.offset);
  if (visits.others == nullptr && !visits.latest.value.is_long()) return;
  u64 before = 0;
  for (const Visit &visit : visits.in_order(gap_of(part))) {
    const auto since = [&](i64 time) { return static_cast<u64>(time) - before; };
    append_varint(since(visit.first), out);
    before = static_cast<u64>(visit.first);
    append_varint(since(visit.last), out);
    append_varint(visit.value.is_none() ? 0 : 1 + since(visit.entered), out);
    if (visit.value.is_none()) continue;
    append_bytes(visit.position, out);
    append_sized(visit.value.bytes(), out);
  }
}

void load_visits(const Part &part, State *state, Bytes saved, Arena *arena) {
  Visits *visits = visits_of(state + part.offset);
  *visits = {};
  u64 before = 0;
  while (!saved.empty()) {
    before += take_varint(&saved);
    const i64 first = static_cast<i64>(before);
    Visit visit{.first = first, .last = static_cast<i64>(before + take_varint(&saved))};
    if (const u64 entered = take_varint(&saved); entered > 0) {
      visit.entered = static_cast<i64>(before + entered - 1);
      visit.position = take_bytes<u64>(&saved);
      replace_text(&visit.value, borrow_exactly(take_sized(&saved)), arena);
    }
    visits->add(visit, gap_of(part), arena);
  }
}

}  // namespace

const Reducer kEntries =
    make_reducer<add_visits, merge_visits, save_visits, load_visits>(sizeof(Visits));

void shift_entries(const Part &part, State *state, u64 by) {
  Visits *visits = visits_of(state + part.offset);
  visits->latest.position += by;
  for (u32 i = 0; i < visits->waiting; ++i) visits->others[i].position += by;
}

void finish_entries(const Column &column, const State *own, Notation notation, std::string *out) {
  static const std::string kComma = ",";
  JoinedValues list(kComma, notation, out);
  for (const Visit &visit : visits_of(own)->in_order(*static_cast<const i64 *>(column.context))) {
    visit.value.is_none() ? list.add_missing() : list.add(visit.value.bytes());
  }
  list.end();
}

u64 rank_entries(const Column &column, const State *own) {
  return visits_of(own)->in_order(*static_cast<const i64 *>(column.context)).size();
}

}  // namespace mrc
