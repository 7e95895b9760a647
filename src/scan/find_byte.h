// The next place of a byte, where it is near: no call, no table of functions.
#pragma once

#include "scan/vector.h"

namespace mrc {

// The first `byte` in [p, end), or `end`. May over-read `end` by 16 bytes.
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
