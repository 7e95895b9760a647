#include "base/status.h"

#include <system_error>

namespace mrc {
namespace {

auto out_of_memory_message = std::make_shared<const std::string>("out of memory");

}  // namespace

Status Status::out_of_memory() { return Status(out_of_memory_message, Kind::memory); }

void Status::explain_out_of_memory(std::string_view message) {
  out_of_memory_message = std::make_shared<const std::string>(message);
}

Status Status::from_errno(int errno_value) {
  return error(std::generic_category().message(errno_value));
}

Status Status::within(std::string_view subject) const {
  auto whole = std::make_shared<const std::string>(std::string(subject) + ": " + message());
  return Status(std::move(whole), kind_).starting_with(subject);
}

}  // namespace mrc
