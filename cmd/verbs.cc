#include "cmd/verb.h"

#include <cstring>

namespace mrc {

// verbs.inc has a line VERB(name) for each file in verbs/, in order.
#define VERB(name) extern const Verb verb_##name;
#include "verbs.inc"
#undef VERB

std::span<const Verb *const> all_verbs() {
  static constexpr const Verb *kVerbs[] = {
#define VERB(name) &verb_##name,
#include "verbs.inc"
#undef VERB
  };
  return kVerbs;
}

const Verb *find_verb(const std::string &name) {
  for (const Verb *verb : all_verbs()) {
    if (name == verb->name) return verb;
  }
  return nullptr;
}

}  // namespace mrc
