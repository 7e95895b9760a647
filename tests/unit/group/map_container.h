// A container as obvious as it can be, to see that the tests of containers test what
// the contract says.
#pragma once

#include "group/container.h"
#include "map/key_image.h"

#include <map>
#include <string>
#include <vector>

namespace mrc {

template <typename Key>
class MapContainer : public Container<Key> {
 public:
  explicit MapContainer(i64 state_bytes) : words_(static_cast<size_t>(state_bytes / 8 + 1)) {}

  void group(const Batch<Key> &batch, State **states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      auto [at, is_new] =
          held_.try_emplace({batch.hashes[i], std::string(key_bytes(batch.keys[i]))});
      if (is_new) at->second = {batch.keys[i], std::vector<u64>(words_)};
      if constexpr (std::is_same_v<Key, KeyRef>) at->second.key.data = at->first.second.data();
      states[i] = reinterpret_cast<State *>(at->second.state.data());
    }
  }

  void visit(Partition partition, GroupVisitor<Key> *visitor) const override {
    VisitBatcher<Key> batcher(visitor);
    for (const auto &[place, held] : held_) {
      if (!partition.holds(place.first)) continue;
      auto *state = reinterpret_cast<const State *>(held.state.data());
      batcher.add(held.key, place.first, const_cast<State *>(state));
    }
    batcher.flush();
  }

  i64 count(Partition partition) const override {
    return std::count_if(held_.begin(), held_.end(),
                         [&](const auto &one) { return partition.holds(one.first.first); });
  }

  void clear() override { held_.clear(); }
  ContainerUsage usage() const override { return {.keys = std::ssize(held_), .bytes = 1}; }

 private:
  struct Held {
    Key key;
    std::vector<u64> state;
  };
  size_t words_;
  std::map<std::pair<u64, std::string>, Held> held_;
};

}  // namespace mrc
