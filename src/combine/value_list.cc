#include "combine/value_list.h"

#include "base/varint.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {

struct ValueList::Chunk {
  Chunk *previous;
  u64 base;  // the value before the first difference
  u32 used;  // bytes of differences
  u32 room : 31;
  u32 head : 1;  // base is a value of its own, not the last one of `previous`

  u8 *bytes() { return reinterpret_cast<u8 *>(this + 1); }
};

namespace {

using Chunk = ValueList::Chunk;

constexpr u32 kFirstRoom = 24;
constexpr u32 kMostRoom = 4096;

// Differences of either sign as small numbers: 0, -1, 1, -2, ...
u64 zigzag(u64 difference) {
  return difference << 1 ^ static_cast<u64>(static_cast<i64>(difference) >> 63);
}
u64 unzigzag(u64 number) { return number >> 1 ^ (~(number & 1) + 1); }

Chunk *new_chunk(Chunk *previous, u64 base, Arena *arena) {
  const u32 room = previous ? std::min(2 * u32{previous->room}, kMostRoom) : kFirstRoom;
  auto *chunk = reinterpret_cast<Chunk *>(arena->alloc(static_cast<i64>(sizeof(Chunk) + room)));
  *chunk = {previous, base, 0, room & 0x7FFFFFFFu, previous == nullptr};
  return chunk;
}

// The values of one chunk, appended to `to`.
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

}  // namespace

void ValueList::add(u64 value, Arena *arena) {
  if (count++ > 0) {
    if (tail == nullptr || tail->used + kLongestVarint > tail->room) {
      tail = new_chunk(tail, last, arena);
    }
    u8 *end = put_varint(tail->bytes() + tail->used, zigzag(value - last));
    tail->used = static_cast<u32>(end - tail->bytes());
  }
  last = value;
}

void ValueList::merge(ValueList *other, Arena *arena) {
  if (other->count == 0) return;
  if (count < 2) {  // the other's chunks go on; what is here joins them
    std::swap(*this, *other);
    if (other->count == 1) add(other->last, arena);
    return;
  }
  if (other->tail == nullptr) return add(other->last, arena);
  Chunk *head = other->tail;
  while (head->previous != nullptr) head = head->previous;
  head->previous = tail;
  tail = other->tail;
  last = other->last;
  count += other->count;
}

void ValueList::collect(std::vector<u64> *values) const {
  values->clear();
  collect_in_parts(static_cast<i64>(count), [&](std::vector<u64> *all) { values->swap(*all); });
}

void ValueList::collect_in_parts(i64 most,
                                 const std::function<void(std::vector<u64> *)> &take) const {
  std::vector<u64> part;
  if (tail == nullptr) {
    part.assign(count, last);
    return count > 0 ? take(&part) : void();
  }
  std::vector<Chunk *> chunks;
  for (Chunk *chunk = tail; chunk != nullptr; chunk = chunk->previous) chunks.push_back(chunk);
  const i64 room = std::min(static_cast<i64>(count), most + kMostRoom + 1);
  i64 filled = 0;
  for (size_t i = chunks.size(); i-- > 0;) {
    part.resize(static_cast<size_t>(room));  // `take` may have moved from it
    filled = decode(chunks[i], part.data() + filled) - part.data();
    if (i > 0 && filled < most) continue;
    part.resize(static_cast<size_t>(std::exchange(filled, 0)));
    take(&part);
  }
}

void ValueList::gather(std::vector<u64> *values) const {
  collect(values);
  if (!std::is_sorted(values->begin(), values->end())) std::sort(values->begin(), values->end());
}

void ValueList::save(std::string *out) const {
  std::vector<u64> values;
  gather(&values);
  u64 before = 0;
  for (u64 value : values) {
    append_varint(value - before, out);
    before = value;
  }
}

void ValueList::load(Bytes saved, Arena *arena) {
  *this = {};
  u64 value = 0;
  while (!saved.empty()) {
    value += take_varint(&saved);
    add(value, arena);
  }
}

namespace {

ValueList *list(State *state) { return reinterpret_cast<ValueList *>(state); }
const ValueList *list(const State *state) { return reinterpret_cast<const ValueList *>(state); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
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

}  // namespace mrc
