#include "check/inner/law_bench.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kOffset = 24;  // of the state: a reducer that ignores it writes into the red zone
constexpr i64 kBefore = 1, kBehind = 1;  // columns of other reducers
constexpr u64 kOther = 0xDEADBEEFDEADBEEF;

// A copy that becomes inaccessible when the call is over.
template <typename T>
class Lent {
 public:
  explicit Lent(const std::vector<T> &of)
      : memory_(of.size() * sizeof(T), "memory beside a batch") {
    if (!of.empty()) memcpy(memory_.data(), of.data(), of.size() * sizeof(T));
  }
  const T *get() const { return reinterpret_cast<const T *>(memory_.data()); }

 private:
  GuardedMemory memory_;
};

struct StringOut : mrc_out {
  StringOut()
      : mrc_out{[](mrc_out *out, const void *bytes, size_t size) {
          static_cast<StringOut *>(out)->text.append(static_cast<const char *>(bytes), size);
        }} {}
  std::string text;
};

}  // namespace

LawBench::LawBench(const char *file, const mrc_reducer *reducer, const void *context)
    : file_(file), reducer_(*reducer), context_(context) {}

template <typename F>
void LawBench::call(const char *function, F &&f) {
  const PluginPlace place = {
      .plugin = file_, .what = "reducer", .name = reducer_.name, .function = function};
  guarded(place, f);
  if (plugin_failed() && damage_.empty()) damage_ = plugin_status().message();
}

void LawBench::damage(const char *function, const char *what) {
  if (damage_.empty()) damage_ = fmt::format("{} {}", function, what);
}

void LawBench::check(const LawState &state, const char *function) {
  if (!state.memory->intact()) damage(function, "wrote outside of the state");
  for (const auto &arena : state.arenas) {
    if (!arena->intact()) damage(function, "wrote outside of what the arena gave");
  }
}

std::string LawBench::take_damage() {
  forget_plugin_failure();
  return std::exchange(damage_, "");
}

mrc_part LawBench::part() const {
  return {.reducer = &reducer_,
          .value = kBefore,
          .position = 0,
          .context = context_,
          .offset = kOffset};
}

mrc_state *LawBench::passed(const LawState &state) const {
  return reinterpret_cast<mrc_state *>(state.memory->data() - kOffset);
}

i64 LawBench::width() const { return static_cast<i64>(reducer_.value_count) + kBefore + kBehind; }

LawState LawBench::make() {
  const auto bytes = static_cast<size_t>(reducer_.state_bytes);
  LawState state;
  state.memory = std::make_unique<GuardedMemory>(bytes, "memory beside a state");
  state.arenas.push_back(std::make_shared<GuardedArena>());
  memset(state.memory->data(), 0, bytes);
  if (reducer_.init == nullptr) return state;
  Lent<mrc_part> lent({part()});
  call("init", [&] { reducer_.init(lent.get(), passed(state)); });
  check(state, "init");
  return state;
}

// Allocates three pieces: words, texts, and the bytes of texts.
u64 *LawBench::words_of(const LawRecords &records, Memory *kept) const {
  const auto columns = static_cast<size_t>(width());
  const auto keep = [&](size_t bytes) {
    kept->push_back(std::make_unique<GuardedMemory>(bytes, "memory beside a batch"));
    return kept->back()->data();
  };
  size_t texts = 0, bytes = 0;
  for (const LawRecord &record : records) {
    for (const LawValue &value : record) {
      texts += value.type == MRC_TEXT;
      bytes += value.text ? value.text->size() : 0;
    }
  }
  auto *const words = reinterpret_cast<u64 *>(keep(records.size() * columns * sizeof(u64)));
  auto *text = reinterpret_cast<mrc_text *>(keep(texts * sizeof(mrc_text)));
  auto *next = reinterpret_cast<char *>(keep(bytes));
  std::fill_n(words, records.size() * columns, kOther);
  for (size_t i = 0; i < records.size(); ++i) {
    for (size_t j = 0; j < records[i].size(); ++j) {
      const LawValue &value = records[i][j];
      u64 &word = words[i * columns + kBefore + j];
      word = value.type == MRC_REAL      ? mrc_real_word(value.real)
             : value.type == MRC_INTEGER ? static_cast<u64>(value.integer)
                                         : 0;
      if (!value.text) continue;
      *text = {next, value.text->size()};
      next = std::copy(value.text->begin(), value.text->end(), next);
      word = mrc_text_word(text++);
    }
  }
  return words;
}

void LawBench::add(const std::vector<LawState *> &states, const LawRecords &records,
                   const std::vector<size_t> &which) {
  // All states share the arena of the worker, as in a job.
  for (LawState *state : states) {
    if (state != states[0]) state->arenas = states[0]->arenas;
  }
  Memory lent_words;
  const u64 *words = words_of(records, &lent_words);
  std::vector<mrc_state *> targets;
  for (size_t i : which) targets.push_back(passed(*states[i]));
  Lent<mrc_state *> lent_states(targets);
  Lent<mrc_part> lent_part({part()});
  call("add", [&] {
    reducer_.add(lent_part.get(), lent_states.get(), {words, width()}, std::ssize(records),
                 states[0]->arenas[0].get());
  });
  for (const auto &memory : lent_words) {
    if (!memory->intact()) damage("add", "wrote outside of the state, beside the values");
  }
  for (const LawState *state : states) check(*state, "add");
}

