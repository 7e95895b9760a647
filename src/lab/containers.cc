// What experiments use: the containers of the papers, for the table of containers in group/, and
// sorting by a tree of merges.
#include "group/group.h"
#include "lab/inner/append_buffer.h"
#include "lab/inner/hash_tree.h"
#include "rows/rows.h"

#include <algorithm>

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
