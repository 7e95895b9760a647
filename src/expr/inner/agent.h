// The families of user agents: agent() in mrc-expressions(7). agents.inc has their table.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

enum class AgentPart : u8 { browser, os, device, bot };
inline constexpr size_t kAgentParts = 4;

// A missing family has no data(). Families live forever, and may be over-read by kPadding bytes.
using AgentFamilies = std::array<Bytes, kAgentParts>;
AgentFamilies families_of_agent(Bytes agent);

// Does what families_of_agent() does, but remembers the last agents of the thread, because most
// repeat.
const AgentFamilies &remembered_families_of(Bytes agent);

}  // namespace mrc
