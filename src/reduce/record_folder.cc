#include "reduce/inner/record_folder.h"

#include "base/hash.h"
#include "map/key_image.h"

#include <algorithm>

namespace mrc {

template <typename Key>
struct RecordFolder::Pending {
  Pending(i64 state_bytes, RecordShape shape)
      : most(records_together(state_bytes + shape.raw_bytes, Batch<Key>::kCapacity)),
        states(static_cast<size_t>(state_bytes * most / 8)) {
    batch.width = shape.raw_bytes / 8;
    batch.values.resize(static_cast<size_t>(batch.width * most));
  }

  const i64 most;  // maximum number of records in the batch

  Batch<Key> batch;
  std::vector<u64> states;  // aligned copies of the states of STATE records
  std::array<State *, Batch<Key>::kCapacity> from, into;
};

RecordFolder::RecordFolder(const StateLayout &layout, RecordShape shape, const Containers &into,
                           Arena *arena)
    : layout_(layout),
      shape_(shape),
      into_(into),
      arena_(arena),
      pending_(std::make_unique<ByKeyClass<Pending>>(layout.state_bytes(), shape)) {}

RecordFolder::~RecordFolder() = default;

void RecordFolder::fold(const std::byte *begin, const std::byte *end, const MakeRoom &make_room) {
  constexpr i64 kSome = i64{256} << 10;
  StoredRecord record;
  i64 enough = make_room ? arena_->used() + kSome : INT64_MAX;
  while (begin < end) {
    if (states_ && arena_->used() > enough) [[unlikely]] {
      flush();
      if (!make_room()) return;
      enough = arena_->used() + kSome;
    }
    begin = read_record(begin, shape_, &record);
    if (!seed_ && !partition_.holds(record.hash)) continue;
    if (record.is_state != states_) {
      flush();
      states_ = record.is_state;
    }
    const u64 size = record.key.size();
    if (size <= Key16::kLongest) [[likely]] {
      put(&pending_->short_keys, image16<Fold::none>(record.key.data(), size), record);
    } else if (size <= Key32::kLongest) {
      put(&pending_->medium_keys, image32<Fold::none>(record.key.data(), size), record);
    } else {
      put(&pending_->long_keys, {record.key.data(), size}, record);
    }
  }
}

template <typename Key>
void RecordFolder::put(Pending<Key> *pending, const Key &key, const StoredRecord &record) {
  Batch<Key> &batch = pending->batch;
  const size_t at = static_cast<size_t>(batch.size++);
  batch.keys[at] = key;
  const u64 hash = seed_ ? mrc::hash(key, *seed_) : record.hash;
  batch.hashes[at] = hash_.of(hash);
  if (states_) {
    const size_t bytes = static_cast<size_t>(layout_.state_bytes());
    auto *copy = reinterpret_cast<State *>(pending->states.data()) + at * bytes;
    std::copy_n(record.fixed, bytes, copy);
    if (!layout_.is_flat()) layout_.load(copy, record.var, arena_);
    if (shift_ != 0) layout_.shift(copy, shift_);
    pending->from[at] = copy;
  } else if (shape_.raw_bytes > 0) {
    const auto width = static_cast<size_t>(batch.width);
    std::memcpy(&batch.values[at * width], record.fixed, width * sizeof(u64));
  }
  if (batch.size == pending->most) flush(pending);
}

template <typename Key>
void RecordFolder::flush(Pending<Key> *pending) {
  Batch<Key> &batch = pending->batch;
  if (batch.size == 0) return;
  into_.of<Key>()->group(batch, pending->into.data());
  if (states_) {
    layout_.merge(pending->into.data(), pending->from.data(), batch.size, arena_);
  } else {
    layout_.add(pending->into.data(), {batch.values.data(), batch.width}, batch.size, arena_);
  }
  batch.size = 0;
}

void RecordFolder::flush() {
  pending_->each([this](auto &pending) { flush(&pending); });
}

namespace {

// Newton's iteration: each step doubles the number of correct low bits, which is three at first.
u64 inverse_of(u64 odd) {
  u64 inverse = odd;
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace

TableHash TableHash::mixed(int bits) {
  constexpr u64 kStep = 0xDA942042E4DD58B5;  // odd, so that all factors are odd
  thread_local u64 factor = Seed::random().a | 1;
  TableHash hash(bits);
  hash.factor_ = factor *= kStep;
  hash.inverse_ = inverse_of(hash.factor_);
  return hash;
}

}  // namespace mrc
