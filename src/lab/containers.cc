// The append-only buffers, the table of containers for group/, and sorting by a tree of merges.
#include "lab/inner/containers.h"

#include "group/group.h"
#include "rows/rows.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// The containers of the papers, for the table of containers in group/.

constexpr i64 kFixedEntries = 256;

template <typename Key>
ContainerOwner<Key> make_hash_tree(const ContainerSpec &spec, i64 entries) {
  return std::make_unique<HashTree<Key>>(spec.state_bytes, entries);
}

template <typename Key>
ContainerOwner<Key> make_buffer(const ContainerSpec &spec, EqualKeys equal_keys) {
  return std::make_unique<AppendBuffer<Key>>(spec.state_bytes, equal_keys);
}

constexpr ContainerType kContainers[] = {
    container_type("hashtree", "a hash table with a b+tree in each entry (Metis)",
                   []<typename Key>(const ContainerSpec &spec) {
                     const i64 entries = HashTree<Key>::entries_for(spec.expected_keys);
                     return make_hash_tree<Key>(spec, spec.buckets > 0 ? spec.buckets : entries);
                   }),
    container_type(
        "tree", "one b+tree (Metis)",
        []<typename Key>(const ContainerSpec &spec) { return make_hash_tree<Key>(spec, 1); }, true),
    container_type(
        "fixed", "hashtree with 256 entries",
        []<typename Key>(const ContainerSpec &spec) {
          return make_hash_tree<Key>(spec, kFixedEntries);
        },
        true),
    container_type(
        "append-sort", "no look-up; sorted at the end (Metis)",
        []<typename Key>(const ContainerSpec &spec) {
          return make_buffer<Key>(spec, EqualKeys::apart);
        },
        true),
    container_type(
        "append-group", "append-sort, then equal keys are merged",
        []<typename Key>(const ContainerSpec &spec) {
          return make_buffer<Key>(spec, EqualKeys::merged);
        },
        true),
};

}  // namespace

template <typename Key>
AppendBuffer<Key>::AppendBuffer(i64 state_bytes, EqualKeys equal_keys)
    : stride_(static_cast<i64>(sizeof(Slot)) + state_bytes), equal_keys_(equal_keys) {}

// Pages grow by moving page tables and not bytes, so growing copies no slots.
template <typename Key>
void AppendBuffer<Key>::make_room(i64 keys) {
  constexpr i64 kFewest = 4096;
  const i64 needed = size_ + keys;
  if (needed * stride_ <= slots_.size() &&
      needed * static_cast<i64>(sizeof(Item)) <= items_.size()) {
    return;
  }
  growths_ += size_ > 0;
  const i64 room = std::max({needed, 2 * size_, kFewest});
  slots_.grow(room * stride_);
  items_.grow(room * static_cast<i64>(sizeof(Item)));
}

template <typename Key>
void AppendBuffer<Key>::group(const Batch<Key> &batch, State **states) {
  make_room(batch.size);
  const auto state_bytes = static_cast<size_t>(stride_) - sizeof(Slot);
  for (i64 i = 0; i < batch.size; ++i) {
    const auto at = static_cast<size_t>(i);
    Item &item = items()[size_];
    item = {batch.hashes[at], static_cast<u64>(size_)};
    ++size_;
    slot(item)->key = copied(batch.keys[at], &copies_);
    states[i] = slot(item)->state();
    std::memset(states[i], 0, state_bytes);  // memory is reused after clear()
  }
}

template <typename Key>
void AppendBuffer<Key>::seal(const MergeStates &merge) {
  std::sort(items(), items() + size_, [this](const Item &a, const Item &b) {
    return a.hash != b.hash ? a.hash < b.hash : before(slot(a)->key, slot(b)->key);
  });
  if (equal_keys_ == EqualKeys::merged) merge_equal(merge);
}

