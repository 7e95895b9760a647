#include "fields/inner/evidence.h"

#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"

#include <algorithm>
#include <array>
#include <functional>

namespace mrc {
namespace {

constexpr auto kShapes = [] {
  std::array all = {
#define LINE_FORMAT(name, weight) FormatShape{&LineFormat::name, weight},
#include "fields/formats.inc"
  };
  std::ranges::sort(all, std::greater(), &FormatShape::weight);
  return all;
}();

constexpr int kNamedWeight = 60;  // of any row of named_formats.h

}  // namespace

std::span<const FormatShape> format_shapes() { return kShapes; }

int weight_of(const LineFormat &format) {
  return std::ranges::find(kShapes, &format, &FormatShape::format)->weight;
}
bool has_names(const Dialect &dialect, const Names &names) {
  return std::ranges::all_of(names, [&](const auto &name) { return has_field(dialect, name); });
}

bool is_doubtful(const Dialect &dialect, const Names &asked) {
  const LineFormat &format = *dialect.format;
  if (format.row != nullptr) {
    return asked.empty() && format.row->lines == NamedFormat::Lines::around;
  }
  if (&format == &LineFormat::logfmt) {
    return !has_field(dialect, "level") && !has_field(dialect, "time");
  }
  return format.quoted && !dialect.header;
}

Evidence evidence_of(const Dialect &dialect, const Names &asked) {
  const LineFormat &format = *dialect.format;
  const int full = format.row != nullptr ? kNamedWeight : weight_of(format);
  const int weight = is_doubtful(dialect, asked) ? full / 2 : full;
  const auto claim = [&] {
    const bool is_timed = has_name(dialect.names, "time"), has_all = has_names(dialect, asked);
    if (dialect.wrapper >= 0) return is_timed ? Claim::timed_inside : Claim::inside;
    if (has_all && !asked.empty() && !format.by_name && weight > weight_of(LineFormat::log))
      return Claim::shared;
    if (has_all && weight > weight_of(LineFormat::csv)) return Claim::clear;
    return has_names(dialect, asked.empty() ? Names{"level"} : asked) ? Claim::told : Claim::none;
  };
  return {claim(), weight};
}

void take_better(std::optional<Dialect> other, const Names &asked, Candidate *best) {
  if (!other) return;
  Candidate candidate(std::move(*other), asked);
  if (candidate.evidence > best->evidence) *best = std::move(candidate);
}

}  // namespace mrc
