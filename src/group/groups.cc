#include "group/group.h"

namespace mrc {
namespace {

ContainerSpec of_class(ContainerSpec spec, size_t key_class) {
  const double expected = static_cast<double>(spec.expected_keys) * spec.shares[key_class];
  spec.expected_keys = static_cast<i64>(expected);
  return spec;
}

}  // namespace

const ContainerType kFlatContainer =
    container_type("flat", "open addressing, growing", []<typename Key>(const ContainerSpec &spec) {
      auto table =
          std::make_unique<FlatTable<Key>>(spec.state_bytes, KeyBytes::copied, spec.expected_keys);
      table->ablate(spec.ablation);
      return ContainerOwner<Key>(std::move(table));
    });

std::vector<const ContainerType *> all_containers() {
  std::vector<const ContainerType *> all = {&kFlatContainer};
  for (const ContainerType &type : lab_containers()) all.push_back(&type);
  return all;
}

const ContainerType *find_container(std::string_view name) {
  for (const ContainerType *type : all_containers()) {
    if (name == type->name) return type;
  }
  return nullptr;
}

ContainerUsage &ContainerUsage::operator+=(const ContainerUsage &other) {
  keys += other.keys;
  slots += other.slots;
  growths += other.growths;
  bytes += other.bytes;
  return *this;
}

Groups::Groups(const ContainerSpec &spec)
    : type_(spec.type),
      containers_(make_container<Key16>(of_class(spec, 0)),
                  make_container<Key32>(of_class(spec, 1)),
                  make_container<KeyRef>(of_class(spec, 2))) {}

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
