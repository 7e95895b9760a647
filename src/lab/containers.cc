// The containers of the papers, for the table of containers in group/.
#include "group/group.h"
#include "lab/inner/append_buffer.h"
#include "lab/inner/hash_tree.h"

namespace mrc {
namespace {

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

}  // namespace mrc
