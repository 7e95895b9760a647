// Digests of bytes, as other programs compute them.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// SHA-256 of FIPS 180-4.
std::array<u8, 32> sha256(Bytes bytes);
// XXH64 without a seed, as `xxhsum -H1` prints it.
u64 xxh64(Bytes bytes);

}  // namespace mrc
