// Memory that shows when a plugin writes beside it, or looks at it too late.
//
// Around the bytes lie 64 bytes of a pattern, which are compared after each call, and then
// pages that cannot be touched; in front of them the pattern fills the page. Memory that a
// plugin must not use any more cannot be touched either, and its addresses are not reused
// while the process lives. So a plugin that has kept a pointer crashes, and the line about the
// crash says why. Any thread.
#pragma once

#include "base/int.h"
#include "mrc_plugin.h"

#include <memory>
#include <vector>

namespace mrc {

class GuardedMemory {
 public:
  // `what` completes "it touched ...", for ever: "memory beside a state".
  GuardedMemory(size_t bytes, const char *what);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  unsigned char *data() const { return data_; }
  size_t size() const { return size_; }
  bool intact() const;  // whether nothing was written beside it
  // From now on, touching it is a crash.
  void forbid(const char *what);

 private:
  size_t size_, mapped_;
  unsigned char *map_, *data_, *end_;
  bool forbidden_ = false;
};

// What a crash at `address` has to do with guarded memory; nullptr: nothing. Signal safe.
const char *explain_address(const void *address);

// An arena of guarded pieces, which are full of garbage at first.
class GuardedArena : public mrc_arena {
 public:
  GuardedArena();
  bool intact() const;
  void forbid();

 private:
  std::vector<std::unique_ptr<GuardedMemory>> pieces_;
};

}  // namespace mrc
