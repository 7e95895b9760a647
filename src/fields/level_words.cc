#include "fields/level_words.h"

#include <algorithm>
#include <span>

namespace mrc {
namespace {

// A format's word for a level. The usual word is padded, because it may be over-read.
struct LevelWord {
  Bytes written;
  char usual[16 + kPadding];
};

constexpr LevelWord kSyslog[] = {{"0", "emergency"}, {"1", "alert"},   {"2", "critical"},
                                 {"3", "error"},     {"4", "warning"}, {"5", "notice"},
                                 {"6", "info"},      {"7", "debug"}};
constexpr LevelWord kWindows[] = {{"0", "info"},    {"1", "critical"}, {"2", "error"},
                                  {"3", "warning"}, {"4", "info"},     {"5", "verbose"}};
constexpr LevelWord kRedis[] = {{".", "debug"}, {"-", "info"}, {"*", "notice"}, {"#", "warning"}};
constexpr LevelWord kWebSphere[] = {{"A", "info"}, {"O", "info"}, {"R", "error"}};
constexpr LevelWord kMacos[] = {{"Default", "notice"}, {"Fault", "critical"}};
constexpr LevelWord kPanos[] = {{"low", "notice"}, {"medium", "warning"}, {"high", "error"}};
constexpr LevelWord kPhp[] = {{"Fatal error", "error"},
                              {"Parse error", "error"},
                              {"Recoverable fatal error", "error"},
                              {"Deprecated", "notice"},
                              {"Strict Standards", "notice"}};

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
  }
  return {};
}

}  // namespace

Bytes usual_level(LevelWords words, Bytes value) {
  const std::span<const LevelWord> all = words_of(words);
  const auto found = std::ranges::find(all, value, &LevelWord::written);
  return found == all.end() ? value : Bytes(found->usual);
}

}  // namespace mrc
