// Entries are in the table itself, and states are in the arena: finding a state is as cheap as
// finding a count, and a batch can keep addresses of states while the table grows.
//
// On disk, a value and its state are one text, which begins with the value as a part of a key.
// Therefore texts are in the order of their values, texts of one value are adjacent, and no text is
// read as a number.
#include "base/varint.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/value_counts.h"
#include "map/key_parts.h"

#include <algorithm>
#include <cstring>

namespace mrc {

struct ValueStates::Table : TextTable<ValueStates::Table, ValueStates::Entry> {};

namespace {

using Entry = ValueStates::Entry;
using Table = ValueStates::Table;

constexpr u64 kFirstCapacity = 4;
constexpr char kMark = 'v';  // first byte of a text on disk: no number begins with it
const KeyPart kValue;        // how values are written on disk

// Returns the place of a text, in a table with room for it.
Entry *place_in(Table **table, const KeptText &text, const Seed &seed, Arena *arena) {
  if (*table == nullptr) *table = Table::make(kFirstCapacity, arena);
  Entry *entry = (*table)->place_of(text, seed);
  if (!entry->text.is_none() || !(*table)->is_full()) return entry;
  *table = (*table)->doubled(seed, arena);
  return (*table)->place_of(text, seed);
}

State *new_state(const StateLayout &layout, Arena *arena) {
  State *state = arena->alloc(layout.state_bytes());
  std::memset(state, 0, static_cast<size_t>(layout.state_bytes()));
  return state;
}

// Appends the state's own bytes and the data that it owns beyond them.
void append_state(const StateLayout &layout, const State *state, std::string *out) {
  out->append(reinterpret_cast<const char *>(state), static_cast<size_t>(layout.state_bytes()));
  if (!layout.is_flat()) layout.save(state, out);
}
void load_state(const StateLayout &layout, Bytes saved, State *state, Arena *arena) {
  const auto bytes = static_cast<size_t>(layout.state_bytes());
  std::memcpy(state, saved.data(), bytes);
  if (!layout.is_flat()) layout.load(state, saved.substr(bytes), arena);
}

// Yields the values of a table as texts for the disk.
class StatesToWrite : public ValueStream {
 public:
  StatesToWrite(std::vector<Entry> sorted, const StateLayout &layout)
      : entries_(std::move(sorted)), layout_(layout) {}
  bool next(CountedValue *value) override {
    if (next_ == entries_.size()) return false;
    const Entry &entry = entries_[next_++];
    text_ = kMark;
    append_key_part(kValue, entry.text.bytes(), &text_);
    append_state(layout_, entry.state, &text_);
    *value = {text_, kBadNumber, 1};
    return true;
  }

 private:
  std::vector<Entry> entries_;
  const StateLayout &layout_;
  size_t next_ = 0;
  std::string text_;
};

// A value and its state, as save() writes them. Both borrow the saved bytes.
struct SavedState {
  Bytes text, state;
};

// Yields saved values as texts for the disk.
class SavedStatesToWrite : public ValueStream {
 public:
  explicit SavedStatesToWrite(std::vector<SavedState> saved) : saved_(std::move(saved)) {
    std::ranges::sort(saved_, {}, &SavedState::text);
  }
  bool next(CountedValue *value) override {
    if (next_ == saved_.size()) return false;
    const SavedState &saved = saved_[next_++];
    text_ = kMark;
    append_key_part(kValue, saved.text, &text_);
    text_.append(saved.state);
    *value = {text_, kBadNumber, 1};
    return true;
  }

 private:
  std::vector<SavedState> saved_;
  size_t next_ = 0;
  std::string text_;
};

SavedState take_saved(Bytes *saved) {
  const Bytes text = take_sized(saved);
  return {text, take_sized(saved)};
}

// Writes saved values to runs, as many to each as may be sorted in memory.
void write_saved(Bytes saved, ValueRuns *runs, SpilledValues *spilled) {
  const i64 most = 1 + runs->most_finished() / static_cast<i64>(sizeof(SavedState));
  while (!saved.empty()) {
    std::vector<SavedState> states;
    while (!saved.empty() && std::ssize(states) < most) states.push_back(take_saved(&saved));
    SavedStatesToWrite to_write(std::move(states));
    spilled->add(runs->write(&to_write, true));
  }
}

// Merges adjacent states of the same value.
class StatesOnDisk {
 public:
  StatesOnDisk(const ValueStatesSpec &spec, const ValueStates::Show &show)
      : layout_(spec.layout), show_(show), all_(words()), one_(words()) {}

  void take(const CountedValue &value) {
    Bytes rest = value.text.substr(1);
    next_.clear();
    take_key_part(kValue, &rest, &next_);
    if (any_ && next_ != text_) end();
    for (u64 i = 0; i < value.count; ++i) add(rest);
    text_.swap(next_);
  }
  void end() {
    if (any_) show_(text_, state_in(&all_));
    any_ = false;
    memory_.clear();
  }

 private:
  std::vector<u64> words() const {
    return std::vector<u64>(static_cast<size_t>(layout_.state_bytes()) / sizeof(u64));
  }
  static State *state_in(std::vector<u64> *words) {
    return reinterpret_cast<State *>(words->data());
  }
  void add(Bytes saved) {
    if (!std::exchange(any_, true)) return load_state(layout_, saved, state_in(&all_), &memory_);
    load_state(layout_, saved, state_in(&one_), &memory_);
    State *const into = state_in(&all_), *const from = state_in(&one_);
    layout_.merge(&into, &from, 1, &memory_);
  }

