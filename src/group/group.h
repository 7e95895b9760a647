// group: finds the states of the keys of a batch.
#pragma once

#include "group/container.h"
#include "group/flat_table.h"

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace mrc {

struct ContainerSpec;
template <typename Key>
using ContainerOwner = std::unique_ptr<Container<Key>>;
template <typename Key>
using ContainerPointer = Container<Key> *;
// One for each class of keys.
using Containers = ByKeyClass<ContainerPointer>;

// A way to group keys: a row of the table of containers.
struct ContainerType {
  const char *name;  // the name in options
  const char *help;  // one line
  std::tuple<ContainerOwner<Key16> (*)(const ContainerSpec &),
             ContainerOwner<Key32> (*)(const ContainerSpec &),
             ContainerOwner<KeyRef> (*)(const ContainerSpec &)>
      make;
  // The more records it has, the more each costs: mapping input in tiles is faster.
  bool slows_down = false;
  // Entries may be visited before it is sealed, if no records are added meanwhile.
  bool shows_early = false;
};

// Makes a row. `Make` is a lambda without captures, with the class of keys as template parameter.
template <typename Make>
constexpr ContainerType container_type(const char *name, const char *help, Make,
                                       bool slows_down = false, bool shows_early = false) {
  return {name,
          help,
          {[](const ContainerSpec &spec) { return Make{}.template operator()<Key16>(spec); },
           [](const ContainerSpec &spec) { return Make{}.template operator()<Key32>(spec); },
           [](const ContainerSpec &spec) { return Make{}.template operator()<KeyRef>(spec); }},
          slows_down,
          shows_early};
}

// Open addressing, growing (flat_table.h).
extern const ContainerType kFlatContainer;
// Small numbers index an array (array_table.h); other keys are in a flat table.
extern const ContainerType kArrayContainer;
// The structures of the papers, in lab/, for repeating their comparisons.
std::span<const ContainerType> lab_containers();
// Returns all containers: first those that the planner chooses from, beginning with the flat one.
std::vector<const ContainerType *> all_containers();

// The parameters of a container.
struct ContainerSpec {
  const ContainerType *type = &kFlatContainer;
  i64 state_bytes = 8;  // a multiple of 8
  Ablation ablation = {};
  i64 expected_keys = 0;  // 0: unknown
  i64 buckets = 0;        // at the beginning, for each class of keys; 0: by expected_keys
  // Shares of expected_keys by class of key: up to 15 bytes, up to 31, longer.
  std::array<double, 3> shares = {1, 1, 1};
  i64 most_bytes = INT64_MAX;  // limit for the first size of a flat table
};

template <typename Key>
ContainerOwner<Key> make_container(const ContainerSpec &spec) {
  return std::get<ContainerOwner<Key> (*)(const ContainerSpec &)>(spec.type->make)(spec);
}

// The groups of one worker: a container for each class of keys (record.h). The length of a key
// decides which container it is in. Thread safety is that of Container.
class Groups {
 public:
  explicit Groups(const ContainerSpec &spec);

  template <typename Key>
  Container<Key> &container() {
    return *containers_.of<Key>();
  }
  template <typename Key>
  const Container<Key> &container() const {
    return *containers_.of<Key>();
  }

  // Returns the container as a flat table; null if it is another type.
  template <typename Key>
  FlatTable<Key> *flat() {
    return type_ == &kFlatContainer ? static_cast<FlatTable<Key> *>(&container<Key>()) : nullptr;
  }

  void seal(const MergeStates &merge);
  void clear();
  ContainerUsage usage() const;
  Containers containers() const;

 private:
  const ContainerType *type_;
  ByKeyClass<ContainerOwner> containers_;
};

}  // namespace mrc
