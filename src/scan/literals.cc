#include "scan/literals.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

// Bytes of English prose and access logs together, the most frequent first. All other bytes are
// rare.
constexpr Bytes kFrequent =
    " e01t2ao/i9nsr5dhl8376.4-cu:m\"p_fg,wbyvAM;TkSEPGCIxLN()OH\n=RD+B?WFUj[]%&zq'XV";

constexpr auto kRarity = [] {
  std::array<u8, 256> rarities{};
  for (size_t i = 0; i < 256; ++i) rarities[i] = i < 0x20 || i >= 0x7F ? 240 : 220;
  for (size_t i = 0; i < kFrequent.size(); ++i) {
    rarities[static_cast<u8>(kFrequent[i])] = static_cast<u8>(2 * i);
  }
  rarities[0xC3] = rarities[0xE2] = rarities[0x80] = 120;  // frequent bytes of UTF-8
  return rarities;
}();

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool stands_at(const char *p, Bytes literal, bool fold) {
  if (!fold) return std::memcmp(p, literal.data(), literal.size()) == 0;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (lower(p[i]) != literal[i]) return false;
  }
  return true;
}

// Chooses the two rarest of the first `within` bytes.
LiteralSet::Probe probe_of(Bytes literal, i64 within, bool fold) {
  auto rarity_at = [&](i64 at) { return rarity(literal[static_cast<size_t>(at)]); };
  i64 rarest = 0, second = within > 1 ? 1 : 0;
  if (rarity_at(second) > rarity_at(rarest)) std::swap(rarest, second);
  for (i64 at = 2; at < within; ++at) {
    if (rarity_at(at) > rarity_at(rarest)) {
      second = std::exchange(rarest, at);
    } else if (rarity_at(at) > rarity_at(second)) {
      second = at;
    }
  }
  LiteralSet::Probe probe{};
  const i64 places[] = {rarest, second};
  for (int i = 0; i < 2; ++i) {
    const char c = literal[static_cast<size_t>(places[i])];
    probe.at[i] = places[i];
    probe.byte[i] = c;
    probe.blur[i] = fold && is_letter(c) ? 0x20 : 0;
  }
  return probe;
}

}  // namespace

int rarity(char byte) { return kRarity[static_cast<u8>(byte)]; }

LiteralSet::LiteralSet(std::vector<std::string> literals, bool fold)
    : literals_(std::move(literals)), fold_(fold) {
  shortest_ = INT64_MAX;
  for (const std::string &literal : literals_) {
    shortest_ = std::min<i64>(shortest_, std::ssize(literal));
  }
  // Keeps probes within the size of the shortest literal, so that none reads past the padding.
  for (const std::string &literal : literals_) {
    probes_.push_back(probe_of(literal, shortest_, fold));
  }
}

i64 LiteralSet::size_at(const char *p, const char *end) const {
  for (const std::string &literal : literals_) {
    if (std::ssize(literal) > end - p) continue;
    if (stands_at(p, literal, fold_)) return std::ssize(literal);
  }
  return 0;
}

}  // namespace mrc
