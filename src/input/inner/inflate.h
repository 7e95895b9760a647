// input: the decoder of one member of a gzip file. It is ISA-L, or zlib in static builds
// (MRC_PORTABLE), since Debian has no static library of ISA-L.
#pragma once

#include "base/int.h"

#include <memory>

namespace mrc {

// Not thread safe.
class Inflater {
 public:
  struct Step {
    i64 taken = 0, made = 0;  // bytes of input and of output
    bool ended = false;       // end of the member
    const char *failure = nullptr;
  };

  Inflater();
  ~Inflater();

  // Call before each member, the first one included.
  void begin_member();
  // Decodes `in` until the input or the room ends. The next step begins with the decoded bytes that
  // did not fit.
  Step step(Bytes in, char *out, i64 room);
  // Copies the decoded bytes that did not fit, after a failure. Returns their number.
  i64 take_leftover(char *out, i64 room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mrc
