#include "reduce/state_writer.h"

#include "map/key_image.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kBlockBytes = i64{1} << 20;

}  // namespace

void StateWriter::take(Bytes key, const State *state) {
  saved_.clear();
  if (!layout_.is_flat()) layout_.save(state, &saved_);
  const RecordShape shape{0, layout_.state_bytes()};
  const i64 bytes = record_bytes(shape, std::ssize(key), true, std::ssize(saved_));
  if (used_ > 0 && used_ + bytes > kBlockBytes) write_block();
  if (used_ + bytes + kRecordSlack > std::ssize(records_)) {
    records_.resize(static_cast<size_t>(std::max(kBlockBytes, bytes) + kRecordSlack));
  }
  auto *at = reinterpret_cast<std::byte *>(records_.data()) + used_;
  write_record(at, shape, {0, key, true, state, saved_});
  used_ += bytes;
  ++block_.records;
}

void StateWriter::write_block() {
  if (status_.is_ok()) {
    status_ = writer_.add_block(block_, Bytes(records_).substr(0, static_cast<size_t>(used_)));
  }
  block_.records = 0;
  used_ = 0;
}

Status StateWriter::finish() {
  if (block_.records > 0) write_block();
  return status_.is_ok() ? writer_.finish() : status_;
}

}  // namespace mrc
