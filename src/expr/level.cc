#include "expr/level.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace mrc {
namespace {

struct Level {
  i64 rank;
  std::string_view name;
  std::string_view words;  // in lower case, each between blanks
};
constexpr std::array<Level, 9> kLevels = {{
    {10, "trace",
     " trace trc trce finest finer verbose verb vrb trace1 trace2 trace3 trace4 trace5 trace6 "
     "trace7 trace8 10 v v! t t! "},
    {20, "debug",
     " debug dbg debg dbug fine debug1 debug2 debug3 debug4 debug5 config cfg 20 d d! d1 d2 d3 d4 "
     "d5 "},
    {30, "info",
     " info inf inform information informational log audit success location context detail hint "
     "query statement system 30 i i! "},
    {35, "notice", " notice note ntc n n! "},
    {40, "warn", " warn warning wrn wrng 40 w w! "},
    {50, "error", " error err erro eror fail failure severe 50 e e! "},
    {60, "critical", " critical crit c c! "},
    {70, "alert", " alert alrt a a! "},
    {80, "fatal", " fatal ftl fatl panic emerg emergency assert wtf dpanic 60 f f! "},
}};
constexpr size_t kLongest = 13;  // informational

}  // namespace

std::optional<i64> level_rank(Bytes word) {
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::array<char, kLongest + 2> sought;
  sought[0] = ' ';
  std::ranges::transform(word, sought.begin() + 1, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  sought[word.size() + 1] = ' ';
  const std::string_view with_blanks(sought.data(), word.size() + 2);
  if (word.find(' ') != Bytes::npos) return std::nullopt;
  for (const Level &level : kLevels) {
    if (level.words.find(with_blanks) != level.words.npos) return level.rank;
  }
  return std::nullopt;
}

Bytes level_of_rank(i64 rank) {
  const auto *level = std::ranges::find(kLevels, rank, &Level::rank);
  return level == kLevels.end() ? Bytes() : level->name;
}

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const Level &level : kLevels) names.emplace_back(level.name);
  return names;
}

}  // namespace mrc
