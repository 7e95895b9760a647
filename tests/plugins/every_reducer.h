/* Reducers of every kind, for every_job.c: with init, with destroy, growing, of lists,
 * ordered. They look at the values of its jobs: an integer, a number, a text. */
#ifndef EVERY_REDUCER_H
#define EVERY_REDUCER_H

#include "mrc_plugin.h"

#include <stdio.h>
#include <stdlib.h>

#define MAGIC 0x6d7263u
typedef struct setup {
  uint64_t magic; /* tells that a context is this, and not something else */
  const mrc_host *host;
  int64_t times, modulus, round;
  double scale;
  mrc_text label;
} setup;

static inline int wrong(const mrc_part *part) {
  const setup *self = (const setup *)part->context;
  return self != NULL && self->magic != MAGIC;
}

static inline uint64_t hash_bytes(uint64_t hash, mrc_text text) {
  for (size_t i = 0; i < text.size; ++i) {
    hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211u;
  }
  return hash;
}
static inline uint64_t hash_text(uint64_t hash, mrc_text text) {
  char size[32];
  if (text.data == NULL) return hash_bytes(hash, (mrc_text){"none;", 5});
  const int digits = snprintf(size, sizeof size, "%zu:", text.size);
  return hash_bytes(hash_bytes(hash, (mrc_text){size, (size_t)digits}), text);
}
static inline void write_number(mrc_out *out, uint64_t number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  mrc_write(out, digits);
}

static const mrc_type integer_type[] = {MRC_INTEGER}, real_type[] = {MRC_REAL},
                      text_type[] = {MRC_TEXT}, all_types[] = {MRC_INTEGER, MRC_REAL, MRC_TEXT};

/* quarters: a sum of doubles that are exact; a state of zeros. */
typedef struct quarters {
  double sum;
  int64_t count;
} quarters;
static void quarters_add(const mrc_part *part, mrc_state *const *states, mrc_values values,
                         int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const double value = mrc_word_real(mrc_value(values, i, part->value));
    quarters *state = MRC_STATE(quarters, part, states[i]);
    if (value != value || wrong(part)) continue;
    state->sum += value;
    ++state->count;
  }
}
static void quarters_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                           int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const quarters *other = MRC_CONST_STATE(quarters, part, from[i]);
    MRC_STATE(quarters, part, into[i])->sum += other->sum;
    MRC_STATE(quarters, part, into[i])->count += other->count;
  }
}
static double quarters_shown(const mrc_part *part, const mrc_state *state) {
  const quarters *own = MRC_CONST_STATE(quarters, part, state);
  return own->count == 0 ? mrc_word_real(UINT64_C(0x7ff8000000000000)) : own->sum;
}
static const mrc_column quarters_columns[] = {{.name = "quarters", .real = quarters_shown}};
static const mrc_reducer quarters_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "quarters",
    .summary = "the sum of numbers",
    .state_bytes = sizeof(quarters),
    .add = quarters_add,
    .merge = quarters_merge,
    .columns = MRC_ARRAY(quarters_columns),
    .values = real_type,
    .value_count = 1,
};

/* extent: the smallest and the largest integer; a state that init makes. */
typedef struct extent {
  int64_t low, high;
} extent;
static void extent_init(const mrc_part *part, mrc_state *state) {
  extent *own = MRC_STATE(extent, part, state);
  own->low = INT64_MAX;
  own->high = MRC_NO_INTEGER;
}
static void extent_take(extent *state, int64_t low, int64_t high) {
  if (low < state->low) state->low = low;
  if (high > state->high) state->high = high;
}
static void extent_add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                       mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t value = (int64_t)mrc_value(values, i, part->value);
    if (value == MRC_NO_INTEGER) continue;
    extent_take(MRC_STATE(extent, part, states[i]), value, value);
  }
}
static void extent_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                         int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const extent *other = MRC_CONST_STATE(extent, part, from[i]);
    extent_take(MRC_STATE(extent, part, into[i]), other->low, other->high);
  }
}
static int64_t extent_low(const mrc_part *part, const mrc_state *state) {
  const extent *own = MRC_CONST_STATE(extent, part, state);
  return own->high == MRC_NO_INTEGER ? MRC_NO_INTEGER : own->low;
}
static int64_t extent_high(const mrc_part *part, const mrc_state *state) {
  return MRC_CONST_STATE(extent, part, state)->high;
}
static const mrc_column extent_columns[] = {{.name = "low", .integer = extent_low},
                                            {.name = "high", .integer = extent_high}};
