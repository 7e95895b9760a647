// Entries lie in the table itself, 24 bytes each, and the hash is not kept: to find the
// place of a short text again is one multiplication.
#include "combine/value_counts.h"

#include "base/varint.h"
#include "combine/aggregates.h"
#include "combine/text_table.h"
#include "combine/value_text.h"

#include <algorithm>
#include <cassert>

namespace mrc {

struct ValueCounts::Table : TextTable<ValueCounts::Table, ValueCounts::Entry> {
  SpilledValues *spilled;  // null: nothing has been
};

namespace {

constexpr u64 kFirstCapacity = 4;

using Entry = ValueCounts::Entry;
using Table = ValueCounts::Table;

// The values of a state in order, while the state stays as it is.
class SortedEntries : public ValueStream {
 public:
  explicit SortedEntries(std::vector<Entry> entries)
      : entries_(std::move(entries)), sorted_(counted(entries_, &wide_)) {}
  bool next(CountedValue *value) override { return sorted_.next(value); }

 private:
  static std::vector<CountedValue> counted(const std::vector<Entry> &entries, Arena *wide) {
    std::vector<CountedValue> values;
    values.reserve(entries.size());
    for (const Entry &entry : entries) {
      const Bytes text = entry.text.bytes();
      values.push_back({text, number_in(text, wide), entry.count});
    }
    return values;
  }

  std::vector<Entry> entries_;  // hold the short texts
  Arena wide_;
  SortedValueStream sorted_;
};

// The same, as they lie in the state.
class UnsortedEntries : public ValueStream {
 public:
  explicit UnsortedEntries(std::vector<Entry> entries) : entries_(std::move(entries)) {}
  bool next(CountedValue *value) override {
    if (next_ == entries_.size()) return false;
    const Entry &entry = entries_[next_++];
    const Bytes text = entry.text.bytes();
    wide_.clear();
    *value = {text, number_in(text, &wide_), entry.count};
    return true;
  }

