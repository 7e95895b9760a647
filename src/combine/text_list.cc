// A list keeps its values in pieces that double: the difference of the position from that of the
// value before, the size and the bytes. Merging links pieces. Each worker adds its values nearly in
// order, so the values are brought in order by merging few ascending runs. Values at the same
// position are ordered by their bytes.
//
// On disk, a value and its position are one text that begins with the position, in big-endian
// order. A mark at the front keeps texts from being read as numbers.
#include "combine/inner/text_list.h"

#include "base/sort_field.h"
#include "base/varint.h"
#include "combine/figure.h"
#include "combine/inner/joined_values.h"
#include "combine/inner/kept_text.h"
#include "combine/value_runs.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace mrc {
namespace {

struct Piece {
  Piece *previous;
  u64 base;  // the position before the first difference
  u64 used, room;

  u8 *bytes() { return reinterpret_cast<u8 *>(this + 1); }
};

constexpr u64 kFirstRoom = 48, kMostRoom = 4096;

struct Entry {
  u64 position;
  Bytes text;
};
bool is_before(const Entry &a, const Entry &b) {
  return a.position != b.position ? a.position < b.position : a.text < b.text;
}

struct TextList {
  u64 count;     // of values in memory
  u64 bytes;     // of their texts
  u64 last;      // position of the value that was added last
  KeptText one;  // the value, if there is one
  Piece *tail;   // null while count < 2
  SpilledValues *spilled;

  void add(u64 position, KeptText text, Arena *arena);
  // Takes over what `other` has in memory.
  void merge(const TextList &other, Arena *arena);
  std::vector<Entry> in_order() const;
  i64 memory_bytes() const { return static_cast<i64>(bytes + count * sizeof(Entry)); }
  void forget() { count = bytes = 0, one = {}, tail = nullptr; }

 private:
  void put(u64 position, Bytes text, Arena *arena);
};
static_assert(sizeof(TextList) == 56);

void TextList::add(u64 position, KeptText text, Arena *arena) {
  if (count == 1) put(last, one.bytes(), arena);
  count == 0 ? void(one = keep_text(text, arena)) : put(position, text.bytes(), arena);
  bytes += text.bytes().size();
  last = position;
  ++count;
}

u64 varint_bytes(u64 number) { return (static_cast<u64>(std::bit_width(number | 1)) + 6) / 7; }

void TextList::put(u64 position, Bytes text, Arena *arena) {
  const u64 step = zigzag(static_cast<i64>(position - last));
  const u64 need = varint_bytes(step) + varint_bytes(text.size()) + text.size();
  if (tail == nullptr || tail->room - tail->used < need) {
    const u64 usual = tail == nullptr ? kFirstRoom : std::min(2 * tail->room, kMostRoom);
    const u64 room = std::max(need, usual);
    void *memory = arena->alloc(static_cast<i64>((sizeof(Piece) + room + 7) / 8 * 8));
    tail = new (memory) Piece{tail, last, 0, room};
  }
  u8 *const begin = tail->bytes() + tail->used;
  u8 *end = put_varint(begin, step);
  end = put_varint(end, text.size());
  std::copy(text.begin(), text.end(), end);
  tail->used += need;
}

void TextList::merge(const TextList &other, Arena *arena) {
  if (other.count == 0) return;
  if (other.count == 1) return add(other.last, other.one, arena);
  const TextList own = *this;
  if (own.count > 1) {
    Piece *head = other.tail;
    while (head->previous != nullptr) head = head->previous;
    head->previous = own.tail;
  }
  *this = other;
  spilled = own.spilled;
  if (own.count == 1) return add(own.last, own.one, arena);
  count += own.count;
  bytes += own.bytes;
}

// Merges ascending runs, neighbours with neighbours, until one is left.
void sort_by_runs(std::vector<Entry> *entries) {
  constexpr size_t kShort = 8;
  if (std::is_sorted(entries->begin(), entries->end(), is_before)) return;
  std::vector<i64> ends;
  for (auto at = entries->begin(); at != entries->end();) {
    at = std::is_sorted_until(at, entries->end(), is_before);
    ends.push_back(at - entries->begin());
    if (ends.size() * kShort > entries->size()) break;
  }
  if (ends.size() * kShort > entries->size()) {
    return std::sort(entries->begin(), entries->end(), is_before);
  }
  std::vector<Entry> merged(entries->size());
  while (ends.size() > 1) {
    std::vector<i64> ends_of_merged;
    i64 begin = 0;
    for (size_t i = 0; i < ends.size(); i += 2) {
      const auto from = entries->begin();
      const i64 middle = ends[i], end = ends[std::min(i + 1, ends.size() - 1)];
      std::merge(from + begin, from + middle, from + middle, from + end, merged.begin() + begin,
                 is_before);
      ends_of_merged.push_back(begin = end);
    }
    entries->swap(merged);
    ends.swap(ends_of_merged);
  }
}

// The entries borrow the texts of the list.
std::vector<Entry> TextList::in_order() const {
  if (count == 1) return {{last, one.bytes()}};
  std::vector<Piece *> pieces;
  for (Piece *piece = tail; piece != nullptr; piece = piece->previous) pieces.push_back(piece);
  std::ranges::reverse(pieces);
  std::vector<Entry> entries;
  entries.reserve(count);
  for (Piece *piece : pieces) {
    u64 position = piece->base;
    Bytes left(reinterpret_cast<const char *>(piece->bytes()), piece->used);
    while (!left.empty()) {
      position += static_cast<u64>(unzigzag(take_varint(&left)));
      entries.push_back({position, take_sized(&left)});
    }
  }
  sort_by_runs(&entries);
  return entries;
}

TextList *list_of(State *state) { return reinterpret_cast<TextList *>(state); }
// Reading values may move them to disk, but does not change them.
TextList *list_of(const State *state) { return list_of(const_cast<State *>(state)); }

constexpr char kMark = 'v';

// Streams entries as texts for the disk. Each form of entries gives them by its own next_entry().
class PlacedTexts : public ValueStream {
 public:
  bool next(CountedValue *value) final {
    Entry entry;
    if (!next_entry(&entry)) return false;
    text_ = kMark;
    append_position(entry.position, &text_);
    text_.append(entry.text);
    *value = {text_, kBadNumber, 1};
    return true;
  }

