#include "kinds/level.h"

#include "base/text.h"
#include "record.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
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
     " trace trc trce trac finest finer verbose verb vrb ddebug subdebug trace1 trace2 trace3 "
     "trace4 "
     "trace5 trace6 trace7 trace8 10 v v! t t! "},
    {20, "debug",
     " debug dbg debg dbug debu fine debug1 debug2 debug3 debug4 debug5 config cfg 20 d d! d1 d2 "
     "d3 d4 d5 "},
    {30, "info",
     " info inf inform information informational log audit success location context detail hint "
     "query statement system 30 i i! "},
    {35, "notice", " notice note ntc n n! "},
    {40, "warn", " warn warning wrn wrng 40 w w! "},
    {50, "error", " error err erro eror fail failure severe 50 e e! "},
    {60, "critical", " critical crit c c! "},
    {70, "alert", " alert alrt a a! "},
    {80, "fatal", " fatal ftl fatl fata panic pani emerg emergency assert wtf dpanic 60 f f! "},
}};
constexpr size_t kLongestLevel = 13;  // informational

// The words of up to eight letters, each as one number, in lower case, in a small table.
constexpr size_t kLongestInTable = 8;
constexpr size_t kShortestInLogs = 3;  // of those that are no single letters
constexpr size_t kLongestInLogs = 11;  // information
constexpr Bytes kLetters = "FEWIDVTCNA";

constexpr u64 as_number(Bytes word) {
  u64 number = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    number |= static_cast<u64>(static_cast<u8>(word[i])) << 8 * i;
  }
  return number;
}
constexpr size_t kSlots = 256;
constexpr size_t slot_of(u64 number) {
  return static_cast<size_t>(number * 0x9E3779B97F4A7C15 >> 56);
}
struct Slot {
  u64 word;  // 0: none
  i64 rank;
};
// A hash table with open addressing.
constexpr auto kTable = [] {
  std::array<Slot, kSlots> table{};
  for (const Level &level : kLevels) {
    for (Bytes words = level.words.substr(1); !words.empty();) {
      const Bytes word = words.substr(0, words.find(' '));
      words.remove_prefix(word.size() + 1);
      if (word.size() > kLongestInTable) continue;
      size_t slot = slot_of(as_number(word));
      while (table[slot].word != 0) slot = (slot + 1) % kSlots;
      table[slot] = {as_number(word), level.rank};
    }
  }
  return table;
}();
std::optional<i64> rank_in_table(u64 word) {
  for (size_t slot = slot_of(word); kTable[slot].word != 0; slot = (slot + 1) % kSlots) {
    if (kTable[slot].word == word) return kTable[slot].rank;
  }
  return std::nullopt;
}

constexpr std::array<Bytes, 17> kDoubtfulWords = {
    "fail",   "failure", "note",  "inform",  "config",  "log",      "fine", "audit",     "system",
    "detail", "hint",    "query", "context", "success", "location", "verb", "statement",
};

// True if the word is one of the levels, in any case.
bool is_one_of(std::span<const Bytes> levels, Bytes word) {
  const auto is_same = [](char a, char b) { return (a | 0x20) == b; };
  return std::ranges::any_of(levels, [&](Bytes level) {
    return std::equal(word.begin(), word.end(), level.begin(), level.end(), is_same);
  });
}

// A format's word for a level. The usual word is padded, because it may be over-read.
struct LevelWord {
  Bytes written;
  char usual[16 + kPadding];
};

constexpr LevelWord kSyslog[] = {{"0", "emergency"}, {"1", "alert"},   {"2", "critical"},
                                 {"3", "error"},     {"4", "warning"}, {"5", "notice"},
                                 {"6", "info"},      {"7", "debug"}};
constexpr LevelWord kWindows[] = {{"0", "info"},
                                  {"1", "critical"},
                                  {"2", "error"},
                                  {"3", "warning"},
                                  {"4", "info"},
                                  {"5", "verbose"},
                                  {"Informationen", "info"},
                                  {"Warnung", "warning"},
                                  {"Fehler", "error"},
                                  {"Kritisch", "critical"},
                                  {"Ausführlich", "verbose"},
                                  {"Avertissement", "warning"},
                                  {"Erreur", "error"},
                                  {"Critique", "critical"},
                                  {"Commentaires", "verbose"},
                                  {"Información", "info"},
                                  {"Advertencia", "warning"},
                                  {"Crítico", "critical"},
                                  {"Detallado", "verbose"}};
