#include "output/inner/gaps.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kMostRows = 1'000'000;
// Keys that fit whatever the memory is.
constexpr i64 kMemoryOfGaps = i64{16} << 20;

// A chart shows each empty bucket if they are few. Otherwise a long gap is one line.
constexpr i64 kMostRowsOfChart = 10'000;
constexpr i64 kMostEmpty = 300;
constexpr i64 kLongGap = 4;
constexpr i64 kMostGaps = 100'000;  // of all gaps of a chart

}  // namespace

i64 Gaps::most_rows() const { return spec_.is_chart ? kMostRowsOfChart : kMostRows; }

void Gaps::limit(i64 memory) {
  memory_ = spec_.is_chart ? kMemoryOfGaps : std::max(kMemoryOfGaps, memory);
}

void Gaps::count_bytes(const std::string &key) {
  constexpr size_t kInside = 15;  // longer text is beside the string, with a word of its own
  const size_t beside = key.size() > kInside ? key.capacity() + 1 + sizeof(u64) : 0;
  bytes_ += static_cast<i64>(sizeof key + beside);
}

bool Gaps::add(Bytes key) {
  keys_.emplace_back(key);
  count_bytes(keys_.back());
  const Parts parts = parts_of(key);
  if (const std::optional<i64> place = spec_.steps->place_of(parts.name)) {
    others_.emplace(parts.before, parts.after);
    if (spec_.is_chart) places_.insert(*place);
    if (!first_ || *place < first_->first) first_ = {*place, parts.name};
    if (!last_ || *place > last_->first) last_ = {*place, parts.name};
  }
  return has_all_keys_ = fits();
}

Status Gaps::find() {
  if (!spec_.is_chart) return has_all_keys_ ? find_all() : refuse();
  find_for_chart();
  return Status::ok();
}

Status Gaps::find_all() {
  if (!first_) return Status::ok();
  const bool is_beyond = first_->first == INT64_MIN || last_->first == INT64_MAX;
  std::vector<i64> places;
  for (i64 place = first_->first; place <= last_->first; place = spec_.steps->after(place)) {
    places.push_back(place);
    if (is_beyond || std::ssize(places) * std::ssize(others_) > kMostRows) return too_many();
  }
  for (const i64 place : places) {
    if (!fits()) return too_large();
    const std::string name = spec_.steps->name_at(place);
    for (const auto &[before, after] : others_) {
      std::string key = key_of(before, name, after);
      if (!std::ranges::binary_search(keys_, key, order())) keep_gap(std::move(key));
    }
  }
  std::ranges::sort(gaps_, order(), &Gap::key);
  return Status::ok();
}

// Adds the gaps of a chart, whose key is the bucket alone.
void Gaps::find_for_chart() {
  if (!has_all_keys_) {
    note_ = "buckets without records have no bars, because there are more than ";
    note_ += bytes_ > memory_ ? fmt::format("{} bytes of keys", memory_)
                              : fmt::format("{} rows", kMostRowsOfChart);
    keys_.clear();
    return;
  }
  struct Between {
    i64 from, to, buckets;
    bool is_counted;  // else there are more
  };
  std::vector<Between> all;
  i64 empty = 0;
  for (auto to = places_.begin(); to != places_.end(); ++to) {
    if (to == places_.begin()) continue;
    const i64 from = *std::prev(to);
    if (from == INT64_MIN || *to == INT64_MAX) continue;
    const i64 most = std::max(kMostEmpty, kMostGaps - empty);
    const i64 buckets = buckets_between(from, *to, most + 1);
    all.push_back({from, *to, std::min(buckets, most), buckets <= most});
    empty += buckets;
  }
  for (const auto &[from, to, buckets, is_counted] : all) {
    if (empty > kMostEmpty && buckets >= kLongGap) {
      abridge(from, buckets, is_counted);
      continue;
    }
    for (i64 place = spec_.steps->after(from); place < to; place = spec_.steps->after(place)) {
      keep_gap(key_of("", spec_.steps->name_at(place), ""));
    }
  }
  std::ranges::sort(gaps_, order(), &Gap::key);
}

// Counts the buckets between two places, but not more than `most`.
i64 Gaps::buckets_between(i64 from, i64 to, i64 most) const {
  i64 buckets = 0;
  for (i64 place = spec_.steps->after(from); place < to && buckets < most; ++buckets) {
    place = spec_.steps->after(place);
  }
  return buckets;
}

void Gaps::abridge(i64 from, i64 buckets, bool is_counted) {
  const std::string shown = fmt::format("{} ({}{} empty)", shape_.ascii ? "..." : "\u2026",
                                        is_counted ? "" : "over ", buckets);
  keep_gap(key_of("", spec_.steps->name_at(spec_.steps->after(from)), ""), key_of("", shown, ""));
}

void Gaps::keep_gap(std::string key, std::string shown) {
  count_bytes(key);
  gaps_.push_back({std::move(key), std::move(shown)});
}

Status Gaps::refuse() const { return bytes_ > memory_ ? too_large() : too_many(); }

Status Gaps::too_large() const {
  return Status::memory_error(fmt::format(
      "{}: the keys of its rows take more than {} bytes; take larger buckets, or raise {}",
      setting_name("fill"), memory_, setting_name("memory")));
}

Status Gaps::too_many() const {
  const std::string range =
      first_ ? fmt::format(" from {} to {}", first_->second, last_->second) : "";
  return Status::error(
      fmt::format("{}: there are more than {} rows{}; select fewer records, or take larger "
                  "buckets",
                  setting_name("fill"), kMostRows, range));
}

Gaps::Parts Gaps::parts_of(Bytes key) const {
  Parts parts;
  if (shape_.key.is_plain()) {
    parts.name = key;
    return parts;
  }
  for (i64 i = 0; i < std::ssize(shape_.key.parts); ++i) {
    const KeyPart &part = shape_.key.parts[static_cast<size_t>(i)];
    if (i == spec_.part) {
      take_key_part(part, &key, &parts.name);
    } else {
      (i < spec_.part ? parts.before : parts.after).append(take_encoded_part(part, &key));
    }
  }
  return parts;
}

std::string Gaps::key_of(const std::string &before, const std::string &name,
                         const std::string &after) const {
  if (shape_.key.is_plain()) return name;
  std::string key = before;
  append_key_part(shape_.key.parts[static_cast<size_t>(spec_.part)], name, &key);
  return key + after;
}

}  // namespace mrc
