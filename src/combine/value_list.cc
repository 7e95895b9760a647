#include "combine/value_list.h"

#include "base/sort_words.h"
#include "base/varint.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace mrc {

struct ValueList::Chunk {
  Chunk *previous;
  u64 base;   // the value before the first difference
  u32 used;   // bytes of differences; tail() sets that of the last chunk
  bool head;  // base is a value itself, and not the last value of `previous`

  u8 *bytes() { return reinterpret_cast<u8 *>(this + 1); }
};

namespace {

using Chunk = ValueList::Chunk;

constexpr u32 kFirstRoom = 24;
constexpr u32 kMostRoom = 4096;

// Maps differences of either sign to small numbers: 0, -1, 1, -2, ...
u64 zigzag(u64 difference) {
  return difference << 1 ^ static_cast<u64>(static_cast<i64>(difference) >> 63);
}
u64 unzigzag(u64 number) { return number >> 1 ^ (~(number & 1) + 1); }

constexpr u64 kMostGrown = 8, kMostLeft = (u64{1} << 13) - 1, kMostCount = (u64{1} << 47) - 1;

u32 room_of(u64 grown) { return std::min(kFirstRoom << grown, kMostRoom); }

// Appends the values of one chunk to `to`; returns the new end.
u64 *decode(Chunk *chunk, u64 *to) {
  u64 value = chunk->base;
  if (chunk->head) *to++ = value;
  const u8 *from = chunk->bytes(), *end = from + chunk->used;
  while (from < end) {
    u64 difference;
    from = get_varint(from, &difference);
    value += unzigzag(difference);
    *to++ = value;
  }
  return to;
}

// Reads the values of chunks, one after another.
class ChunkCursor {
 public:
  explicit ChunkCursor(std::span<Chunk *const> chunks) : chunks_(chunks) {}

  // Moves to the next value; false: there are no more.
  bool next() {
    while (at_ == end_) {
      if (chunks_.empty()) return false;
      if (enter()) return true;
    }
    u64 difference;
    at_ = get_varint(at_, &difference);
    value_ += unzigzag(difference);
    return true;
  }
  u64 value() const { return value_; }

 private:
  // Begins the next chunk. True if its base is a value.
  bool enter() {
    Chunk *chunk = chunks_.front();
    chunks_ = chunks_.subspan(1);
    at_ = chunk->bytes();
    end_ = at_ + chunk->used;
    value_ = chunk->base;
    return chunk->head;
  }

  std::span<Chunk *const> chunks_;  // those after the current one
  const u8 *at_ = nullptr, *end_ = nullptr;
  u64 value_ = 0;
};

// An ascending run of values, at its next value.
struct AscendingRun {
  ChunkCursor at;
  i64 left = 1;

  bool next() { return --left > 0 && at.next(); }
};

// Returns the ascending runs of the values; none if they are short.
std::vector<AscendingRun> find_runs(std::span<Chunk *const> chunks) {
  constexpr size_t kMostRuns = 1024;
  std::vector<AscendingRun> runs;
  ChunkCursor cursor(chunks);
  for (u64 before = 0; cursor.next(); before = cursor.value()) {
    if (!runs.empty() && cursor.value() >= before) {
      ++runs.back().left;
    } else {
      if (runs.size() == kMostRuns) return {};
      runs.push_back({cursor});
    }
  }
  return runs;
}

// Collects values, and passes them on when they are many.
class ValueBuffer {
 public:
  explicit ValueBuffer(const ValueList::Take &take) : take_(take) {}

  void add(u64 value) {
    values_[size_++] = value;
    if (size_ == values_.size()) flush();
  }
  void flush() { take_({values_.data(), std::exchange(size_, 0)}); }

