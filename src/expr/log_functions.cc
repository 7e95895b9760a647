// Functions for what logs have in them: user agents, messages, addresses and things to hide.
#include "base/digests.h"
#include "expr/inner/agent.h"
#include "expr/inner/functions.h"
#include "expr/inner/mask.h"
#include "expr/inner/value_nodes.h"
#include "kinds/address.h"

#include <fmt/format.h>

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

TextsPtr make_sha256(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Bytes text) {
    return here.text_by([text](std::string *out) {
      for (const u8 byte : sha256(text)) fmt::format_to(std::back_inserter(*out), "{:02x}", byte);
      return true;
    });
  };
  return make_values(rule, compiler->texts(call.arguments[0]));
}

TextsPtr make_xxh64(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Bytes text) {
    return here.text_by([text](std::string *out) {
      fmt::format_to(std::back_inserter(*out), "{:016x}", xxh64(text));
      return true;
    });
  };
  return make_values(rule, compiler->texts(call.arguments[0]));
}

// The networks of RFC 1918 and RFC 4193.
constexpr Bytes kPrivate[] = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"};

ConditionPtr make_private(const Expression &call, Compiler *compiler) {
  std::vector<AddressRange> ranges;
  for (const Bytes prefix : kPrivate) ranges.push_back(*AddressRange::of_prefix(prefix));
  auto rule = [ranges = std::move(ranges)](const Here &, Bytes key) {
    return std::ranges::any_of(ranges, [key](const AddressRange &range) {
      return bytes_of(range.first) <= key && key <= bytes_of(range.last);
    });
  };
  return make_condition(std::move(rule), compiler->order_keys(ValueKind::address, call.arguments[0],
                                                              call, Misfit::noted));
}

constexpr Function kLogFunctions[] = {
    {"agent", "(TEXT, PART)", 2, 2, nullptr, make_agent},
    {"mask", "(TEXT)", 1, 1, nullptr, make_mask},
    {"private", "(ADDRESS)", 1, 1, nullptr, nullptr, make_private},
    {"sha256", "(TEXT)", 1, 1, nullptr, make_sha256},
    {"xxh64", "(TEXT)", 1, 1, nullptr, make_xxh64},
};

}  // namespace

std::span<const Function> log_functions() { return kLogFunctions; }

}  // namespace mrc
