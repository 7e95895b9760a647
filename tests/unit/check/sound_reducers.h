// Sound reducers, which tests of laws break in one way or another.
#pragma once

#include "check/check.h"

#include <cstring>
#include <string>

// What is not set is zero: that is what the interface promises.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace mrc {

using std::string;

inline constexpr mrc_type kInteger[] = {MRC_INTEGER}, kReal[] = {MRC_REAL}, kText[] = {MRC_TEXT};

using Word = int64_t;
#define STATE(state) MRC_STATE(Word, part, state)
#define ADD_HEADER \
  const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n, mrc_arena *arena
#define MERGE_HEADER \
  const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n, mrc_arena *arena
#define EACH   \
  (void)arena; \
  for (int64_t i = 0; i < n; ++i)

// A sum, modulo 2^64.
inline void add_sum(ADD_HEADER) {
  EACH *STATE(states[i]) =
      static_cast<Word>(static_cast<u64>(*STATE(states[i])) + mrc_value(values, i, part->value));
}
inline void merge_sum(MERGE_HEADER) {
  EACH *STATE(into[i]) =
      static_cast<Word>(static_cast<u64>(*STATE(into[i])) + static_cast<u64>(*STATE(from[i])));
}
inline Word show(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(Word, part, state);
}
inline constexpr mrc_column kShow[] = {{.name = "sum", .integer = show}};

inline mrc_reducer sum() {
  return {.size = sizeof(mrc_reducer),
          .name = "r",
          .state_bytes = 16,
          .add = add_sum,
          .merge = merge_sum,
          .columns = MRC_ARRAY(kShow),
          .values = kInteger,
          .value_count = 1};
}

// Texts joined in the order of the input, in memory of the arena: grows.
struct Joined {
  char *data;
  Word size;
};
inline void append(Joined *to, mrc_text text, mrc_arena *arena) {
  auto *grown =
      static_cast<char *>(arena->allocate(arena, static_cast<size_t>(to->size) + text.size + 1));
  if (to->size > 0) memcpy(grown, to->data, static_cast<size_t>(to->size));
  if (text.size > 0) memcpy(grown + to->size, text.data, text.size);
  *to = {grown, to->size + static_cast<Word>(text.size)};
}
inline mrc_text text_of(const Joined &joined) {
  return {joined.data, static_cast<size_t>(joined.size)};
}
inline void add_text(ADD_HEADER) {
  for (int64_t i = 0; i < n; ++i) {
    append(MRC_STATE(Joined, part, states[i]), mrc_word_text(mrc_value(values, i, part->value)),
           arena);
  }
}
inline void merge_text(MERGE_HEADER) {
  for (int64_t i = 0; i < n; ++i) {
    append(MRC_STATE(Joined, part, into[i]), text_of(*MRC_STATE(Joined, part, from[i])), arena);
  }
}
inline void save_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const mrc_text text = text_of(*MRC_CONST_STATE(Joined, part, state));
  out->write(out, text.data, text.size);
}
inline void load_text(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  append(MRC_STATE(Joined, part, state), saved, arena);
}
inline constexpr mrc_column kShowText[] = {{.name = "joined", .text = save_text}};
inline mrc_reducer join() {
  return {.size = sizeof(mrc_reducer),
          .flags = MRC_ORDERED,
          .name = "r",
          .state_bytes = sizeof(Joined),
          .add = add_text,
          .merge = merge_text,
          .save = save_text,
          .load = load_text,
          .columns = MRC_ARRAY(kShowText),
          .values = kText,
          .value_count = 1};
}

inline LawReport report_of(const mrc_reducer &reducer) {
  const string lines[] = {"7 0.5 x", "a longer line"};
  return check_reducer_laws("x.so", reducer, nullptr, lines, 1);
}
}  // namespace mrc