 private:
  virtual bool next_entry(Entry *entry) = 0;

  std::string text_;
};

class EntriesInMemory : public PlacedTexts {
 public:
  explicit EntriesInMemory(std::vector<Entry> entries) : entries_(std::move(entries)) {}

 private:
  bool next_entry(Entry *entry) override {
    if (next_ == entries_.size()) return false;
    *entry = entries_[next_++];
    return true;
  }

  const std::vector<Entry> entries_;
  size_t next_ = 0;
};

// Removes an entry from the front of saved ones; `position` is that of the one before.
Entry take_saved(Bytes *saved, u64 position) {
  position += take_varint(saved);
  return {position, take_sized(saved)};
}

class SavedEntries : public PlacedTexts {
 public:
  explicit SavedEntries(Bytes saved) : saved_(saved) {}

 private:
  bool next_entry(Entry *entry) override {
    if (saved_.empty()) return false;
    *entry = take_saved(&saved_, position_);
    position_ = entry->position;
    return true;
  }

  Bytes saved_;
  u64 position_ = 0;
};

// Entries of a run, with something added to their positions.
class ShiftedEntries : public PlacedTexts {
 public:
  ShiftedEntries(std::unique_ptr<ValueStream> texts, u64 by) : texts_(std::move(texts)), by_(by) {}

  static Entry entry_of(const CountedValue &value) {
    return {position_at(value.text.data() + 1), value.text.substr(1 + sizeof(u64))};
  }

 private:
  bool next_entry(Entry *entry) override {
    CountedValue value;
    if (left_ == 0 && !texts_->next(&value)) return false;
    if (left_ == 0) {
      left_ = value.count;
      entry_ = entry_of(value);
      entry_.position += by_;
    }
    --left_;
    *entry = entry_;
    return true;
  }