// Keeps the first of equal keys, with the merged state of all.
template <typename Key>
void AppendBuffer<Key>::merge_equal(const MergeStates &merge) {
  constexpr i64 kBatch = Batch<Key>::kCapacity;
  std::array<State *, kBatch> into, from;
  i64 pairs = 0, kept = 0;
  for (i64 i = 0; i < size_; ++i) {
    const Item item = items()[i];
    const Item *last = kept > 0 ? items() + kept - 1 : nullptr;
    if (last == nullptr || last->hash != item.hash || !same(slot(*last)->key, slot(item)->key)) {
      items()[kept++] = item;
      continue;
    }
    const auto at = static_cast<size_t>(pairs++);
    into[at] = slot(*last)->state();
    from[at] = slot(item)->state();
    if (pairs == kBatch) merge(into.data(), from.data(), std::exchange(pairs, 0));
  }
  if (pairs > 0) merge(into.data(), from.data(), pairs);
  size_ = kept;
}

template <typename Key>
const typename AppendBuffer<Key>::Item *AppendBuffer<Key>::first_from(u64 hash) const {
  return std::lower_bound(items(), items() + size_, hash,
                          [](const Item &item, u64 low) { return item.hash < low; });
}

template <typename Key>
const typename AppendBuffer<Key>::Item *AppendBuffer<Key>::behind(Partition partition) const {
  return ~partition.high() == 0 ? items() + size_ : first_from(partition.high() + 1);
}

template <typename Key>
void AppendBuffer<Key>::visit(Partition partition, GroupVisitor<Key> *visitor) const {
  constexpr i64 kFetchAhead = 16;
  VisitBatcher<Key> batcher(visitor);
  const Item *end = behind(partition);
  for (const Item *item = first_from(partition.low()); item < end; ++item) {
    if (end - item > kFetchAhead) __builtin_prefetch(slot(item[kFetchAhead]));
    batcher.add(slot(*item)->key, item->hash, slot(*item)->state());
  }
  batcher.flush();
}

template <typename Key>
i64 AppendBuffer<Key>::count(Partition partition) const {
  return behind(partition) - first_from(partition.low());
}

template <typename Key>
void AppendBuffer<Key>::clear() {
  size_ = 0;
  copies_.clear();
}

template <typename Key>
ContainerUsage AppendBuffer<Key>::usage() const {
  const i64 entry = stride_ + static_cast<i64>(sizeof(Item));
  return {.keys = size_, .growths = growths_, .bytes = size_ * entry + copies_.used()};
}

template class AppendBuffer<Key16>;
template class AppendBuffer<Key32>;
template class AppendBuffer<KeyRef>;

std::span<const ContainerType> lab_containers() { return kContainers; }

// Sorts by a tree of merges: each store is sorted by itself, then stores are merged in pairs, in
// rounds with half as many workers each; in the last round one worker merges all rows. Parallel
// sorting by regular sampling replaced this in Metis (3.3, and fig. 11); it is here for comparison:
// --engine merge=tree.

Result<Rows> sort_by_merging(const std::vector<RowStore *> &stores, const Order &order,
                             const RowLayout &layout, WorkerPool *pool) {
  const Before before(order, layout);
  std::vector<Rows> runs(stores.size());
  Status status = pool->run(std::ssize(stores), [&](i64 i) {
    Rows &rows = stores[static_cast<size_t>(i)]->rows();
    std::sort(rows.begin(), rows.end(), before);
    runs[static_cast<size_t>(i)] = std::move(rows);
    return Status::ok();
  });
  while (status.is_ok() && runs.size() > 1) {
    std::vector<Rows> merged((runs.size() + 1) / 2);
    status = pool->run(std::ssize(merged), [&](i64 i) {
      const size_t left = static_cast<size_t>(2 * i), right = left + 1;
      Rows &into = merged[static_cast<size_t>(i)];
      if (right == runs.size()) {
        into = std::move(runs[left]);
        return Status::ok();
      }
      into = Rows(runs[left].size() + runs[right].size());
      std::merge(runs[left].begin(), runs[left].end(), runs[right].begin(), runs[right].end(),
                 into.begin(), before);
      return Status::ok();
    });
    runs = std::move(merged);
  }
  if (!status.is_ok()) return status;
  return runs.empty() ? Rows() : std::move(runs[0]);
}

}  // namespace mrc
