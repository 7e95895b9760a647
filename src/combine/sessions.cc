#include "combine/sessions.h"

#include "combine/value_list.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

struct Context {
  Clock clock;
};

// Events are nanoseconds since 1970 without the lowest bit. The bit is set in a logout, so that it
// sorts after a login at the same time.
struct Sessions {
  ValueList events;
  u64 unread;
};

Sessions *sessions(State *state) { return reinterpret_cast<Sessions *>(state); }
const Sessions *sessions(const State *state) { return reinterpret_cast<const Sessions *>(state); }

enum class Event { none, login, logout };

Event event_of(Bytes text) {
  static constexpr std::array<std::string_view, 10> kLogins = {
      "login", "logon", "open", "opened", "start", "started", "connect", "connected", "in", "+"};
  static constexpr std::array<std::string_view, 12> kLogouts = {
      "logout", "logoff", "close", "closed",     "stop",         "stopped",
      "end",    "ended",  "out",   "disconnect", "disconnected", "-"};
  auto is = [text](std::string_view name) {
    return name.size() == text.size() && strncasecmp(name.data(), text.data(), name.size()) == 0;
  };
  if (std::any_of(kLogins.begin(), kLogins.end(), is)) return Event::login;
  return std::any_of(kLogouts.begin(), kLogouts.end(), is) ? Event::logout : Event::none;
}

// The column of events follows the column of times.
void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const Clock &clock = static_cast<const Context *>(part.context)->clock;
  for (i64 i = 0; i < n; ++i) {
    const Event event = event_of(values.text(i, part.position));
    if (event == Event::none) continue;
    Sessions *to = sessions(states[i] + part.offset);
    const std::optional<i64> time = parse_time(values.text(i, part.value), clock);
    if (!time) {
      ++to->unread;
      continue;
    }
    // Flipping the sign bit makes signed times order as unsigned words.
    const u64 ordered = static_cast<u64>(*time) ^ u64 { 1 } << 63;
    to->events.add((ordered & ~u64{1}) | (event == Event::logout), arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Sessions *to = sessions(into[i] + part.offset), *other = sessions(from[i] + part.offset);
    to->events.merge(&other->events, arena);
    to->unread += other->unread;
  }
}

void save(const Part &part, const State *state, std::string *out) {
  out->append(reinterpret_cast<const char *>(&sessions(state + part.offset)->unread), sizeof(u64));
  sessions(state + part.offset)->events.save(out);
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  std::copy_n(saved.data(), sizeof(u64),
              reinterpret_cast<char *>(&sessions(state + part.offset)->unread));
  sessions(state + part.offset)->events.load(saved.substr(sizeof(u64)), arena);
}

struct Totals {
  __int128 online = 0;  // nanoseconds
  u64 sessions = 0, open = 0, stray = 0;
};

Totals totals_of(const State *own) {
  std::vector<u64> open;
  Totals totals;
  const auto take = [&](u64 event) {
    if ((event & 1) == 0) {
      open.push_back(event);
    } else if (open.empty()) {
      ++totals.stray;
    } else {
      totals.online += (event & ~u64{1}) - open.back();
      ++totals.sessions;
      open.pop_back();
    }
  };
  sessions(own)->events.each_in_order(
      [&](std::span<const u64> events) { std::ranges::for_each(events, take); });
  totals.open = open.size();
  return totals;
}

template <u64 Totals::*number>
u64 rank(const Column &, const State *own) {
  return totals_of(own).*number;
}
template <u64 Totals::*number>
void finish(const Column &, const State *own, Notation, std::string *out) {
  fmt::format_to(std::back_inserter(*out), "{}", totals_of(own).*number);
}

u64 rank_online(const Column &, const State *own) {
  return static_cast<u64>(totals_of(own).online / 1000);
}
void finish_online(const Column &, const State *own, Notation, std::string *out) {
  constexpr i64 kSecond = 1'000'000'000;
  const __int128 online = totals_of(own).online;
  fmt::format_to(std::back_inserter(*out), "{}", static_cast<u64>(online / kSecond));
  std::string digits = fmt::format("{:09}", static_cast<u64>(online % kSecond));
  digits.erase(digits.find_last_not_of('0') + 1);
  if (!digits.empty()) *out += "." + digits;
}

u64 rank_unread(const Column &, const State *own) { return sessions(own)->unread; }
void finish_unread(const Column &, const State *own, Notation, std::string *out) {
  fmt::format_to(std::back_inserter(*out), "{}", sessions(own)->unread);
}

const Reducer kSessions = make_reducer<add, merge, save, load>(sizeof(Sessions));

}  // namespace

Aggregation sessions_aggregation(const FieldExpr &time, const FieldExpr &event, const Clock &clock,
                                 std::vector<ValueColumn> *values) {
  const i64 first = std::ssize(*values);
  values->push_back({ValueColumn::Kind::text, time});
  values->push_back({ValueColumn::Kind::text, event});
  auto context = std::make_shared<Context>(Context{clock});
  context->clock.dates = date_order_of(time, clock);
  Aggregation aggregation;
  aggregation.parts = {{&kSessions, first, first + 1, context.get()}};
  aggregation.columns = {
      {"online", finish_online, rank_online},
      {"sessions", finish<&Totals::sessions>, rank<&Totals::sessions>},
      {"open", finish<&Totals::open>, rank<&Totals::open>},
      {"stray", finish<&Totals::stray>, rank<&Totals::stray>},
      {"unread", finish_unread, rank_unread},
  };
  aggregation.contexts = {std::move(context)};
  return aggregation;
}

}  // namespace mrc