void LawBench::add(LawState *state, const LawRecords &records) {
  add({state}, records, std::vector<size_t>(records.size(), 0));
}

LawState LawBench::folded(const LawRecords &records) {
  LawState state = make();
  if (!records.empty()) add(&state, records);
  return state;
}

void LawBench::merge(LawState *into, LawState from) {
  Lent<mrc_state *> lent_into({passed(*into)}), lent_from({passed(from)});
  Lent<mrc_part> lent_part({part()});
  call("merge", [&] {
    reducer_.merge(lent_part.get(), lent_into.get(), lent_from.get(), 1, into->arenas[0].get());
  });
  check(*into, "merge");
  check(from, "merge");
  // `into` may have taken over memory of the arenas, so they stay; the bytes of the state do not.
  into->arenas.insert(into->arenas.end(), from.arenas.begin(), from.arenas.end());
  from.memory->forbid("a state that was merged into another one");
}

std::string LawBench::take_saved(const LawState &state) {
  StringOut out;
  const std::string before(reinterpret_cast<char *>(state.memory->data()), state.memory->size());
  Lent<mrc_part> lent({part()});
  if (reducer_.save != nullptr) {
    call("save", [&] { reducer_.save(lent.get(), passed(state), &out); });
    if (memcmp(before.data(), state.memory->data(), before.size()) != 0) {
      damage("save", "changed the state");
    }
    check(state, "save");
  }
  return out.text;
}

LawState LawBench::reloaded(LawState state) {
  const std::string saved = take_saved(state);
  LawState copy = make();
  if (saved.empty()) {  // its own bytes are the saved form
    memcpy(copy.memory->data(), state.memory->data(), state.memory->size());
  } else {
    Lent<char> bytes({saved.begin(), saved.end()});
    Lent<mrc_part> lent({part()});
    call("load", [&] {
      reducer_.load(lent.get(), passed(copy), {bytes.get(), saved.size()}, copy.arenas[0].get());
    });
    check(copy, "load");
  }
  state.memory->forbid("a state that was saved and is gone");
  for (const auto &arena : state.arenas) arena->forbid();
  return copy;
}

LawState LawBench::moved(LawState state) {
  LawState copy = make();
  memcpy(copy.memory->data(), state.memory->data(), state.memory->size());
  copy.arenas = state.arenas;
  state.memory->forbid("a state that was moved elsewhere");
  return copy;
}

std::string LawBench::shown(const LawState &state) {
  const std::string before(reinterpret_cast<char *>(state.memory->data()), state.memory->size());
  StringOut out;
  Lent<mrc_part> lent({part()});
  for (size_t i = 0; i < reducer_.columns.count; ++i) {
    const mrc_column &column = reducer_.columns.at[i];
    if (i > 0) out.text += ", ";
    call(column.name, [&] {
      if (column.integer != nullptr)
        out.text += std::to_string(column.integer(lent.get(), passed(state)));
      if (column.real != nullptr)
        out.text += fmt::format("{}", column.real(lent.get(), passed(state)));
      if (column.text != nullptr) column.text(lent.get(), passed(state), &out);
    });
    check(state, column.name);
    if (memcmp(before.data(), state.memory->data(), before.size()) != 0) {
      damage(column.name, "changed the state that it was to show");
    }
  }
  return out.text;
}

std::string LawBench::reduce(const u64 *words, i64 count) {
  constexpr const char *kKey = "key";
  Lent<char> key({kKey, kKey + strlen(kKey)});
  Lent<mrc_part> lent({part()});
  StringOut out;
  const mrc_list list = {{words, width()}, count};
  call("reduce", [&] { reducer_.reduce(lent.get(), {key.get(), strlen(kKey)}, list, &out); });
  return out.text;
}

std::string LawBench::reduced(const LawRecords &records) {
  Memory lent;
  return reduce(words_of(records, &lent), std::ssize(records));
}

std::string LawBench::reduced_combined(const LawRecords &records, size_t n) {
  Memory lent;
  const auto columns = static_cast<size_t>(width());
  const LawRecords first(records.begin(), records.begin() + static_cast<i64>(n));
  const LawRecords second(records.begin() + static_cast<i64>(n), records.end());
  u64 *const words = words_of(first, &lent);
  Lent<mrc_part> lent_part({part()});
  i64 left = 0;
  call("combine",
       [&] { left = reducer_.combine(lent_part.get(), words, width(), static_cast<i64>(n)); });
  if (left < 0 || left > static_cast<i64>(n)) {
    damage("combine", "returned more values than it was given, or less than none");
    return "";
  }
  if (!lent[0]->intact()) damage("combine", "wrote beside the values");
  const u64 *const rest = words_of(second, &lent);
  std::vector<u64> all(words, words + static_cast<size_t>(left) * columns);
  all.insert(all.end(), rest, rest + second.size() * columns);
  Lent<u64> list(all);
  return reduce(list.get(), left + std::ssize(second));
}

}  // namespace mrc
