#include "group/array_table.h"
#include "group/group.h"

namespace mrc {

const ContainerType kFlatContainer = container_type(
    "flat", "open addressing, growing",
    []<typename Key>(const ContainerSpec &spec) {
      auto table =
          std::make_unique<FlatTable<Key>>(spec.state_bytes, KeyBytes::copied, spec.expected_keys);
      spec.buckets > 0 ? table->begin_with(spec.buckets) : table->begin_within(spec.most_bytes);
      table->ablate(spec.ablation);
      return ContainerOwner<Key>(std::move(table));
    },
    false, true);

const ContainerType kArrayContainer = container_type(
    "array", "small numbers index an array; other keys as in flat (Phoenix++)",
    []<typename Key>(const ContainerSpec &spec) -> ContainerOwner<Key> {
      if constexpr (std::is_same_v<Key, Key16>) {
        return std::make_unique<ArrayTable>(spec.state_bytes, spec.expected_keys);
      } else {
        return make_container<Key>({.state_bytes = spec.state_bytes,
                                    .ablation = spec.ablation,
                                    .expected_keys = spec.expected_keys,
                                    .buckets = spec.buckets});
      }
    },
    false, true);

std::vector<const ContainerType *> all_containers() {
  std::vector<const ContainerType *> all = {&kFlatContainer, &kArrayContainer};
  for (const ContainerType &type : lab_containers()) all.push_back(&type);
  return all;
}

ContainerUsage &ContainerUsage::operator+=(const ContainerUsage &other) {
  keys += other.keys;
  slots += other.slots;
  growths += other.growths;
  bytes += other.bytes;
  return *this;
}

Groups::Groups(const ContainerSpec &spec) : type_(spec.type) {
  size_t key_class = 0;
  containers_.each([&]<typename Key>(ContainerOwner<Key> &container) {
    const double expected = static_cast<double>(spec.expected_keys) * spec.shares[key_class++];
    ContainerSpec of_class = spec;
    of_class.expected_keys = static_cast<i64>(expected);
    container = make_container<Key>(of_class);
  });
}

void Groups::seal(const MergeStates &merge) {
  containers_.each([&](auto &container) { container->seal(merge); });
}

void Groups::clear() {
  containers_.each([](auto &container) { container->clear(); });
}

Containers Groups::containers() const {
  Containers all;
  all.of<Key16>() = containers_.of<Key16>().get();
  all.of<Key32>() = containers_.of<Key32>().get();
  all.of<KeyRef>() = containers_.of<KeyRef>().get();
  return all;
}

ContainerUsage Groups::usage() const {
  ContainerUsage all;
  containers_.each([&](const auto &container) { all += container->usage(); });
  return all;
}

}  // namespace mrc
