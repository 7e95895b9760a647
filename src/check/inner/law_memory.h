// Memory that detects a plugin that writes beside it or uses it too late.
//
// The bytes are followed by 64 bytes of a pattern and then by inaccessible pages; before them, the
// pattern fills the page, and inaccessible pages precede it. The pattern is checked after each
// call. Memory that a plugin must not use any more becomes inaccessible, and its addresses are not
// reused while the process lives. So a plugin that uses a kept pointer crashes, and the message
// about the crash says why. Any thread.
#pragma once

#include "base/int.h"
#include "mrc_plugin.h"

#include <memory>
#include <vector>

namespace mrc {

class GuardedMemory {
 public:
  // `what` completes "it touched ...", and must live forever: "memory beside a state".
  GuardedMemory(size_t bytes, const char *what);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  unsigned char *data() const { return data_; }
  size_t size() const { return size_; }
  bool intact() const;  // true if nothing was written beside it
  // From now on, accessing it crashes.
  void forbid(const char *what);

 private:
  size_t size_, mapped_;
  unsigned char *map_, *data_, *end_;
  bool forbidden_ = false;
};

// Returns the `what` of the guarded memory at `address`; nullptr: not guarded. Signal safe.
const char *explain_address(const void *address);

// An arena of guarded pieces, which are filled with garbage.
class GuardedArena : public mrc_arena {
 public:
  GuardedArena();
  bool intact() const;
  void forbid();

 private:
  std::vector<std::unique_ptr<GuardedMemory>> pieces_;
};

}  // namespace mrc
