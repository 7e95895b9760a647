// A stack for signal handlers, so that a stack overflow can be reported.
#pragma once

namespace mrc {

void make_signal_stack();

// Gives this thread a signal stack if it has none. It is freed when the thread ends.
inline void ensure_signal_stack() {
  static thread_local bool made = false;
  if (made) return;
  made = true;
  make_signal_stack();
}

}  // namespace mrc
