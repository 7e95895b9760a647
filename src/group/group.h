// group: a batch of keys becomes the addresses of their states.
#pragma once

#include "base/status.h"
#include "group/container.h"
#include "group/flat_table.h"

#include <array>
#include <memory>
#include <string_view>
#include <tuple>

namespace mrc {

// How keys are grouped. `flat` is what fits most inputs; the others are the structures
// of the papers, so that their comparisons can be repeated, and `array`, which is best
// where it is possible.
enum class ContainerKind {
  flat,          // open addressing, growing (flat_table.h)
  hashtree,      // Metis: a b+tree in each entry of a hash table (hash_tree.h)
  tree,          // a single b+tree
  fixed,         // hashtree with 256 entries, whatever the input
  append_sort,   // no look-up: sorted at the end (append_buffer.h)
  append_group,  // sorted at the end, and grouped
  array,         // small numbers as indexes (array_table.h)
};

// By the names that users know. The error completes "--container: ...".
Result<ContainerKind> parse_container(std::string_view name);
const char *container_name(ContainerKind kind);

// What a container is made for.
struct ContainerSpec {
  ContainerKind kind = ContainerKind::flat;
  i64 state_bytes = 8;  // a multiple of 8
  Ablation ablation = {};
  i64 expected_keys = 0;  // 0: unknown
  // Of those, by class of key: up to 15 bytes, up to 31, longer.
  std::array<double, 3> shares = {1, 1, 1};
};

template <typename Key>
std::unique_ptr<Container<Key>> make_container(const ContainerSpec &spec);

// One worker's groups: a container for each class of keys (record.h). A key is in
// exactly one of them, by its length. Threads as Container.
class Groups {
 public:
  explicit Groups(const ContainerSpec &spec);

  template <typename Key>
  Container<Key> &container() {
    return *std::get<std::unique_ptr<Container<Key>>>(containers_);
  }
  template <typename Key>
  const Container<Key> &container() const {
    return *std::get<std::unique_ptr<Container<Key>>>(containers_);
  }

  // The same as what it is, if it is a flat table; else null.
  template <typename Key>
  FlatTable<Key> *flat() {
    return kind_ == ContainerKind::flat ? static_cast<FlatTable<Key> *>(&container<Key>())
                                        : nullptr;
  }

  void seal(const MergeStates &merge);
  void clear();
  ContainerUsage usage() const;

 private:
  // Calls f with each of the containers.
  template <typename F>
  void each(F f) const {
    std::apply([&](const auto &...container) { (f(*container), ...); }, containers_);
  }

  ContainerKind kind_;
  std::tuple<std::unique_ptr<Container<Key16>>, std::unique_ptr<Container<Key32>>,
             std::unique_ptr<Container<KeyRef>>>
      containers_;
};

}  // namespace mrc
