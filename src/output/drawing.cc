#include "output/inner/drawing.h"

#include "base/setting_name.h"
#include "expr/bucket_steps.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kMostBeyond = 100'000;  // slots beyond

// Returns the size of a number that a double cannot hold.
double size_beyond(Bytes text) {
  const bool is_negative = text.starts_with('-');
  text.remove_prefix(is_negative);
  if (text.starts_with("0.") || text.starts_with('.')) return 0;
  return is_negative ? -DBL_MAX : DBL_MAX;
}

}  // namespace

i64 widest_part_beside_drawing(const RowShape &shape) {
  const i64 parts = std::max<i64>(1, std::ssize(shape.key.parts));
  return std::max<i64>(8, shape.width / 2 / parts);
}

i64 first_number(const StateLayout &layout) {
  i64 column = 0;
  while (layout.column(column).text) ++column;
  return column;
}

std::optional<double> drawn_size(Bytes text) {
  double size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc::result_out_of_range) return size_beyond(text);
  if (error != std::errc() || !std::isfinite(size)) return std::nullopt;
  return size;
}

void Scale::widen(double size) {
  low_ = is_empty_ ? size : std::min(low_, size);
  high_ = is_empty_ ? size : std::max(high_, size);
  is_empty_ = false;
}

// Halves keep the difference finite.
i64 Scale::class_of(double size, i64 classes) const {
  if (high_ == low_) return high_ == 0 ? 0 : classes - 1;
  const double part = (size / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
  return std::clamp<i64>(static_cast<i64>(part * static_cast<double>(classes)), 0, classes - 1);
}

AxisSlots::AxisSlots(const DrawnAxis &axis, std::span<const std::string> names, i64 most)
    : axis_(axis) {
  if (steps_of(axis.bucket.get()) != nullptr) {
    add_steps(names, most);
    return;
  }
  for (const std::string &name : names) {
    if (size() < most) {
      slots_.push_back({size(), name});
    } else {
      ++beyond_;
      last_ = name;
    }
  }
}

void AxisSlots::add_steps(std::span<const std::string> names, i64 most) {
  const BucketSteps &steps = *steps_of(axis_.bucket.get());
  std::vector<std::pair<i64, i64>> places;  // and their columns
  for (i64 i = 0; i < std::ssize(names); ++i) {
    const std::optional<i64> place = steps.place_of(names[static_cast<size_t>(i)]);
    const bool is_drawn = place && *place != INT64_MIN && *place != INT64_MAX;
    is_drawn ? void(places.emplace_back(*place, i)) : others_.push_back(i);
  }
  if (places.empty()) return;
  std::ranges::sort(places);
  last_ = names[static_cast<size_t>(places.back().second)];
  auto next = places.begin();
  for (i64 place = next->first; next != places.end(); place = steps.after(place)) {
    const bool has_column = next->first == place;
    if (size() < most) {
      slots_.push_back({has_column ? next->second : -1, steps.name_at(place)});
    } else if (++beyond_ > kMostBeyond) {
      is_endless_ = true;
      return;
    }
    next += has_column;
  }
}

Status AxisSlots::check(const RowShape &shape, i64 room) const {
  if (beyond_ == 0 && size() <= room) return Status::ok();
  std::string first, last;
  append_visible(slots_.empty() ? "" : slots_.front().name, &first);
  append_visible(beyond_ > 0 ? last_ : slots_.back().name, &last);
  const bool has_steps = steps_of(axis_.bucket.get()) != nullptr;
  return Status::error(fmt::format(
      "{} {}: {}{} {} of {}, from {} to {}, do not fit in {} columns; {}, select fewer records, "
      "or set COLUMNS to a larger width",
      setting_name("to"), shape.format->name, is_endless_ ? "over " : "",
      size() + beyond_ - is_endless_, has_steps ? "buckets" : "values", axis_.name, first, last,
      std::max<i64>(room, 0), has_steps ? "take larger buckets" : "take buckets"));
}

}  // namespace mrc
