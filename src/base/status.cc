#include "base/status.h"

#include <system_error>

namespace mrc {

Status Status::from_errno(std::string_view context, int errno_value) {
  return error(std::string(context) + ": " + std::generic_category().message(errno_value));
}

}  // namespace mrc
