// Entries are in the table itself, 24 bytes each, without the hash: hashing a short text again
// takes one multiplication.
#include "combine/inner/value_counts.h"

#include "base/varint.h"
#include "combine/aggregates.h"
#include "combine/figure.h"
#include "combine/inner/kept_text.h"

#include <algorithm>

namespace mrc {

struct ValueCounts::Table : TextTable<ValueCounts::Table, ValueCounts::Entry> {
  SpilledValues *spilled;  // null if no values are on disk
};

namespace {

constexpr u64 kFirstCapacity = 4;

using Entry = ValueCounts::Entry;
using Table = ValueCounts::Table;

// Yields the values of a state in order; the state must not change.
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

// Yields the values of a state in table order; the state must not change.
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

CountedValue take_saved(Bytes *saved, Arena *wide) {
  const u64 count = take_varint(saved);
  const Bytes text = take_sized(saved);
  return {text, number_in(text, wide), count};
}

// Writes saved values to runs, as many to each as may be sorted in memory.
void write_saved(Bytes saved, ValueRuns *runs, SpilledValues *spilled) {
  const i64 most = 1 + runs->most_finished() / static_cast<i64>(sizeof(CountedValue));
  while (!saved.empty()) {
    std::vector<CountedValue> values;
    Arena wide;
    while (!saved.empty() && std::ssize(values) < most) {
      values.push_back(take_saved(&saved, &wide));
    }
    SortedValueStream sorted(std::move(values));
    spilled->add(runs->write(&sorted, true));
  }
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

// Includes the memory to sort the values.
i64 ValueCounts::memory_bytes() const {
  i64 bytes = static_cast<i64>(size() * (sizeof(Entry) + sizeof(CountedValue)));
  if (!has_table()) return bytes + std::ssize(one_.text.bytes());
  for (const Entry &entry : *table()) bytes += std::ssize(entry.text.bytes());
  return bytes;
}

void ValueCounts::bound(ValueRuns *runs) {
  if (has_table() && memory_bytes() > runs->most_finished()) spill(runs);
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

// Saves 0 and the names of runs, if there are any. Then, for each value in memory: count and size
// as varints, bytes.
void ValueCounts::save(ValueRuns *runs, std::string *out) const {
  const SpilledValues *spilled = spilled_values();
  if (runs == nullptr && spilled != nullptr) return const_cast<ValueCounts *>(this)->save_all(out);
  const bool large = runs != nullptr && memory_bytes() > runs->most_saved();
  if (spilled != nullptr || large) {
    SpilledValues all(runs);
    if (spilled != nullptr) all.add(*spilled);
    if (large) all.add(runs->write(sorted().get(), true));
    out->push_back('\0');
    all.save(out);
    if (large) return;
  }
  std::vector<Entry> kept = entries();
  std::sort(kept.begin(), kept.end(),
            [](const Entry &a, const Entry &b) { return a.text.bytes() < b.text.bytes(); });
  for (const Entry &entry : kept) {
    append_varint(entry.count, out);
    append_varint(entry.text.bytes().size(), out);
    out->append(entry.text.bytes());
  }
}

// Saves the values in memory and on disk, because the saved state must outlive the runs.
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
  if (saved.starts_with('\0')) {
    saved.remove_prefix(1);
    take_spilled(runs->load_spilled(&saved), seed, arena);
  }
  if (runs != nullptr && runs->is_much(saved)) {
    take_spilled(runs->make_spilled(), seed, arena);
    return write_saved(saved, runs, spilled_values());
  }
  while (!saved.empty()) {
    const u64 count = take_varint(&saved);
    add(borrow_exactly(take_sized(&saved)), count, false, seed, arena);
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
