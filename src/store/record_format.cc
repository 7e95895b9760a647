#include "store/record_format.h"

namespace mrc {
namespace {

constexpr u32 kKnownBits = kWordsMask | kStateBit | kVarBit;

// Offsets are u64. A length is compared with the bytes left before it is added, so nothing here can
// overflow.
u64 round_up(u64 bytes) { return (bytes + 3) & ~u64{3}; }

// True if the bytes from `begin` up to the next multiple of four are zero. Does not branch on their
// number: they are the upper bytes of the word that holds the byte before `begin`.
// REQUIRES: 0 < begin <= record.size(), which is a multiple of four
bool is_padded(Bytes record, u64 begin) {
  const u64 last = begin - 1;
  const u64 word = load<u32>(record.data() + (last & ~u64{3}));
  return word >> (8 * (last & 3) + 8) == 0;
}

// Moves `at` past the variable part. Returns what is wrong with it, or null.
const char *var_fault(Bytes record, bool long_form, u64 *at) {
  const u64 prefix = long_form ? 8 : 4;
  if (record.size() - *at < prefix) return "its variable part is cut off";
  const char *from = record.data() + *at;
  const u64 size = long_form ? load<u64>(from) : load<u32>(from);
  *at += prefix;
  if (size > record.size() - *at) return "its variable part is longer than the record";
  if (size == 0) return "its variable part is empty";
  if (!is_padded(record, *at + size)) return "its padding is not zero";
  *at = round_up(*at + size);
  return nullptr;
}

// REQUIRES: `record` is as long as its head says, a multiple of four, and at least kRecordHead
const char *inner_fault(Bytes record, RecordShape shape, u32 meta) {
  const bool long_form = (meta & kWordsMask) == 0;
  const bool has_var = (meta & kVarBit) != 0, is_state = (meta & kStateBit) != 0;
  if (is_state && shape.state_bytes == RecordShape::kVaries) return nullptr;
  u64 at = kRecordHead + (long_form ? 8 : 0);
  at += static_cast<u64>(shape.fixed_bytes(is_state));
  at += load<u32>(record.data() + 8);
  if (at > record.size()) return "its key is longer than the record";
  if (!is_padded(record, at)) return "its padding is not zero";
  at = round_up(at);
  if (has_var) {
    if (const char *fault = var_fault(record, long_form, &at)) return fault;
  }
  if (at != record.size()) return "it is longer than its parts";
  const u64 saved = 8 + (has_var ? 4 : 0);
  if (long_form && at - saved <= kLongestShort) return "it has the long form without need";
  return nullptr;
}

// Returns the fault of the first record of `left`. If null, sets its length.
const char *fault_of_first(Bytes left, RecordShape shape, u64 *length) {
  if (left.size() < kRecordHead) return "it is cut off";
  const u32 meta = load<u32>(left.data() + 12);
  if ((meta & ~kKnownBits) != 0) return "it has flags that this mrc does not know";
  *length = u64{meta & kWordsMask} * 4;
  if (*length == 0) {
    if (left.size() < kRecordHead + 8) return "it is cut off";
    *length = load<u64>(left.data() + kRecordHead);
  }
  if (*length > left.size()) return "it is longer than its block";
  if (*length < kRecordHead || *length % 4 != 0) return "its length is impossible";
  return inner_fault(left.substr(0, *length), shape, meta);
}

}  // namespace

Status check_records(Bytes payload, RecordShape shape, i64 expected_records) {
  i64 records = 0;
  for (Bytes left = payload; !left.empty(); ++records) {
    u64 length = 0;
    if (const char *fault = fault_of_first(left, shape, &length)) {
      return Status::error("record " + std::to_string(records) + ", " +
                           std::to_string(payload.size() - left.size()) +
                           " bytes into the block: " + fault);
    }
    left.remove_prefix(length);
  }
  if (records == expected_records) return Status::ok();
  return Status::error("it has " + std::to_string(records) + " records instead of " +
                       std::to_string(expected_records));
}

}  // namespace mrc