 private:
  const ValueList::Take &take_;
  std::array<u64, 1024> values_;
  size_t size_ = 0;
};

// Runs of splits do not overlap, so many values of one run come before those of the others.
void merge_ascending(std::vector<AscendingRun> runs, ValueBuffer *to) {
  const auto is_later = [](const AscendingRun &a, const AscendingRun &b) {
    return a.at.value() > b.at.value();
  };
  std::ranges::make_heap(runs, is_later);
  while (!runs.empty()) {
    std::ranges::pop_heap(runs, is_later);
    AscendingRun &first = runs.back();
    const u64 limit = runs.size() > 1 ? runs[0].at.value() : ~u64{0};
    bool goes_on = true;
    do {
      to->add(first.at.value());
    } while ((goes_on = first.next()) && first.at.value() <= limit);
    if (!goes_on) {
      runs.pop_back();
    } else {
      std::ranges::push_heap(runs, is_later);
    }
  }
}

// Sorts the values. Each worker adds its values nearly in order, so there are few ascending runs:
// neighbours are merged until one is left. If the runs are short, sorts all values.
void merge_runs(std::vector<u64> *values) {
  constexpr size_t kShort = 8;
  std::vector<size_t> ends;  // ends of runs
  for (auto at = values->begin(); at != values->end();) {
    at = std::is_sorted_until(at, values->end());
    ends.push_back(static_cast<size_t>(at - values->begin()));
    if (ends.size() * kShort > values->size()) break;
  }
  if (ends.size() * kShort > values->size()) return sort_words(values);
  std::vector<u64> merged(ends.size() > 1 ? values->size() : 0);
  while (ends.size() > 1) {
    std::vector<size_t> ends_of_merged;
    for (size_t i = 0; i < ends.size(); i += 2) {
      const auto begin = values->begin() + static_cast<i64>(i == 0 ? 0 : ends[i - 1]);
      const auto middle = values->begin() + static_cast<i64>(ends[i]);
      const auto end = values->begin() + static_cast<i64>(ends[std::min(i + 1, ends.size() - 1)]);
      std::merge(begin, middle, middle, end, merged.begin() + (begin - values->begin()));
      ends_of_merged.push_back(static_cast<size_t>(end - values->begin()));
    }
    values->swap(merged);
    ends.swap(ends_of_merged);
  }
}

}  // namespace

ValueList::Chunk *ValueList::tail() const {
  if (end == nullptr) return nullptr;
  auto *chunk = reinterpret_cast<Chunk *>(end - (room_of(grown) - left)) - 1;
  chunk->used = static_cast<u32>(room_of(grown) - left);
  return chunk;
}

void ValueList::open(u64 base, Arena *arena) {
  Chunk *previous = tail();
  if (previous != nullptr && grown < kMostGrown) ++grown;
  const u32 room = room_of(grown);
  left = room & kMostLeft;
  auto *chunk = reinterpret_cast<Chunk *>(arena->alloc(static_cast<i64>(sizeof(Chunk) + room)));
  *chunk = {previous, base, 0, previous == nullptr};
  end = chunk->bytes();
}

void ValueList::add(u64 value, Arena *arena) {
  if (count++ > 0) {
    if (end == nullptr || left < kLongestVarint) open(last, arena);
    u8 *after = put_varint(end, zigzag(value - last));
    left = (left - static_cast<u64>(after - end)) & kMostLeft;
    end = after;
  }
  last = value;
}

// Keeps the members that add() updates in registers until the chunk is full.
void ValueList::add_all(std::span<const u64> values, Arena *arena) {
  size_t i = 0;
  for (; i < values.size() && count < 2; ++i) add(values[i], arena);
  while (i < values.size()) {
    if (left < kLongestVarint) open(last, arena);
    const size_t begin = i;
    const u8 *const limit = end + left - kLongestVarint;
    u8 *at = end;
    u64 before = last;
    for (; i < values.size() && at <= limit; ++i) {
      at = put_varint(at, zigzag(values[i] - before));
      before = values[i];
    }
    count = (count + i - begin) & kMostCount;
    left = (left - static_cast<u64>(at - end)) & kMostLeft;
    last = before;
    end = at;
  }
}

void ValueList::merge(ValueList *other, Arena *arena) {
  if (other->count == 0) return;
  if (count < 2) {  // takes over the other's chunks and adds the own value
    std::swap(*this, *other);
    if (other->count == 1) add(other->last, arena);
    return;
  }
  if (other->end == nullptr) return add(other->last, arena);
  Chunk *head = other->tail();
  while (head->previous != nullptr) head = head->previous;
  head->previous = tail();
  const u64 all = count + other->count;
  *this = *other;
  count = all & kMostCount;
}

