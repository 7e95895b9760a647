// The time that has passed, which no change of the machine's clock moves.
#pragma once

#include <chrono>

namespace mrc {

// Returns the seconds since a moment that is the same in the whole process.
inline double seconds_now() {
  using Steady = std::chrono::steady_clock;
  return std::chrono::duration<double>(Steady::now().time_since_epoch()).count();
}

}  // namespace mrc
