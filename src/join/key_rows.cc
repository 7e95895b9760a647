#include "join/inner/key_rows.h"

#include "map/sort_key.h"

namespace mrc {
namespace {

constexpr i64 kMostBytes = i64{1} << 20;  // joined rows that are shown together

}  // namespace

KeyRows::KeyRows(const JoinedRowsSpec &spec, const RowSource::Take &take)
    : spec_(spec), take_(take), decoded_(spec.join.sides[kLeft].keys.size()) {}

Status KeyRows::add(std::span<const Row> rows) {
  constexpr size_t kFetchAhead = 12;
  for (size_t i = 0; i < rows.size() && wanted_; ++i) {
    if (i + kFetchAhead < rows.size()) __builtin_prefetch(layout_.data(rows[i + kFetchAhead]));
    const StoredSide side(layout_, rows[i]);
    if (side.key != key_) {
      Status status = key_.empty() ? Status::ok() : end_key();
      if (!status.is_ok()) return status;
      key_ = side.key;
      keys_ = &decoded_.decode(key_);
      begin_key();
    }
    if (Status status = add(side); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status KeyRows::finish() {
  Status status = key_.empty() ? Status::ok() : end_key();
  if (status.is_ok()) show();
  return status;
}

void KeyRows::emit(u64 left, u64 right, Bytes head, Bytes tail) {
  row_.clear();
  if (spec_.join.spec.stable) {
    append_position(left, &row_);
    append_position(right, &row_);
  }
  const u32 begin = static_cast<u32>(row_.size());
  const RowLayout::Parts parts{begin, begin};
  row_.append(head).append(tail);
  joined_.add(order_prefix(by_key_, row_, 0), row_, reinterpret_cast<const State *>(&parts));
  if (joined_.used_bytes() > kMostBytes) show();
}

void KeyRows::show() {
  if (wanted_ && !joined_.rows().empty()) wanted_ = take_(std::span<const Row>(joined_.rows()));
  joined_.clear();
}

}  // namespace mrc