  const std::unique_ptr<ValueStream> texts_;
  const u64 by_;
  Entry entry_ = {};
  u64 left_ = 0;  // how often the entry is still to be given
};

const ValueRun *write(const TextList &list, ValueRuns *runs) {
  EntriesInMemory entries(list.in_order());
  return runs->write(&entries, true);
}

void spill(TextList *list, ValueRuns *runs) {
  if (list->count == 0) return;
  if (list->spilled == nullptr) list->spilled = runs->make_spilled();
  list->spilled->add(write(*list, runs));
  list->forget();
}

// Returns the run of all values, if some are on disk; else null.
const ValueRun *run_of(TextList *list) {
  if (list->spilled == nullptr) return nullptr;
  spill(list, list->spilled->owner());
  return &list->spilled->merged();
}

// Calls show(entry) for all values, in the order of the input.
template <typename Show>
void each_entry(TextList *list, Show show) {
  const ValueRun *run = run_of(list);
  if (run == nullptr) {
    for (const Entry &entry : list->in_order()) show(entry);
    return;
  }
  const std::unique_ptr<ValueStream> all = list->spilled->owner()->read(*run);
  for (CountedValue value; all->next(&value);) {
    for (u64 i = 0; i < value.count; ++i) show(ShiftedEntries::entry_of(value));
  }
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = values.text(i, part.value);
    if (!is_present(text)) continue;
    list_of(states[i] + part.offset)->add(values.at(i, part.position), borrow_text(text), arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    TextList *to = list_of(into[i] + part.offset), *other = list_of(from[i] + part.offset);
    to->merge(*other, arena);
    if (other->spilled == nullptr) continue;
    to->spilled == nullptr ? void(to->spilled = other->spilled) : to->spilled->add(*other->spilled);
  }
}

// Saves the names of runs (possibly none), and the values in memory in order: the difference of the
// position, size, bytes. Without `part.runs`, saves all values, because the saved state must
// outlive the runs. A state that owns no memory is saved as its own bytes.
void save(const Part &part, const State *state, std::string *out) {
  TextList *list = list_of(state + part.offset);
  const bool is_flat = list->count == 0 || (list->count == 1 && !list->one.is_long());
  if (is_flat && list->spilled == nullptr) return;
  u64 before = 0;
  const auto append = [&](const Entry &entry) {
    append_varint(entry.position - std::exchange(before, entry.position), out);
    append_sized(entry.text, out);
  };
  if (part.runs == nullptr) {
    append_varint(0, out);
    return each_entry(list, append);
  }
  SpilledValues all(part.runs);
  if (list->spilled != nullptr) all.add(*list->spilled);
  const bool large = list->memory_bytes() > part.runs->most_saved();
  if (large) all.add(write(*list, part.runs));
  all.save(out);
  if (large) return;
  for (const Entry &entry : list->in_order()) append(entry);
}

// Values that do not fit in memory go to a run.
void load_list(const Part &part, State *state, Bytes saved, Arena *arena) {
  TextList *list = list_of(state + part.offset);
  *list = {};
  saved.front() == 0 ? saved.remove_prefix(1)
                     : void(list->spilled = part.runs->load_spilled(&saved));
  if (part.runs != nullptr && part.runs->is_much(saved)) {
    if (list->spilled == nullptr) list->spilled = part.runs->make_spilled();
    SavedEntries entries(saved);
    return list->spilled->add(part.runs->write(&entries, true));
  }
  while (!saved.empty()) {
    const Entry entry = take_saved(&saved, list->last);
    list->add(entry.position, borrow_exactly(entry.text), arena);
  }
}

}  // namespace

const Reducer kTextList = make_reducer<add, merge, save, load_list>(sizeof(TextList));

void bound_texts(const Part &part, State *state) {
  TextList *list = list_of(state + part.offset);
  if (list->memory_bytes() > part.runs->most_finished()) spill(list, part.runs);
}

void shift_texts(const Part &part, State *state, u64 by) {
  TextList *list = list_of(state + part.offset);
  if (list->count > 0) list->last += by;
  for (Piece *piece = list->tail; piece != nullptr; piece = piece->previous) piece->base += by;
  if (list->spilled == nullptr) return;
  ValueRuns *runs = list->spilled->owner();
  ShiftedEntries entries(runs->read(list->spilled->merged()), by);
  list->spilled = runs->make_spilled();
  list->spilled->add(runs->write(&entries, true));
}

u64 texts_of(const State *own) {
  const ValueRun *run = run_of(list_of(own));
  return run != nullptr ? run->total : list_of(own)->count;
}

void stream_texts(const Column &column, const State *own, Notation notation, std::string *out,
                  Drain *drain) {
  constexpr size_t kLongText = size_t{64} << 10;  // size from which text is drained
  JoinedValues list(style_of(column).separator, notation, out);
  each_entry(list_of(own), [&](const Entry &entry) {
    list.add(entry.text);
    if (drain != nullptr && out->size() >= kLongText) drain->take(out);
  });
  list.end();
}

}  // namespace mrc
