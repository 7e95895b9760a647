/* A reducer for plugins in C++ that adds up vectors of integers: texts of the bytes of int64_t,
 * all of one size for a key. Their first element is not added: it says what they belong to. */
#ifndef MRC_PLUGINS_VECTOR_SUM_H
#define MRC_PLUGINS_VECTOR_SUM_H

#include "mrc_plugin.h"

#include <algorithm>
#include <cstring>

// No numbers: nothing has been added yet.
struct VectorSum {
  int64_t *numbers;
  int64_t size;
};

inline void add_vector(VectorSum *sum, mrc_text bytes, mrc_arena *arena) {
  const auto size = static_cast<int64_t>(bytes.size / sizeof(int64_t));
  if (size == 0) return;
  if (sum->numbers == nullptr) {
    sum->numbers = static_cast<int64_t *>(arena->allocate(arena, bytes.size));
    sum->size = size;
    std::memcpy(sum->numbers, bytes.data, bytes.size);
    return;
  }
  for (int64_t i = 1; i < std::min(size, sum->size); ++i) {
    int64_t number;
    std::memcpy(&number, bytes.data + i * static_cast<int64_t>(sizeof number), sizeof number);
    sum->numbers[i] += number;
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

// A reducer with that name, and columns that show the sums.
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