static const mrc_reducer extent_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "extent",
    .summary = "the smallest and the largest",
    .state_bytes = sizeof(extent),
    .add = extent_add,
    .merge = extent_merge,
    .init = extent_init,
    .columns = MRC_ARRAY(extent_columns),
    .values = integer_type,
    .value_count = 1,
};

/* letters: how often each byte occurs, and how many texts; a table that malloc made. */
typedef struct letters {
  uint64_t *counts; /* 257 of them; the last is of texts; NULL: none */
  uint64_t guard;
} letters;
static uint64_t *letters_counts(letters *state) {
  if (state->counts == NULL) state->counts = (uint64_t *)calloc(257, sizeof(uint64_t));
  return state->counts;
}
static void letters_init(const mrc_part *part, mrc_state *state) {
  MRC_STATE(letters, part, state)->guard = MAGIC;
}
static void letters_add(const mrc_part *part, mrc_state *const *states, mrc_values values,
                        int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    letters *state = MRC_STATE(letters, part, states[i]);
    if (state->guard != MAGIC) abort();
    if (text.data == NULL) continue;
    uint64_t *counts = letters_counts(state);
    for (size_t j = 0; j < text.size; ++j) ++counts[(unsigned char)text.data[j]];
    ++counts[256];
  }
}
static void letters_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                          int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    letters *to = MRC_STATE(letters, part, into[i]), *other = MRC_STATE(letters, part, from[i]);
    if (to->guard != MAGIC || other->guard != MAGIC) abort();
    if (other->counts == NULL) continue;
    if (to->counts == NULL) { /* takes over */
      to->counts = other->counts;
      other->counts = NULL;
      continue;
    }
    for (int64_t j = 0; j < 257; ++j) to->counts[j] += other->counts[j];
  }
}
static void letters_save(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const letters *own = MRC_CONST_STATE(letters, part, state);
  if (own->guard != MAGIC) abort();
  if (own->counts == NULL) return; /* the state's own bytes are all there is */
  out->write(out, own->counts, 100 * sizeof(uint64_t));
  out->write(out, own->counts + 100, 157 * sizeof(uint64_t));
}
static void letters_load(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  (void)arena;
  if (saved.size == 0) return; /* nothing was counted */
  if (saved.size != 257 * sizeof(uint64_t)) abort();
  memcpy(letters_counts(MRC_STATE(letters, part, state)), saved.data, saved.size);
}
static void letters_destroy(const mrc_part *part, mrc_state *state) {
  letters *own = MRC_STATE(letters, part, state);
  if (own->guard != MAGIC) abort(); /* twice, or not one of ours */
  own->guard = 0;
  free(own->counts);
}
static void letters_shown(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const letters *own = MRC_CONST_STATE(letters, part, state);
  if (own->counts == NULL) return;
  uint64_t hash = 7;
  for (int64_t i = 0; i < 256; ++i) hash = hash * 31 + own->counts[i];
  write_number(out, own->counts[256]);
  mrc_write(out, "/");
  write_number(out, hash);
}
static const mrc_column letters_columns[] = {{.name = "letters", .text = letters_shown}};
static const mrc_reducer letters_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "letters",
    .summary = "the letters of texts",
    .state_bytes = sizeof(letters),
    .add = letters_add,
    .merge = letters_merge,
    .save = letters_save,
    .load = letters_load,
    .init = letters_init,
    .destroy = letters_destroy,
    .columns = MRC_ARRAY(letters_columns),
    .values = text_type,
    .value_count = 1,
};