constexpr LevelWord kRedis[] = {{".", "debug"}, {"-", "info"}, {"*", "notice"}, {"#", "warning"}};
constexpr LevelWord kWebSphere[] = {{"A", "info"}, {"O", "info"}, {"R", "error"}};
constexpr LevelWord kMacos[] = {{"Default", "notice"}, {"Fault", "critical"}};
constexpr LevelWord kPanos[] = {{"low", "notice"}, {"medium", "warning"}, {"high", "error"}};
constexpr LevelWord kPhp[] = {{"Fatal error", "error"},
                              {"Parse error", "error"},
                              {"Recoverable fatal error", "error"},
                              {"Deprecated", "notice"},
                              {"Strict Standards", "notice"}};
constexpr LevelWord kJava[] = {{"WARNUNG", "warning"},
                               {"SCHWERWIEGEND", "error"},
                               {"FEIN", "debug"},
                               {"FEINER", "trace"},
                               {"KONFIGURATION", "debug"},
                               {"INFOS", "info"},
                               {"AVERTISSEMENT", "warning"},
                               {"GRAVE", "error"},
                               {"Warnung", "warning"},
                               {"Schwerwiegend", "error"},
                               {"Infos", "info"},
                               {"Avertissement", "warning"},
                               {"Grave", "error"}};
constexpr LevelWord kXorg[] = {
    {"EE", "error"}, {"WW", "warning"}, {"II", "info"}, {"!!", "notice"}};
constexpr LevelWord kCmTrace[] = {{"0", "debug"}, {"1", "info"}, {"2", "warning"}, {"3", "error"}};

std::span<const LevelWord> words_of(LevelWords words) {
  switch (words) {
    case LevelWords::usual: return {};
    case LevelWords::syslog: return kSyslog;
    case LevelWords::windows: return kWindows;
    case LevelWords::redis: return kRedis;
    case LevelWords::websphere: return kWebSphere;
    case LevelWords::macos: return kMacos;
    case LevelWords::panos: return kPanos;
    case LevelWords::php: return kPhp;
    case LevelWords::java: return kJava;
    case LevelWords::xorg: return kXorg;
    case LevelWords::cmtrace: return kCmTrace;
  }
  return {};
}

// Returns the rank of a level with a distance, in lower case, as slog of Go writes those between
// its four: debug-4 and info+2.
std::optional<i64> rank_with_distance(Bytes word) {
  const size_t sign = word.find_first_of("+-");
  if (sign == Bytes::npos || !is_digits(word.substr(sign + 1))) return std::nullopt;
  const Bytes name = word.substr(0, sign);
  if (name == "debug") return word[sign] == '-' ? 10 : 20;
  if (word[sign] == '-') return std::nullopt;
  if (name == "info") return 35;
  if (name == "warn") return 40;
  return name == "error" ? std::optional<i64>(50) : std::nullopt;
}

}  // namespace

std::optional<i64> level_rank(Bytes word) {
  const bool is_short = !word.empty() && word.size() <= kLongestLevel;
  if (!is_short || word.back() == '\0') return std::nullopt;  // a NUL adds nothing to a number
  std::string lower(word);
  for (char &c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  if (word.size() <= kLongestInTable) {
    const std::optional<i64> rank = rank_in_table(as_number(lower));
    return rank ? rank : rank_with_distance(lower);
  }
  if (word.find(' ') != Bytes::npos) return std::nullopt;
  for (const Level &level : kLevels) {
    if (level.words.find(" " + lower + " ") != level.words.npos) return level.rank;
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

Bytes usual_level(LevelWords words, Bytes value) {
  const std::span<const LevelWord> all = words_of(words);
  const auto found = std::ranges::find(all, value, &LevelWord::written);
  return found == all.end() ? value : Bytes(found->usual);
}

bool is_log_level(Bytes word) {
  if (word.size() == 1) return kLetters.find(word[0]) != Bytes::npos;
  if (word.size() == 2) return word[1] == '!' && kLetters.find(word[0]) != Bytes::npos;
  if (word.size() < kShortestInLogs) return false;
  if (word.size() > kLongestInTable) return word.size() <= kLongestInLogs && level_rank(word);
  u64 number;
  static_assert(kPadding >= 8);
  std::memcpy(&number, word.data(), sizeof number);
  const u64 mask = ~u64{0} >> (64 - 8 * word.size());
  // Digits have this bit already.
  number = (number | 0x2020202020202020) & mask;
  return rank_in_table(number).has_value();
}

bool is_doubtful_level(Bytes word) { return is_one_of(kDoubtfulWords, word); }

bool has_clear_level(const std::vector<Bytes> &values) {
  return std::ranges::any_of(values, [](Bytes value) {
    if (value.size() == 1) return value != "A";
    return !is_doubtful_level(value) || (value[0] & 0x20) == 0;
  });
}

}  // namespace mrc
