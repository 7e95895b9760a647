#include "engine/inner/running_ahead.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

// Reads twice as much until the records suffice: the last one may be cut, and counts for nothing.
Status RunningAhead::read(const Chunk &chunk, RunningScan *scan, RunningInput *input) {
  constexpr i64 kFirst = i64{64} << 10;
  const i64 begin = chunk.offset + std::ssize(chunk.bytes);
  if (begin >= source_.end) return Status::ok();
  if (!file_) {
    Result<InputFile> opened = InputFile::open(source_);
    if (!opened.is_ok()) return opened.status();
    file_ = std::move(*opened);
  }
  for (i64 wanted = kFirst; wanted <= std::max(memory_, kFirst); wanted *= 2) {
    const i64 size = std::min(wanted, source_.end - begin);
    bytes_.resize(static_cast<size_t>(size + kPadding));
    const Result<i64> got = file_->read_at(begin, bytes_.data(), size);
    if (!got.is_ok()) return got.status();
    const bool is_all = begin + *got >= source_.end || *got < size;
    const char *const first = bytes_.data(), *const end = first + *got;
    const char *cut = is_all ? end : cuts_.last(first, end, begin);
    if (cut == nullptr) continue;
    if (!is_all) ++cut;
    Chunk later = chunk;
    later.bytes = Bytes(first, static_cast<size_t>(cut - first));
    later.offset = begin;
    scan->read_later(later, records_ + 1, input);
    if (is_all || input->later > records_) return Status::ok();
  }
  return Status::memory_error(
      fmt::format("{} records that lead() reads ahead take more than {} bytes; more memory is {}",
                  records_, memory_, setting_name("memory")));
}

}  // namespace mrc
