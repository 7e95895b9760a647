#include "fields/fields.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr const LineFormat *kFormats[] = {
#define LINE_FORMAT(name, turn) &LineFormat::name,
#include "fields/formats.inc"
};

}  // namespace

std::span<const LineFormat *const> all_line_formats() { return kFormats; }

const LineFormat *find_line_format(std::string_view name) {
  const auto *found = std::ranges::find(kFormats, name, &LineFormat::name);
  return found == std::end(kFormats) ? nullptr : *found;
}

Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted) {
  return dialect.format->make_reader(dialect, wanted);
}

}  // namespace mrc
