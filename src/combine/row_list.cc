// A list is a chain of rows in the arena, last row first, so that adding is a store, and merging
// links one list to the other. A row is two words that order it, its words, and the bytes of its
// texts. The rows are sorted when they are read.
//
// A reducer with `combine` gets all rows of the list when at least kMany have been added since the
// last call. The rows that it leaves stay in the list with the orders of the first rows.
#include "combine/row_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mrc {
namespace {

constexpr u64 kMany = 1024;

struct StoredRow {
  StoredRow *previous;
  u64 order[2];
  // The row's words, and the bytes of its texts. The word of a text is its size + 1; 0: missing.

  u64 *words() { return reinterpret_cast<u64 *>(this + 1); }
  const u64 *words() const { return reinterpret_cast<const u64 *>(this + 1); }
};

struct RowList {
  u64 count;
  u64 uncombined;
  StoredRow *last;
  StoredRow *first;
};

const RowListSpec &spec_of(const Part &part) {
  return *static_cast<const RowListSpec *>(part.context);
}
RowList *list_of(State *state) { return reinterpret_cast<RowList *>(state); }
const RowList *list_of(const State *state) { return reinterpret_cast<const RowList *>(state); }

void append(StoredRow *row, RowList *list) {
  row->previous = list->last;
  if (list->last == nullptr) list->first = row;
  list->last = row;
  ++list->count;
}

// Copies a row whose texts in `words` are words of the interface.
StoredRow *store(const RowListSpec &spec, const u64 *order, const u64 *words, Arena *arena) {
  const size_t width = spec.types.size();
  u64 bytes = sizeof(StoredRow) + 8 * width;
  for (size_t i = 0; i < width; ++i) {
    if (spec.types[i] == MRC_TEXT) bytes += mrc_word_text(words[i]).size;
  }
  auto *row = reinterpret_cast<StoredRow *>(arena->alloc(static_cast<i64>(bytes)));
  std::copy_n(order, 2, row->order);
  char *text_at = reinterpret_cast<char *>(row->words() + width);
  for (size_t i = 0; i < width; ++i) {
    row->words()[i] = words[i];
    if (spec.types[i] != MRC_TEXT) continue;
    const mrc_text text = mrc_word_text(words[i]);
    row->words()[i] = text.data == nullptr ? 0 : text.size + 1;
    if (text.size > 0) std::memcpy(text_at, text.data, text.size);
    text_at += text.size;
  }
  return row;
}

std::vector<const StoredRow *> sorted(const RowList &list) {
  std::vector<const StoredRow *> rows;
  rows.reserve(list.count);
  for (const StoredRow *row = list.last; row != nullptr; row = row->previous) rows.push_back(row);
  std::reverse(rows.begin(), rows.end());
  auto before = [](const StoredRow *a, const StoredRow *b) {
    return a->order[0] != b->order[0] ? a->order[0] < b->order[0] : a->order[1] < b->order[1];
  };
  if (!std::is_sorted(rows.begin(), rows.end(), before)) {
    std::stable_sort(rows.begin(), rows.end(), before);
  }
  return rows;
}

SortedRows words_of(const RowListSpec &spec, const std::vector<const StoredRow *> &rows) {
  SortedRows all;
  all.width = std::ssize(spec.types);
  all.count = std::ssize(rows);
  all.words.reserve(rows.size() * spec.types.size());
  all.long_texts.reserve(rows.size() * spec.types.size());  // keeps the addresses of its elements
  for (const StoredRow *row : rows) {
    const char *text_at = reinterpret_cast<const char *>(row->words() + spec.types.size());
    for (size_t i = 0; i < spec.types.size(); ++i) {
      u64 word = row->words()[i];
      if (spec.types[i] == MRC_TEXT && word != 0) {
        const mrc_text &text = all.long_texts.emplace_back(mrc_text{text_at, word - 1});
        text_at += text.size;
        word = mrc_text_word(&text);
      }
      all.words.push_back(word);
    }
  }
  return all;
}

// Calls the reducer's combine(). The rows that are left take the orders of the first rows.
void combine(const RowListSpec &spec, RowList *list, Arena *arena) {
  const std::vector<const StoredRow *> rows = sorted(*list);
  SortedRows all = words_of(spec, rows);
  const Part part(spec.reducer, 0, 0, spec.context);
  const i64 left = spec.reducer->combine(&part, all.words.data(), all.width, all.count);
  if (left < 0 || left > all.count) return;
  *list = {};
  for (i64 i = 0; i < left; ++i) {
    append(
        store(spec, rows[static_cast<size_t>(i)]->order, all.words.data() + i * all.width, arena),
        list);
  }
}

// Combines if enough rows have been added: as many as half of the list, so that the cost stays
// linear.
void combine_if_many(const RowListSpec &spec, RowList *list, Arena *arena) {
  if (spec.reducer->combine == nullptr) return;
  if (list->uncombined < std::max(kMany, list->count / 2)) return;
  combine(spec, list, arena);
  list->uncombined = 0;
}

// True if the row has no value. A job emits such rows for all but one of several lists.
bool all_missing(const RowListSpec &spec, const u64 *words) {
  for (size_t i = 0; i < spec.types.size(); ++i) {
    const bool missing = spec.types[i] == MRC_TEXT ? words[i] == 0
                         : spec.types[i] == MRC_INTEGER
                             ? static_cast<i64>(words[i]) == MRC_NO_INTEGER
                             : std::isnan(mrc_word_real(words[i]));
    if (!missing) return false;
  }
  return !spec.types.empty();
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const RowListSpec &spec = spec_of(part);
  for (i64 i = 0; i < n; ++i) {
    const u64 *row = values.words + i * values.width;
    if (all_missing(spec, row + part.value)) continue;
    RowList *list = list_of(states[i] + part.offset);
    append(store(spec, row + part.position, row + part.value, arena), list);
    ++list->uncombined;
    combine_if_many(spec, list, arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    RowList *to = list_of(into[i] + part.offset), *other = list_of(from[i] + part.offset);
    if (other->count == 0) continue;
    other->first->previous = to->last;
    if (to->first == nullptr) to->first = other->first;
    to->last = other->last;
    to->count += other->count;
    to->uncombined += other->count;
    *other = {};
    combine_if_many(spec_of(part), to, arena);
  }
}

// Saves each row as it is stored: order, words, and texts.
void save(const Part &part, const State *state, std::string *out) {
  const RowListSpec &spec = spec_of(part);
  for (const StoredRow *row : sorted(*list_of(state + part.offset))) {
    u64 bytes = 8 * (2 + spec.types.size());
    for (size_t i = 0; i < spec.types.size(); ++i) {
      if (spec.types[i] == MRC_TEXT) bytes += std::max<u64>(row->words()[i], 1) - 1;
    }
    out->append(reinterpret_cast<const char *>(row->order), bytes);
  }
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  const RowListSpec &spec = spec_of(part);
  const size_t width = spec.types.size();
  std::vector<u64> words(2 + width);
  std::vector<mrc_text> texts(width);
  while (!saved.empty()) {
    std::memcpy(words.data(), saved.data(), 8 * words.size());
    saved.remove_prefix(8 * words.size());
    for (size_t i = 0; i < width; ++i) {
      u64 &word = words[2 + i];
      if (spec.types[i] != MRC_TEXT || word == 0) continue;
      texts[i] = {saved.data(), word - 1};
      saved.remove_prefix(word - 1);
      word = mrc_text_word(&texts[i]);
    }
    append(store(spec, words.data(), words.data() + 2, arena), list_of(state + part.offset));
  }
}

}  // namespace

const Reducer kRowList = make_reducer<add, merge, save, load>(sizeof(RowList));

void shift_rows(const Part &part, State *state, u64 by) {
  const RowList &list = *list_of(state + part.offset);
  for (StoredRow *row = list.last; row != nullptr; row = row->previous) row->order[0] += by;
}

SortedRows rows_of(const RowListSpec &spec, const State *own) {
  return words_of(spec, sorted(*list_of(own)));
}

}  // namespace mrc
