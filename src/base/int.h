// Short names for the integers used everywhere; i64 unless millions of them are stored.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Marks small functions that files with different compiler flags share: an out-of-line copy
// compiled with the flags of one file must never serve another.
#define MRC_INLINE inline __attribute__((always_inline))

namespace mrc {

using i64 = int64_t;
using u64 = uint64_t;
using u32 = uint32_t;
using u16 = uint16_t;
using u8 = uint8_t;

// Borrowed bytes. A class that stores them says in a comment what owns them.
using Bytes = std::string_view;

static_assert(std::endian::native == std::endian::little, "key images are little-endian");

}  // namespace mrc
