#include "group/group.h"

namespace mrc {

ContainerUsage &ContainerUsage::operator+=(const ContainerUsage &other) {
  keys += other.keys;
  slots += other.slots;
  growths += other.growths;
  bytes += other.bytes;
  return *this;
}

template <typename Key>
std::unique_ptr<Container<Key>> make_container(const ContainerSpec &spec) {
  switch (spec.kind) {
    case ContainerKind::flat: break;
  }
  return std::make_unique<FlatTable<Key>>(spec.state_bytes, KeyBytes::copied);
}

template std::unique_ptr<Container<Key16>> make_container(const ContainerSpec &);
template std::unique_ptr<Container<Key32>> make_container(const ContainerSpec &);
template std::unique_ptr<Container<KeyRef>> make_container(const ContainerSpec &);

Groups::Groups(const ContainerSpec &spec)
    : kind_(spec.kind),
      containers_(make_container<Key16>(spec), make_container<Key32>(spec),
                  make_container<KeyRef>(spec)) {}

void Groups::seal(const MergeStates &merge) {
  each([&](auto &container) { container.seal(merge); });
}

void Groups::clear() {
  each([](auto &container) { container.clear(); });
}

ContainerUsage Groups::usage() const {
  ContainerUsage all;
  each([&](const auto &container) { all += container.usage(); });
  return all;
}

}  // namespace mrc
