// Entries lie in the table itself, 24 bytes each, and the hash is not kept: to find the
// place of a short text again is one multiplication. Tables double when three quarters of
// them are taken; the arena keeps the old ones, which together are as large as the new.
#include "combine/value_counts.h"

#include "base/varint.h"
#include "combine/aggregates.h"

#include <algorithm>
#include <cassert>

namespace mrc {

struct ValueCounts::Table {
  u64 size;
  u64 capacity;  // a power of two

  Entry *begin() { return reinterpret_cast<Entry *>(this + 1); }
  const Entry *begin() const { return reinterpret_cast<const Entry *>(this + 1); }
  const Entry *end() const { return begin() + capacity; }

  static Table *make(u64 capacity, Arena *arena) {
    const u64 bytes = sizeof(Table) + capacity * sizeof(Entry);
    auto *table = reinterpret_cast<Table *>(arena->alloc(static_cast<i64>(bytes)));
    std::memset(static_cast<void *>(table), 0, bytes);
    table->capacity = capacity;
    return table;
  }

  // Where the text is, or belongs.
  Entry *place_of(const KeptText &text, const Seed &seed) {
    const u64 hash = text.is_long() ? hash_bytes(text.bytes(), seed)
                                    : fold_multiply(text.word[0] ^ seed.a, text.word[1] ^ seed.b);
    for (u64 at = hash;; ++at) {
      Entry *entry = begin() + (at & (capacity - 1));
      if (entry->text.is_none() || entry->text == text) return entry;
    }
  }
};

namespace {

constexpr u64 kFirstCapacity = 4;

using Entry = ValueCounts::Entry;
using Table = ValueCounts::Table;

bool is_full(const Table &table) { return 4 * (table.size + 1) > 3 * table.capacity; }

Table *doubled(const Table &table, const Seed &seed, Arena *arena) {
  Table *larger = Table::make(2 * table.capacity, arena);
  larger->size = table.size;
  for (const Entry &entry : table) {
    if (!entry.text.is_none()) *larger->place_of(entry.text, seed) = entry;
  }
  return larger;
}

}  // namespace

void ValueCounts::add(KeptText text, u64 count, bool lasts, const Seed &seed, Arena *arena) {
  auto kept = [&] { return lasts ? text : keep_text(text, arena); };
  if (!has_table()) {
    if (one_.text.is_none()) one_.text = kept();
    if (one_.text == text) {
      one_.count += count;
      return;
    }
    Table *table = Table::make(kFirstCapacity, arena);
    *table->place_of(one_.text, seed) = one_;
    table->size = 1;
    set_table(table);
  }
  Entry *entry = table()->place_of(text, seed);
  if (entry->text.is_none()) {
    if (is_full(*table())) {
      set_table(doubled(*table(), seed, arena));
      entry = table()->place_of(text, seed);
    }
    entry->text = kept();
    ++table()->size;
  }
  entry->count += count;
}

void ValueCounts::merge(ValueCounts *other, const Seed &seed, Arena *arena) {
  if (other->size() > size()) std::swap(*this, *other);
  if (!other->has_table()) {
    const Entry &one = other->one_;
    if (!one.text.is_none()) add(one.text, one.count, true, seed, arena);
    return;
  }
  for (const Entry &entry : *other->table()) {
    if (!entry.text.is_none()) add(entry.text, entry.count, true, seed, arena);
  }
}

u64 ValueCounts::size() const { return has_table() ? table()->size : !one_.text.is_none(); }

std::vector<Entry> ValueCounts::entries() const {
  std::vector<Entry> entries;
  if (!has_table()) {
    if (!one_.text.is_none()) entries.push_back(one_);
    return entries;
  }
  entries.reserve(table()->size);
  for (const Entry &entry : *table()) {
    if (!entry.text.is_none()) entries.push_back(entry);
  }
  return entries;
}

// Each: count and size as varints, bytes.
void ValueCounts::save(std::string *out) const {
  std::vector<Entry> sorted = entries();
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry &a, const Entry &b) { return a.text.bytes() < b.text.bytes(); });
  for (const Entry &entry : sorted) {
    append_varint(entry.count, out);
    append_varint(entry.text.bytes().size(), out);
    out->append(entry.text.bytes());
  }
}

void ValueCounts::load(Bytes saved, const Seed &seed, Arena *arena) {
  one_ = {};
  while (!saved.empty()) {
    const u64 count = take_varint(&saved), size = take_varint(&saved);
    assert(count > 0 && size > 0 && size <= saved.size());
    add(borrow_exactly(saved.substr(0, size)), count, false, seed, arena);
    saved.remove_prefix(size);
  }
}

namespace {

ValueCounts *counts(State *state) { return reinterpret_cast<ValueCounts *>(state); }
const Seed &seed_of(const Part &part) { return *static_cast<const Seed *>(part.context); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = text_of(values.at(i, part.value));
    if (!is_present(text)) continue;
    counts(states[i] + part.offset)->add(borrow_text(text), 1, false, seed_of(part), arena);
  }
}

}  // namespace

void merge_counts(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    counts(into[i] + part.offset)->merge(counts(from[i] + part.offset), seed_of(part), arena);
  }
}

void save_counts(const Part &part, const State *state, std::string *out) {
  const ValueCounts &own = *reinterpret_cast<const ValueCounts *>(state + part.offset);
  if (!own.is_flat()) own.save(out);
}

void load_counts(const Part &part, State *state, Bytes saved, Arena *arena) {
  counts(state + part.offset)->load(saved, seed_of(part), arena);
}

const Reducer kValueCounts =
    make_reducer<add, merge_counts, save_counts, load_counts>(sizeof(ValueCounts));

}  // namespace mrc
