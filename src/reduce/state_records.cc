#include "reduce/state_records.h"

namespace mrc {

// Returns the size of the group's record.
i64 StateRecords::save(Bytes key, const State *state) {
  saved_.clear();
  if (!layout_.is_flat()) layout_.save(state, &saved_);
  return record_bytes(shape(), std::ssize(key), true, std::ssize(saved_));
}

void StateRecords::write(u64 hash, Bytes key, const State *state, i64 bytes) {
  if (used_ + bytes + kRecordSlack > std::ssize(records_)) {
    records_.resize(static_cast<size_t>(std::max(kBlockBytes, used_ + bytes) + kRecordSlack));
  }
  auto *at = reinterpret_cast<std::byte *>(records_.data()) + used_;
  write_record(at, shape(), {hash, key, true, state, saved_});
  used_ += bytes;
  ++count_;
}

}  // namespace mrc
