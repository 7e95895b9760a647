#include "output/drawn_text.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace mrc {

Status DrawnText::take(Bytes text, std::span<const i64> ends, std::span<const u64> positions) {
  i64 begin = 0;
  for (size_t i = 0; i < ends.size(); begin = ends[i++]) {
    const u64 rank = rank_of(positions[i], seed_);
    if (!draw_.take(rank)) continue;
    const Bytes record =
        text.substr(static_cast<size_t>(begin), static_cast<size_t>(ends[i] - begin));
    by_rank_.insert({rank, {positions[i], std::string(record)}});
    bytes_ += std::ssize(record);
    if (std::ssize(by_rank_) <= records_) continue;
    const auto last = std::prev(by_rank_.end());
    bytes_ -= std::ssize(last->second.text);
    by_rank_.erase(last);
  }
  constexpr i64 kBytesOfNode = 128;
  if (bytes_ + std::ssize(by_rank_) * kBytesOfNode <= memory_) return Status::ok();
  return Status::memory_error(
      fmt::format("{}: {} records take more than {} bytes; ask for fewer, or raise {}",
                  setting_name("sample"), records_, memory_, setting_name("memory")));
}

Result<i64> DrawnText::write_to(OutputFile *file) const {
  std::vector<const Record *> drawn;
  for (const auto &[rank, record] : by_rank_) drawn.push_back(&record);
  std::ranges::sort(drawn, {}, &Record::position);
  for (const Record *record : drawn) {
    if (Status status = file->write(record->text); !status.is_ok()) return status;
  }
  return std::ssize(drawn);
}

}  // namespace mrc
