#include "sched/sched.h"

#include <sys/resource.h>
#include <unistd.h>

namespace mrc {

// Linux applies PRIO_PROCESS to one thread.
void lower_priority() {
  constexpr int kLeast = 19;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLeast);
}

i64 nice_value() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

}  // namespace mrc
