#include "group/append_buffer.h"
#include "group/array_table.h"
#include "group/group.h"
#include "group/hash_tree.h"

namespace mrc {
namespace {

constexpr struct {
  ContainerKind kind;
  const char *name;
} kNames[] = {{ContainerKind::flat, "flat"},
              {ContainerKind::hashtree, "hashtree"},
              {ContainerKind::tree, "tree"},
              {ContainerKind::fixed, "fixed"},
              {ContainerKind::append_sort, "append-sort"},
              {ContainerKind::append_group, "append-group"},
              {ContainerKind::array, "array"}};

constexpr i64 kFixedEntries = 256;

template <typename Key>
std::unique_ptr<Container<Key>> make_hash_tree(const ContainerSpec &spec, i64 entries) {
  return std::make_unique<HashTree<Key>>(spec.state_bytes, entries);
}

template <typename Key>
std::unique_ptr<Container<Key>> make_buffer(const ContainerSpec &spec, EqualKeys equal_keys) {
  return std::make_unique<AppendBuffer<Key>>(spec.state_bytes, equal_keys);
}

ContainerSpec of_class(ContainerSpec spec, size_t key_class) {
  const double expected = static_cast<double>(spec.expected_keys) * spec.shares[key_class];
  spec.expected_keys = static_cast<i64>(expected);
  return spec;
}

}  // namespace

Result<ContainerKind> parse_container(std::string_view name) {
  std::string known;
  for (const auto &one : kNames) {
    if (name == one.name) return one.kind;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  return Status::error("no container \"" + std::string(name) + "\"; there are " + known);
}

const char *container_name(ContainerKind kind) {
  for (const auto &one : kNames) {
    if (kind == one.kind) return one.name;
  }
  return "";
}

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
    case ContainerKind::hashtree:
      return make_hash_tree<Key>(spec, HashTree<Key>::entries_for(spec.expected_keys));
    case ContainerKind::tree: return make_hash_tree<Key>(spec, 1);
    case ContainerKind::fixed: return make_hash_tree<Key>(spec, kFixedEntries);
    case ContainerKind::append_sort: return make_buffer<Key>(spec, EqualKeys::apart);
    case ContainerKind::append_group: return make_buffer<Key>(spec, EqualKeys::merged);
    case ContainerKind::array:  // longer keys are no indexes
      if constexpr (std::is_same_v<Key, Key16>) {
        return std::make_unique<ArrayTable>(spec.state_bytes, spec.expected_keys);
      }
    case ContainerKind::flat: break;
  }
  auto table =
      std::make_unique<FlatTable<Key>>(spec.state_bytes, KeyBytes::copied, spec.expected_keys);
  table->ablate(spec.ablation);
  return table;
}

template std::unique_ptr<Container<Key16>> make_container(const ContainerSpec &);
template std::unique_ptr<Container<Key32>> make_container(const ContainerSpec &);
template std::unique_ptr<Container<KeyRef>> make_container(const ContainerSpec &);

Groups::Groups(const ContainerSpec &spec)
    : kind_(spec.kind),
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
