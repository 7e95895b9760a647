// The state is a heap with the last record on top, which is removed when an earlier one comes. Once
// the heap has been full, `least` excludes later records, even if records have been moved to disk
// since.
//
// On disk, a record and its position are one text that begins with the position, in big-endian
// order, so that records are in the order of the input. A mark at the front keeps texts from being
// read as numbers.
#include "combine/first_records.h"

#include "base/varint.h"
#include "combine/inner/aggregate_calls.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/wide_sums.h"
#include "combine/value_runs.h"

#include <algorithm>
#include <cassert>

namespace mrc {
namespace {

struct Entry {
  u64 order;  // larger for earlier records
  KeptText text;
};
bool is_earlier(const Entry &a, const Entry &b) { return a.order > b.order; }

struct Records {
  u64 count, capacity;
  Entry *heap;             // in the arena
  u64 least;               // order of the last record that may still be among the first
  SpilledValues *spilled;  // null if no records are on disk

  Entry *end() { return heap + count; }
};
static_assert(sizeof(Records) == 40);

Records *records_of(State *state) { return reinterpret_cast<Records *>(state); }
u64 most_of(const Part &part) { return *static_cast<const u64 *>(part.context); }

void make_room(Records *records, u64 most, Arena *arena) {
  if (records->count < records->capacity) return;
  const u64 capacity = std::min(most, std::max<u64>(1, 2 * records->capacity));
  auto *heap = reinterpret_cast<Entry *>(arena->alloc(static_cast<i64>(capacity * sizeof(Entry))));
  std::copy_n(records->heap, records->count, heap);
  records->heap = heap;
  records->capacity = capacity;
}

// REQUIRES: the text lives as long as the arena
void insert(Records *records, Entry entry, u64 most, Arena *arena) {
  if (entry.order < records->least) return;
  if (records->count == most) {
    std::pop_heap(records->heap, records->end(), is_earlier);
    --records->count;
  }
  make_room(records, most, arena);
  *records->end() = entry;
  ++records->count;
  std::push_heap(records->heap, records->end(), is_earlier);
  if (records->count == most) records->least = std::max(records->least, records->heap->order);
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const u64 most = most_of(part);
  for (i64 i = 0; i < n; ++i) {
    Records *records = records_of(states[i] + part.offset);
    const u64 order = ~values.at(i, part.position);
    if (order < records->least) continue;
    const KeptText text = keep_text(borrow_text(values.text(i, part.value)), arena);
    insert(records, {order, text}, most, arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Records *to = records_of(into[i] + part.offset), *other = records_of(from[i] + part.offset);
    to->least = std::max(to->least, other->least);
    for (const Entry *entry = other->heap; entry < other->end(); ++entry) {
      insert(to, *entry, most_of(part), arena);
    }
    if (other->spilled == nullptr) continue;
    to->spilled == nullptr ? void(to->spilled = other->spilled) : to->spilled->add(*other->spilled);
  }
}

std::vector<Entry> sorted(const Records &records) {
  std::vector<Entry> entries(records.heap, records.heap + records.count);
  std::sort(entries.begin(), entries.end(), is_earlier);
  return entries;
}

i64 bytes_of(const Records &records) {
  i64 bytes = 0;
  for (const Entry *entry = records.heap; entry < records.heap + records.count; ++entry) {
    bytes += static_cast<i64>(sizeof(Entry)) + std::ssize(entry->text.bytes());
  }
  return bytes;
}

constexpr char kMark = 'r';
constexpr size_t kHead = 1 + sizeof(u64);  // bytes before a record on disk

class RecordsToWrite : public ValueStream {
 public:
  explicit RecordsToWrite(std::vector<Entry> entries) : entries_(std::move(entries)) {}
  bool next(CountedValue *value) override {
    if (next_ == entries_.size()) return false;
    const Entry &entry = entries_[next_++];
    text_ = kMark;
    append_bytes(__builtin_bswap64(~entry.order), &text_);
    text_.append(entry.text.bytes());
    *value = {text_, kBadNumber, 1};
    return true;
  }

 private:
  const std::vector<Entry> entries_;
  size_t next_ = 0;
  std::string text_;
};

const ValueRun *write(const Records &records, ValueRuns *runs) {
  RecordsToWrite values(sorted(records));
  return runs->write(&values, true);
}

void spill(Records *records, ValueRuns *runs) {
  if (records->count == 0) return;
  if (records->spilled == nullptr) records->spilled = runs->make_spilled();
  records->spilled->add(write(*records, runs));
  records->count = records->capacity = 0;
  records->heap = nullptr;
}

// Calls show(order, text) for the first `most` records, in the order of the input.
template <typename Show>
void each_entry(Records *records, u64 most, Show show) {
  if (records->spilled == nullptr) {
    for (const Entry &entry : sorted(*records)) show(entry.order, entry.text.bytes());
    return;
  }
  ValueRuns *runs = records->spilled->owner();
  spill(records, runs);
  const std::unique_ptr<ValueStream> all = runs->read(records->spilled->merged());
  CountedValue value;
  for (u64 shown = 0; shown < most && all->next(&value); ++shown) {
    Bytes position = value.text.substr(1);
    show(~__builtin_bswap64(take_bytes<u64>(&position)), value.text.substr(kHead));
  }
}

// Saves `least`, the names of runs (possibly none), and the records in memory, each with its order.
// Without `part.runs`, saves all records, because the saved state must outlive the runs.
void save(const Part &part, const State *state, std::string *out) {
  Records *records = records_of(const_cast<State *>(state + part.offset));
  if (records->count == 0 && records->spilled == nullptr) return;
  append_bytes(records->least, out);
  const auto append = [&](u64 order, Bytes text) {
    append_bytes(order, out);
    append_sized(text, out);
  };
  if (part.runs == nullptr) {
    append_varint(0, out);
    return each_entry(records, most_of(part), append);
  }
  SpilledValues all(part.runs);
  if (records->spilled != nullptr) all.add(*records->spilled);
  const bool large = bytes_of(*records) > part.runs->most_saved();
  if (large) all.add(write(*records, part.runs));
  all.save(out);
  if (large) return;
  for (const Entry &entry : sorted(*records)) append(entry.order, entry.text.bytes());
}

void load_records(const Part &part, State *state, Bytes saved, Arena *arena) {
  Records *records = records_of(state + part.offset);
  *records = {};
  const u64 least = take_bytes<u64>(&saved);
  if (saved.front() == 0) {
    saved.remove_prefix(1);
  } else {
    records->spilled = part.runs->load_spilled(&saved);
  }
  while (!saved.empty()) {
    const u64 order = take_bytes<u64>(&saved);
    const KeptText text = keep_text(borrow_exactly(take_sized(&saved)), arena);
    insert(records, {order, text}, most_of(part), arena);
  }
  records->least = least;
}

const Reducer kFirstRecords = make_reducer<add, merge, save, load_records>(sizeof(Records));

void bound_records(const Part &part, State *state) {
  Records *records = records_of(state + part.offset);
  if (bytes_of(*records) > part.runs->most_finished()) spill(records, part.runs);
}

// REQUIRES: no records are on disk. A state that names runs is never shifted.
void shift_records(const Part &part, State *state, u64 by) {
  Records *records = records_of(state + part.offset);
  assert(records->spilled == nullptr);
  for (Entry *entry = records->heap; entry < records->end(); ++entry) entry->order -= by;
  if (records->least != 0) records->least -= by;
}

}  // namespace

i64 add_first_records(const FieldExpr &record, i64 most, std::vector<ValueColumn> *values,
                      Aggregation *aggregation) {
  const auto context = std::make_shared<const u64>(most);
  const i64 text = value_column({ValueColumn::Kind::text, record}, values);
  const i64 position = value_column({ValueColumn::Kind::position, {}}, values);
  Part part(&kFirstRecords, text, position, context.get());
  part.bound = bound_records;
  part.shift = shift_records;
  aggregation->contexts.push_back(context);
  aggregation->parts.push_back(part);
  aggregation->counts_records = true;
  return std::ssize(aggregation->parts) - 1;
}

void each_record(const Part &part, const State *state, const std::function<void(Bytes)> &show) {
  each_entry(records_of(const_cast<State *>(state + part.offset)), most_of(part),
             [&](u64, Bytes text) { show(text); });
}

}  // namespace mrc
