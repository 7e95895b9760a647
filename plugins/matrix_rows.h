/* Rows of matrices as output, for plugins in C++: the numbers of a row are one cell of text,
 * which a mapper has made. */
#ifndef MRC_PLUGINS_MATRIX_ROWS_H
#define MRC_PLUGINS_MATRIX_ROWS_H

#include "mrc_plugin.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

namespace matrix {

// Appends a number and a blank. The caller removes the blank after the last number.
template <class Number>
void append_number(Number number, std::string *text) {
  char buffer[40];
  char *const end = std::to_chars(buffer, buffer + sizeof buffer - 1, number).ptr;
  *end = ' ';
  text->append(buffer, end + 1);
}

// The text of a key. There is only one; of several, the smallest is kept in any order of merging.
struct RowText {
  const char *data;
  size_t size;
};

inline void take_less(RowText *into, mrc_text text) {
  if (into->data != nullptr) {
    const int order = std::memcmp(into->data, text.data, std::min(into->size, text.size));
    if (order < 0 || (order == 0 && into->size <= text.size)) return;
  }
  *into = {text.data, text.size};
}

inline mrc_text copy_text(mrc_text text, mrc_arena *arena) {
  char *const copy = static_cast<char *>(arena->allocate(arena, text.size + 1));
  if (text.size != 0) std::memcpy(copy, text.data, text.size);
  return {copy, text.size};
}

inline void add_row_text(const mrc_part *part, mrc_state *const *states, mrc_values values,
                         int64_t n, mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    if (text.data == nullptr) continue;
    take_less(MRC_STATE(RowText, part, states[i]), copy_text(text, arena));
  }
}

inline void merge_row_text(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                           int64_t n, mrc_arena *) {
  for (int64_t i = 0; i < n; ++i) {
    const RowText *text = MRC_CONST_STATE(RowText, part, from[i]);
    if (text->data != nullptr) {
      take_less(MRC_STATE(RowText, part, into[i]), {text->data, text->size});
    }
  }
}

inline void write_row_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const RowText *text = MRC_CONST_STATE(RowText, part, state);
  if (text->data != nullptr) out->write(out, text->data, text->size);
}

// A leading byte distinguishes an empty text from none.
inline void save_row_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  if (MRC_CONST_STATE(RowText, part, state)->data == nullptr) return;
  out->write(out, "t", 1);
  write_row_text(part, state, out);
}

inline void load_row_text(const mrc_part *part, mrc_state *state, mrc_text saved,
                          mrc_arena *arena) {
  if (saved.size == 0) return;
  const mrc_text text = copy_text({saved.data + 1, saved.size - 1}, arena);
  *MRC_STATE(RowText, part, state) = {text.data, text.size};
}

// Returns a reducer with that one column.
inline mrc_reducer row_text_reducer(const mrc_column *column) {
  static const mrc_type values[] = {MRC_TEXT};
  mrc_reducer reducer = {};
  reducer.size = sizeof reducer;
  reducer.name = "row_text";
  reducer.summary = "the numbers of a row";
  reducer.state_bytes = sizeof(RowText);
  reducer.add = add_row_text;
  reducer.merge = merge_row_text;
  reducer.save = save_row_text;
  reducer.load = load_row_text;
  reducer.columns = {column, 1, sizeof *column};
  reducer.values = values;
  reducer.value_count = 1;
  return reducer;
}

}  // namespace matrix

#endif