/* listed: a hash of the key and of all values, in their order. */
static uint64_t hash_row(uint64_t hash, const mrc_values values, int64_t i) {
  const int64_t integer = (int64_t)mrc_value(values, i, 0);
  const double real = mrc_word_real(mrc_value(values, i, 1));
  hash = hash * 31 + (uint64_t)integer;
  hash = hash * 31 + (real != real ? 1u : (uint64_t)(int64_t)(real * 4));
  return hash_text(hash, mrc_word_text(mrc_value(values, i, 2)));
}
static void listed_reduce(const mrc_part *part, mrc_text key, mrc_list list, mrc_out *out) {
  uint64_t hash = hash_text(wrong(part) ? 2 : 1, key);
  for (int64_t i = 0; i < list.count; ++i) hash = hash_row(hash, list.values, i);
  write_number(out, (uint64_t)list.count);
  mrc_write(out, "#");
  write_number(out, hash);
}
static const mrc_reducer listed_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "listed",
    .summary = "a hash of all values",
    .reduce = listed_reduce,
    .values = all_types,
    .value_count = 3,
};

/* folded: integers in a list, of which one can stand for many: the sum of their low bits. */
static int64_t folded_combine(const mrc_part *part, uint64_t *words, int64_t width, int64_t n) {
  uint64_t sum = 0;
  int64_t there = 0;
  (void)part;
  for (int64_t i = 0; i < n; ++i) {
    if ((int64_t)words[i * width] == MRC_NO_INTEGER) continue;
    sum += words[i * width] & 0xFFFF;
    ++there;
  }
  words[0] = there == 0 ? (uint64_t)MRC_NO_INTEGER : sum & 0xFFFF;
  return n == 0 ? 0 : 1;
}
static void folded_reduce(const mrc_part *part, mrc_text key, mrc_list list, mrc_out *out) {
  uint64_t sum = 0;
  (void)part, (void)key;
  for (int64_t i = 0; i < list.count; ++i) {
    const uint64_t value = mrc_value(list.values, i, 0);
    if ((int64_t)value != MRC_NO_INTEGER) sum += value & 0xFFFF;
  }
  char digits[32];
  snprintf(digits, sizeof digits, "%lld", (long long)(sum & 0xFFFF));
  mrc_write(out, digits);
}
static const mrc_column folded_columns[] = {{.name = "total"}};
static const mrc_reducer folded_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "folded",
    .summary = "the sum, of a list",
    .columns = MRC_ARRAY(folded_columns),
    .reduce = folded_reduce,
    .combine = folded_combine,
    .values = integer_type,
    .value_count = 1,
};

/* chained: a hash that depends on the order of texts. */
static void chained_init(const mrc_part *part, mrc_state *state) {
  *MRC_STATE(uint64_t, part, state) = 17;
}
static void chained_add(const mrc_part *part, mrc_state *const *states, mrc_values values,
                        int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t *state = MRC_STATE(uint64_t, part, states[i]);
    *state = hash_text(*state, mrc_word_text(mrc_value(values, i, part->value)));
  }
}
static int64_t chained_shown(const mrc_part *part, const mrc_state *state) {
  return (int64_t)(*MRC_CONST_STATE(uint64_t, part, state) >> 2);
}
static void chained_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  write_number(out, *MRC_CONST_STATE(uint64_t, part, state) % 10);
}
static const mrc_column chained_columns[] = {{.name = "chained", .integer = chained_shown},
                                             {.name = "digit", .text = chained_text}};
static const mrc_reducer chained_reducer = {
    .size = sizeof(mrc_reducer),
    .flags = MRC_ORDERED,
    .name = "chained",
    .summary = "a hash of texts in their order",
    .state_bytes = sizeof(uint64_t),
    .add = chained_add,
    .init = chained_init,
    .columns = MRC_ARRAY(chained_columns),
    .values = text_type,
    .value_count = 1,
};

/* seen: how many records, whatever is in them. */
static void seen_add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                     mrc_arena *arena) {
  (void)values, (void)arena;
  for (int64_t i = 0; i < n; ++i) ++*MRC_STATE(int64_t, part, states[i]);
}
static void seen_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                       int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(int64_t, part, into[i]) += *MRC_CONST_STATE(int64_t, part, from[i]);
  }
}
static int64_t seen_shown(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(int64_t, part, state);
}
static const mrc_column seen_columns[] = {{.name = "seen", .integer = seen_shown}};
static const mrc_reducer seen_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "seen",
    .summary = "how many records",
    .state_bytes = sizeof(int64_t),
    .add = seen_add,
    .merge = seen_merge,
    .columns = MRC_ARRAY(seen_columns),
};

#endif
