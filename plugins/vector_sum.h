/* A reducer for plugins in C++ that adds vectors of integers, given as texts of int64_t bytes.
 * Their first element identifies the vector: it is not added, and the largest is kept. If
 * vectors have different lengths, which no job here uses, the shorter one is extended with
 * zeros. */
#ifndef MRC_PLUGINS_VECTOR_SUM_H
#define MRC_PLUGINS_VECTOR_SUM_H

#include "mrc_plugin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

// size is 0 if nothing has been added yet.
struct VectorSum {
  int64_t *numbers;
  int64_t size;
};

inline void grow_vector(VectorSum *sum, int64_t size, mrc_arena *arena) {
  const size_t bytes = static_cast<size_t>(size) * sizeof(int64_t);
  auto *const numbers = static_cast<int64_t *>(arena->allocate(arena, bytes));
  if (sum->size != 0) std::copy_n(sum->numbers, sum->size, numbers);
  std::fill(numbers + sum->size, numbers + size, 0);
  if (sum->size == 0) numbers[0] = INT64_MIN;
  *sum = {numbers, size};
}

inline void add_vector(VectorSum *sum, mrc_text bytes, mrc_arena *arena) {
  const auto size = static_cast<int64_t>(bytes.size / sizeof(int64_t));
  if (size > sum->size) grow_vector(sum, size, arena);
  for (int64_t i = 0; i < size; ++i) {
    int64_t number;
    std::memcpy(&number, bytes.data + i * static_cast<int64_t>(sizeof number), sizeof number);
    const uint64_t added = static_cast<uint64_t>(sum->numbers[i]) + static_cast<uint64_t>(number);
    sum->numbers[i] = i == 0 ? std::max(sum->numbers[0], number) : static_cast<int64_t>(added);
  }
}

inline mrc_text bytes_of(const VectorSum *sum) {
  return {reinterpret_cast<const char *>(sum->numbers),
          static_cast<size_t>(sum->size) * sizeof(int64_t)};
}

inline void add_vectors(const mrc_part *part, mrc_state *const *states, mrc_values values,
                        int64_t n, mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text bytes = mrc_word_text(mrc_value(values, i, part->value));
    add_vector(MRC_STATE(VectorSum, part, states[i]), bytes, arena);
  }
}

inline void merge_vectors(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                          int64_t n, mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text bytes = bytes_of(MRC_CONST_STATE(VectorSum, part, from[i]));
    add_vector(MRC_STATE(VectorSum, part, into[i]), bytes, arena);
  }
}

inline void save_vector(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const mrc_text bytes = bytes_of(MRC_CONST_STATE(VectorSum, part, state));
  if (bytes.size != 0) out->write(out, bytes.data, bytes.size);
}

inline void load_vector(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  add_vector(MRC_STATE(VectorSum, part, state), saved, arena);
}

// Returns a reducer with that name, and columns that show the sums.
inline mrc_reducer vector_sum(const char *name, const char *summary, mrc_columns columns) {
  static const mrc_type values[] = {MRC_TEXT};
  mrc_reducer reducer = {};
  reducer.size = sizeof reducer;
  reducer.name = name;
  reducer.summary = summary;
  reducer.state_bytes = sizeof(VectorSum);
  reducer.add = add_vectors;
  reducer.merge = merge_vectors;
  reducer.save = save_vector;
  reducer.load = load_vector;
  reducer.columns = columns;
  reducer.values = values;
  reducer.value_count = 1;
  return reducer;
}

#endif