  const StateLayout &layout_;
  const ValueStates::Show &show_;
  std::string text_, next_;
  std::vector<u64> all_, one_;
  Arena memory_;  // owned by these states
  bool any_ = false;
};

}  // namespace

State *ValueStates::at(KeptText text, const ValueStatesSpec &spec, Arena *arena) {
  Entry *entry = place_in(&table_, text, spec.seed, arena);
  if (entry->text.is_none()) {
    *entry = {keep_text(text, arena), new_state(spec.layout, arena)};
    ++table_->size;
  }
  return entry->state;
}

void ValueStates::merge(ValueStates *other, const ValueStatesSpec &spec, Arena *arena) {
  if (table_ == nullptr || (other->table_ != nullptr && other->table_->size > table_->size)) {
    std::swap(table_, other->table_);
  }
  if (other->table_ != nullptr) {
    Table::adopt(&table_, *other->table_, spec.seed, arena, [&](Entry *own, const Entry &entry) {
      spec.layout.merge(&own->state, &entry.state, 1, arena);
    });
  }
  if (other->spilled_ == nullptr) return;
  spilled_ == nullptr ? void(spilled_ = other->spilled_) : spilled_->add(*other->spilled_);
}

std::vector<Entry> ValueStates::in_memory() const {
  std::vector<Entry> entries;
  if (table_ == nullptr) return entries;
  entries.reserve(table_->size);
  for (const Entry &entry : *table_) {
    if (!entry.text.is_none()) entries.push_back(entry);
  }
  return entries;
}

std::vector<Entry> ValueStates::sorted() const {
  std::vector<Entry> entries = in_memory();
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.text.bytes() < b.text.bytes(); });
  return entries;
}

const ValueRun *ValueStates::write(const ValueStatesSpec &spec, ValueRuns *runs) const {
  StatesToWrite states(sorted(), spec.layout);
  return runs->write(&states, true);
}

void ValueStates::spill(const ValueStatesSpec &spec, ValueRuns *runs) {
  if (spilled_ == nullptr) spilled_ = runs->make_spilled();
  spilled_->add(write(spec, runs));
  table_ = nullptr;
}

// Saves each state to learn the size of the data that it owns.
i64 ValueStates::memory_bytes(const ValueStatesSpec &spec) const {
  if (table_ == nullptr) return 0;
  i64 bytes = static_cast<i64>(table_->size) *
              (2 * static_cast<i64>(sizeof(Entry)) + spec.layout.state_bytes());
  std::string saved;
  for (const Entry &entry : in_memory()) {
    bytes += std::ssize(entry.text.bytes());
    if (spec.layout.is_flat()) continue;
    saved.clear();
    spec.layout.save(entry.state, &saved);
    bytes += std::ssize(saved);
  }
  return bytes;
}

void ValueStates::bound(const ValueStatesSpec &spec, ValueRuns *runs) {
  if (memory_bytes(spec) > runs->most_finished()) spill(spec, runs);
}

void ValueStates::each(const ValueStatesSpec &spec, const Show &show) {
  if (spilled_ == nullptr) {
    for (const Entry &entry : in_memory()) show(entry.text.bytes(), entry.state);
    return;
  }
  if (table_ != nullptr) spill(spec, spilled_->owner());
  const std::unique_ptr<ValueStream> all = spilled_->owner()->read(spilled_->merged());
  StatesOnDisk states(spec, show);
  for (CountedValue value; all->next(&value);) states.take(value);
  states.end();
}

// Saves the names of runs, possibly none. Then, for each value in memory, its bytes and its state,
// each after its size. Without `runs`, saves all values, because the saved state must outlive the
// runs.
void ValueStates::save(const ValueStatesSpec &spec, ValueRuns *runs, std::string *out) const {
  std::string state;
  const auto append = [&](Bytes text, const State *of) {
    append_sized(text, out);
    state.clear();
    append_state(spec.layout, of, &state);
    append_sized(state, out);
  };
  if (runs == nullptr) {
    append_varint(0, out);
    if (spilled_ != nullptr) return const_cast<ValueStates *>(this)->each(spec, append);
  } else {
    SpilledValues all(runs);
    if (spilled_ != nullptr) all.add(*spilled_);
    const bool large = memory_bytes(spec) > runs->most_saved();
    if (large) all.add(write(spec, runs));
    all.save(out);
    if (large) return;
  }
  for (const Entry &entry : sorted()) append(entry.text.bytes(), entry.state);
}

void ValueStates::load(Bytes saved, const ValueStatesSpec &spec, ValueRuns *runs, Arena *arena) {
  table_ = nullptr;
  spilled_ = nullptr;
  if (saved.front() == 0) {
    saved.remove_prefix(1);
  } else {
    spilled_ = runs->load_spilled(&saved);
  }
  if (runs != nullptr && runs->is_much(saved)) {
    if (spilled_ == nullptr) spilled_ = runs->make_spilled();
    return write_saved(saved, runs, spilled_);
  }
  while (!saved.empty()) {
    const auto [text, state] = take_saved(&saved);
    load_state(spec.layout, state, at(borrow_exactly(text), spec, arena), arena);
  }
}

}  // namespace mrc
