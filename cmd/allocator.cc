#include "cmd/allocator.h"

#ifdef MRC_MIMALLOC
#include <fmt/format.h>
#include <mimalloc.h>
#endif

namespace mrc {

#ifdef MRC_MIMALLOC

std::string allocator_name() {
  const int version = mi_version();  // 209 stands for 2.0.9
  return fmt::format("mimalloc {}.{}.{}", version / 100, version / 10 % 10, version % 10);
}

void give_memory_back_at_once() {
#if MI_MALLOC_VERSION < 210
  mi_option_set(mi_option_decommit_delay, 0);
#else
  mi_option_set(mi_option_purge_delay, 0);
#endif
}

#else

std::string allocator_name() { return "the system's"; }
void give_memory_back_at_once() {}

#endif

}  // namespace mrc
