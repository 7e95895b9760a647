#include "engine/inner/result_faults.h"

#include <fmt/format.h>

namespace mrc {

std::string ResultFaults::describe_first(const KeyShape &shape) const {
  if (shape.parts.empty()) return reason_;
  if (shape.is_plain()) return fmt::format("{}: {}", key_, reason_);
  std::string shown;
  Bytes rest = key_;
  for (const KeyPart &part : shape.parts) {
    if (!shown.empty()) shown += ", ";
    std::string value;
    take_key_part(part, &rest, &value);
    shown += value;
  }
  return fmt::format("{}: {}", shown, reason_);
}

}  // namespace mrc
