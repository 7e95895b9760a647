// Finds a byte that is usually near, without a call or a table of functions.
#pragma once

#include "scan/vector.h"

namespace mrc {

// Returns the first `byte` in [p, end), or `end`. May over-read `end` by 16 bytes.
MRC_INLINE const char *find_byte(const char *p, const char *end, char byte) {
  for (; p < end; p += BaselineVector::kBytes) {
    const u64 found = BaselineVector::load(p).equal(byte).bits();
    if (found == 0) continue;
    p += __builtin_ctzll(found);
    return p < end ? p : end;
  }
  return end;
}

}  // namespace mrc
