#include "base/number_column.h"

namespace mrc {

__attribute__((noinline)) Number parse_longer_number(Bytes text, Arena *wide) {
  return parse_number(text, wide);
}

}  // namespace mrc
