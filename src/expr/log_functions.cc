// Functions for what logs have in them: user agents and messages.
#include "expr/inner/agent.h"
#include "expr/inner/functions.h"
#include "expr/inner/mask.h"
#include "expr/inner/value_nodes.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr std::string_view kAgentPartNames[] = {"browser", "os", "device", "bot"};
static_assert(std::size(kAgentPartNames) == kAgentParts);

TextsPtr make_agent(const Expression &call, Compiler *compiler) {
  const std::string name = compiler->constant(call.arguments[1], "a part of a user agent");
  const auto *part = std::ranges::find(kAgentPartNames, name);
  if (part == std::end(kAgentPartNames)) {
    return compiler->fail("{}: no part \"{}\"; there are browser, os, device and bot", call.typed,
                          name);
  }
  const auto index = static_cast<size_t>(part - kAgentPartNames);
  return make_values(
      [index](const Here &, Bytes text) { return remembered_families_of(text)[index]; },
      compiler->texts(call.arguments[0]));
}

TextsPtr make_mask(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Bytes text) {
    return here.text_by([text](std::string *out) {
      append_masked(text, out);
      return true;
    });
  };
  return make_values(rule, compiler->texts(call.arguments[0]));
}

constexpr Function kFunctions[] = {
    {"agent", "(TEXT, PART)", 2, 2, nullptr, make_agent},
    {"mask", "(TEXT)", 1, 1, nullptr, make_mask},
};

}  // namespace

std::span<const Function> log_functions() { return kFunctions; }

}  // namespace mrc
