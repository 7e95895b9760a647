// input: the decoder of one member of a gzip file. It is ISA-L, or zlib where all libraries are
// linked in (MRC_PORTABLE), since Debian has no archive of ISA-L.
#pragma once

#include "base/int.h"

#include <memory>

namespace mrc {

// Not thread safe.
class Inflater {
 public:
  struct Step {
    i64 taken = 0, made = 0;  // bytes of input and of output
    bool ended = false;       // the member has
    const char *failure = nullptr;
  };

  Inflater();
  ~Inflater();

  // Before each member, the first one included.
  void begin_member();
  // Decodes from `in` until there is no more input or no more room. The next step
  // begins with the decoded bytes that did not fit.
  Step step(Bytes in, char *out, i64 room);
  // After a failure: copies the decoded bytes that did not fit. Returns how many.
  i64 take_leftover(char *out, i64 room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mrc
