#include "base/status.h"

#include <system_error>

namespace mrc {
namespace {

const auto out_of_memory_message = std::make_shared<const std::string>(kOutOfMemory);

}  // namespace

Status Status::out_of_memory() { return Status(out_of_memory_message, Kind::memory); }

Status Status::from_errno(std::string_view context, int errno_value) {
  return error(std::string(context) + ": " + std::generic_category().message(errno_value));
}

}  // namespace mrc
