#include "scan/scan.h"

#include "base/text.h"
#include "scan/inner/format_kernels.h"
#include "scan/inner/scan_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

const Scanner kBaselineScanner = make_scanner<BaselineVector>(
#if defined(__SSE2__)
    "sse2"
#elif defined(__ARM_NEON)
    "neon"
#else
    "scalar"
#endif
);

const CsvScanner kBaselineCsvScanner = make_csv_scanner<BaselineVector>("baseline");

const JsonScanner kBaselineJsonScanner = make_json_scanner<BaselineVector>("baseline");

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
  if ((fold ? lower(*p) : *p) != literal[0]) return false;
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

// Sets the bits of all literals for their bytes at an offset, in both cases if `fold`.
LiteralSet::Bits bits_at(i64 at, const std::vector<std::string> &literals, bool fold) {
  LiteralSet::Bits bits{at, {}, {}};
  u8 bit = 1;
  for (const std::string &literal : literals) {
    const auto byte = static_cast<u8>(literal[static_cast<size_t>(at)]);
    bits.low[byte & 0x0F] |= bit;
    bits.high[byte >> 4] |= bit;
    if (fold && is_letter(static_cast<char>(byte))) bits.high[(byte ^ 0x20) >> 4] |= bit;
    bit = std::rotl(bit, 1);
  }
  return bits;
}

// Returns the offsets below `within` at which the bytes of all literals together are rarest.
std::array<i64, 3> rarest_offsets(const std::vector<std::string> &literals, i64 within) {
  std::vector<std::pair<i64, i64>> offsets;
  for (i64 at = 0; at < within; ++at) {
    i64 sum = 0;
    for (const std::string &literal : literals) sum -= rarity(literal[static_cast<size_t>(at)]);
    offsets.push_back({sum, at});
  }
  std::ranges::sort(offsets);
  std::array<i64, 3> best{};
  for (size_t i = 0; i < best.size(); ++i) {
    best[i] = offsets[std::min(i, offsets.size() - 1)].second;
  }
  return best;
}

}  // namespace

#if defined(__x86_64__)
extern const Scanner kAvx2Scanner;
extern const Scanner kAvx512Scanner;
extern const Scanner kAvx512Vbmi2Scanner;
#endif

std::array<const Scanner *, 4> runnable_scanners() {
  std::array<const Scanner *, 4> all = {&kBaselineScanner};
#if defined(__x86_64__)
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("popcnt");
  if (avx2) all[1] = &kAvx2Scanner;
  if (avx2 && __builtin_cpu_supports("avx512bw")) all[2] = &kAvx512Scanner;
  if (all[2] != nullptr && __builtin_cpu_supports("avx512vbmi2")) all[3] = &kAvx512Vbmi2Scanner;
#endif
  return all;
}

const Scanner &best_scanner() {
  const Scanner *best = nullptr;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

#if defined(__x86_64__)
extern const CsvScanner kAvx2CsvScanner;
extern const CsvScanner kAvx512CsvScanner;
#endif

// Follows the order of the scanners in scan.h, which detect the features of the CPU.
std::array<const CsvScanner *, 3> runnable_csv_scanners() {
  std::array<const CsvScanner *, 3> all = {&kBaselineCsvScanner, nullptr, nullptr};
#if defined(__x86_64__)
  if (runnable_scanners()[1] != nullptr) all[1] = &kAvx2CsvScanner;
  if (runnable_scanners()[2] != nullptr) all[2] = &kAvx512CsvScanner;
#endif
  return all;
}

const CsvScanner &best_csv_scanner() {
  const CsvScanner *best = nullptr;
  for (const CsvScanner *scanner : runnable_csv_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

#if defined(__x86_64__)
extern const JsonScanner kAvx2JsonScanner;
extern const JsonScanner kAvx512JsonScanner;
#endif

namespace {

// Returns the first closing brace that leaves a negative depth. REQUIRES: there is one
const char *find_closing(JsonState state, const char *begin, const char *end) {
  const JsonScanner &scanner = best_json_scanner();
  for (const i64 step : {64, 1}) {
    for (;; begin += step) {
      const JsonState after = scanner.pass(state, begin, std::min(begin + step, end));
      if (after.low < 0) break;
      state = after;
    }
  }
  return begin;
}

}  // namespace

// Follows the order of the scanners in scan.h, which detect the features of the CPU.
std::array<const JsonScanner *, 3> runnable_json_scanners() {
  std::array<const JsonScanner *, 3> all = {&kBaselineJsonScanner, nullptr, nullptr};
#if defined(__x86_64__)
  if (runnable_scanners()[1] != nullptr) all[1] = &kAvx2JsonScanner;
  if (runnable_scanners()[2] != nullptr) all[2] = &kAvx512JsonScanner;
#endif
  return all;
}

const JsonScanner &best_json_scanner() {
  const JsonScanner *best = nullptr;
  for (const JsonScanner *scanner : runnable_json_scanners()) {
    if (scanner != nullptr) best = scanner;
  }
  return *best;
}

JsonSkim skim_until_closed(JsonSkim (*find)(JsonState, const char *, const char *), JsonState state,
                           const char *begin, const char *end) {
  if (state == closed_json()) return {state, nullptr};
  const JsonSkim seen = find(state, begin, end);
  if (seen.state.low >= 0) return seen;
  const char *closing = find_closing(state, begin, end);
  return {closed_json(), closing == begin ? nullptr : find(state, begin, closing).end};
}

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
  const std::array<i64, 3> offsets = rarest_offsets(literals_, shortest_);
  for (size_t i = 0; i < bits_.size(); ++i) bits_[i] = bits_at(offsets[i], literals_, fold);
}

i64 LiteralSet::size_at(const char *p, const char *end) const {
  for (const std::string &literal : literals_) {
    if (std::ssize(literal) > end - p) continue;
    if (stands_at(p, literal, fold_)) return std::ssize(literal);
  }
  return 0;
}

}  // namespace mrc
