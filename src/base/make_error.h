// Errors whose messages are formatted.
#pragma once

#include "base/status.h"

#include <fmt/format.h>

#include <utility>

namespace mrc {

template <typename... Args>
Status make_error(fmt::format_string<Args...> form, Args &&...args) {
  return Status::error(fmt::format(form, std::forward<Args>(args)...));
}

}  // namespace mrc
