#include "kept/inner/repeated_input.h"

#include "base/hash.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace mrc {
namespace {

// Adjacent units of one source.
struct Stretch {
  PartialUnit unit;
  size_t piece;
};

// Returns all units, and the unions of adjacent units.
std::vector<Stretch> stretches_of(const Partial &whole) {
  std::vector<Stretch> all;
  for (size_t piece = 0; piece < whole.pieces.size(); ++piece) {
    for (const PartialUnit &unit : whole.pieces[piece].units) {
      if (unit.end > unit.begin) all.push_back({unit, piece});
    }
  }
  std::ranges::sort(all, {}, [](const Stretch &each) {
    return std::tuple(each.unit.source, each.unit.begin, each.piece);
  });
  const size_t units = all.size();
  for (size_t i = 0; i < units;) {
    Stretch joined = all[i];
    size_t next = i + 1;
    for (; next < units && all[next].unit.source == joined.unit.source &&
           all[next].unit.begin == joined.unit.end;
         ++next) {
      joined.unit.end = all[next].unit.end;
      joined.unit.content = ContentHash::join(joined.unit.content, all[next].unit.content);
    }
    if (next - i > 1) all.push_back(joined);
    i = next;
  }
  return all;
}

std::vector<size_t> tables_of_sources(const Partial &whole) {
  std::vector<size_t> tables;
  for (size_t table = 0; table < whole.tables.size(); ++table) {
    tables.insert(tables.end(), static_cast<size_t>(whole.tables[table].sources), table);
  }
  return tables;
}

}  // namespace

std::optional<RepeatedInput> find_repeated_input(const Partial &whole) {
  const std::vector<size_t> tables = tables_of_sources(whole);
  // The key has no end, because the end of a compressed input counts either stored or decompressed
  // bytes.
  std::map<std::tuple<std::string, i64, u64>, Stretch> seen;
  for (const Stretch &each : stretches_of(whole)) {
    const auto source = static_cast<size_t>(each.unit.source);
    const std::tuple key(whole.sources[source], each.unit.begin, each.unit.content);
    const auto [before, is_new] = seen.emplace(key, each);
    if (is_new || tables[static_cast<size_t>(before->second.unit.source)] == tables[source]) {
      continue;
    }
    const auto [first, second] = std::minmax(before->second.piece, each.piece);
    return RepeatedInput{second, first, whole.sources[source]};
  }
  return {};
}

}  // namespace mrc