std::vector<ValueList::Chunk *> ValueList::chunks() const {
  std::vector<Chunk *> all;
  for (Chunk *chunk = tail(); chunk != nullptr; chunk = chunk->previous) {
    all.push_back(chunk);
    for (u32 at = 0; at < chunk->used; at += 64) __builtin_prefetch(chunk->bytes() + at);
  }
  std::ranges::reverse(all);
  return all;
}

void ValueList::collect(std::vector<u64> *values) const {
  values->clear();
  collect_in_parts(static_cast<i64>(count), [&](std::vector<u64> *all) { values->swap(*all); });
}

void ValueList::collect_in_parts(i64 most,
                                 const std::function<void(std::vector<u64> *)> &take) const {
  std::vector<u64> part;
  if (end == nullptr) {
    part.assign(count, last);
    return count > 0 ? take(&part) : void();
  }
  const i64 room = std::min(static_cast<i64>(count), most + kMostRoom + 1);
  i64 filled = 0;
  const std::vector<Chunk *> all = chunks();
  for (Chunk *chunk : all) {
    part.resize(static_cast<size_t>(room));  // `take` may have moved from it
    filled = decode(chunk, part.data() + filled) - part.data();
    if (chunk != all.back() && filled < most) continue;
    part.resize(static_cast<size_t>(std::exchange(filled, 0)));
    take(&part);
  }
}

void ValueList::each_in_order(const Take &take) const {
  if (end == nullptr) return take({&last, count});
  constexpr u64 kFew = 1 << 16;
  const std::vector<Chunk *> all = count > kFew ? chunks() : std::vector<Chunk *>();
  std::vector<AscendingRun> runs = find_runs(all);
  if (runs.empty()) {
    std::vector<u64> values;
    collect(&values);
    merge_runs(&values);
    return take(values);
  }
  ValueBuffer buffer(take);
  merge_ascending(std::move(runs), &buffer);
  buffer.flush();
}

void ValueList::save(std::string *out) const {
  u64 before = 0;
  each_in_order([&](std::span<const u64> values) {
    for (u64 value : values) append_varint(value - std::exchange(before, value), out);
  });
}

void ValueList::load(Bytes saved, Arena *arena) {
  *this = {};
  u64 value = 0;
  const Take add_some = [&](std::span<const u64> values) { add_all(values, arena); };
  ValueBuffer values(add_some);
  while (!saved.empty()) values.add(value += take_varint(&saved));
  values.flush();
}

// Only the bases change; differences stay.
void ValueList::shift(u64 by) {
  if (count > 0) last += by;
  for (Chunk *chunk = tail(); chunk != nullptr; chunk = chunk->previous) chunk->base += by;
}

namespace {

ValueList *list(State *state) { return reinterpret_cast<ValueList *>(state); }
const ValueList *list(const State *state) { return reinterpret_cast<const ValueList *>(state); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  // With many keys, the end of a list is rarely in a cache.
  constexpr i64 kAhead = 16;
  for (i64 i = 0; i < n; ++i) {
    if (i + 2 * kAhead < n) __builtin_prefetch(&list(states[i + 2 * kAhead] + part.offset)->end, 1);
    if (i + kAhead < n) __builtin_prefetch(list(states[i + kAhead] + part.offset)->end, 1);
    list(states[i] + part.offset)->add(values.at(i, part.value), arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    list(into[i] + part.offset)->merge(list(from[i] + part.offset), arena);
  }
}

void save(const Part &part, const State *state, std::string *out) {
  list(state + part.offset)->save(out);
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  list(state + part.offset)->load(saved, arena);
}

}  // namespace

const Reducer kValueList = make_reducer<add, merge, save, load>(sizeof(ValueList));

Part position_list_part() {
  Part part(&kValueList);
  part.shift = [](const Part &of, State *state, u64 by) { list(state + of.offset)->shift(by); };
  return part;
}

}  // namespace mrc
