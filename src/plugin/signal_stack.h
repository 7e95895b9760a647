// A stack for signal handlers, so that a stack that is full can be told about, too.
#pragma once

namespace mrc {

void make_signal_stack();

// Gives this thread one, if it has none. Taken back when the thread ends.
inline void ensure_signal_stack() {
  static thread_local bool made = false;
  if (made) return;
  made = true;
  make_signal_stack();
}

}  // namespace mrc