 private:
  std::vector<Entry> entries_;
  size_t next_ = 0;
  Arena wide_;
};

// What the values take in memory with all that it takes to put them in order.
i64 bytes_of(const std::vector<Entry> &entries) {
  i64 bytes = std::ssize(entries) * static_cast<i64>(sizeof(Entry) + sizeof(CountedValue));
  for (const Entry &entry : entries) bytes += std::ssize(entry.text.bytes());
  return bytes;
}

}  // namespace

void ValueCounts::make_table(u64 capacity, const Seed &seed, Arena *arena) {
  Table *table = Table::make(capacity, arena);
  if (!one_.text.is_none()) {
    *table->place_of(one_.text, seed) = one_;
    table->size = 1;
  }
  set_table(table);
}

void ValueCounts::add(KeptText text, u64 count, bool lasts, const Seed &seed, Arena *arena) {
  auto kept = [&] { return lasts ? text : keep_text(text, arena); };
  if (!has_table()) {
    if (one_.text.is_none()) one_.text = kept();
    if (one_.text == text) {
      one_.count += count;
      return;
    }
    make_table(kFirstCapacity, seed, arena);
  }
  Entry *entry = table()->place_of(text, seed);
  if (entry->text.is_none()) {
    if (table()->is_full()) {
      set_table(table()->doubled(seed, arena));
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
  if (!has_table()) make_table(kFirstCapacity, seed, arena);
  Table *own = table();
  Table::adopt(&own, *other->table(), seed, arena,
               [](Entry *to, const Entry &entry) { to->count += entry.count; });
  set_table(own);
  if (SpilledValues *spilled = other->spilled_values()) take_spilled(spilled, seed, arena);
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

std::unique_ptr<ValueStream> ValueCounts::sorted() const {
  return std::make_unique<SortedEntries>(entries());
}

SpilledValues *ValueCounts::spilled_values() const {
  return has_table() ? table()->spilled : nullptr;
}

void ValueCounts::take_spilled(SpilledValues *spilled, const Seed &seed, Arena *arena) {
  if (!has_table()) make_table(kFirstCapacity, seed, arena);
  SpilledValues *&own = table()->spilled;
  own == nullptr ? void(own = spilled) : own->add(*spilled);
}

void ValueCounts::spill(ValueRuns *runs) {
  Table *own = table();
  if (own->spilled == nullptr) own->spilled = runs->make_spilled();
  own->spilled->add(runs->write(sorted().get(), true));
  own->size = 0;
  std::memset(static_cast<void *>(own->begin()), 0, own->capacity * sizeof(Entry));
}

void ValueCounts::bound(ValueRuns *runs) {
  if (has_table() && bytes_of(entries()) > runs->most_finished()) spill(runs);
}

const ValueRun *ValueCounts::spilled() {
  SpilledValues *spilled = spilled_values();
  if (spilled == nullptr) return nullptr;
  if (table()->size > 0) spill(spilled->owner());
  return &spilled->merged();
}

std::unique_ptr<ValueStream> ValueCounts::values() {
  const ValueRun *run = spilled();
  return run == nullptr ? sorted() : spilled_values()->owner()->read(*run);
}

std::unique_ptr<ValueStream> ValueCounts::values_in_any_order() {
  if (spilled_values() != nullptr) return values();
  return std::make_unique<UnsortedEntries>(entries());
}

// If there are runs: 0 and their names. Then each value in memory: count and size as
// varints, bytes.
void ValueCounts::save(ValueRuns *runs, std::string *out) const {
  const SpilledValues *spilled = spilled_values();
  if (runs == nullptr && spilled != nullptr) return const_cast<ValueCounts *>(this)->save_all(out);
  std::vector<Entry> kept = entries();
  const bool large = runs != nullptr && bytes_of(kept) > runs->most_saved();
  if (spilled != nullptr || large) {
    SpilledValues all(runs);
    if (spilled != nullptr) all.add(*spilled);
    if (large) all.add(runs->write(sorted().get(), true));
    out->push_back('\0');
    all.save(out);
    if (large) return;
  }
  std::sort(kept.begin(), kept.end(),
            [](const Entry &a, const Entry &b) { return a.text.bytes() < b.text.bytes(); });
  for (const Entry &entry : kept) {
    append_varint(entry.count, out);
    append_varint(entry.text.bytes().size(), out);
    out->append(entry.text.bytes());
  }
}

// Those that have left memory, too: what is saved is to outlive their runs.
void ValueCounts::save_all(std::string *out) {
  const std::unique_ptr<ValueStream> all = values();
  for (CountedValue value; all->next(&value);) {
    append_varint(value.count, out);
    append_varint(value.text.size(), out);
    out->append(value.text);
  }
}

void ValueCounts::load(Bytes saved, const Seed &seed, ValueRuns *runs, Arena *arena) {
  one_ = {};
  while (!saved.empty()) {
    const u64 count = take_varint(&saved);
    if (count == 0) {
      take_spilled(runs->load_spilled(&saved), seed, arena);
      continue;
    }
    const u64 size = take_varint(&saved);
    assert(size > 0 && size <= saved.size());
    add(borrow_exactly(saved.substr(0, size)), count, false, seed, arena);
    saved.remove_prefix(size);
  }
}

namespace {

ValueCounts *counts(State *state) { return reinterpret_cast<ValueCounts *>(state); }
const Seed &seed_of(const Part &part) { return *static_cast<const Seed *>(part.context); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = values.text(i, part.value);
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
  if (!own.is_flat()) own.save(part.runs, out);
}

void load_counts(const Part &part, State *state, Bytes saved, Arena *arena) {
  counts(state + part.offset)->load(saved, seed_of(part), part.runs, arena);
}

void bound_counts(const Part &part, State *state) { counts(state + part.offset)->bound(part.runs); }

const Reducer kValueCounts =
    make_reducer<add, merge_counts, save_counts, load_counts>(sizeof(ValueCounts));

}  // namespace mrc
