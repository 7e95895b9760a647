#include "base/setting_name.h"

namespace mrc {
namespace {

std::string (*write_name)(std::string_view name) = nullptr;

}  // namespace

std::string setting_name(std::string_view name) {
  return write_name ? write_name(name) : std::string(name);
}

void write_setting_names_by(std::string (*write)(std::string_view name)) { write_name = write; }

}  // namespace mrc
