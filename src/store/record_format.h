// store: the only format of stored records: the bytes are the same in memory, in runs on disk and
// between processes.
//
//  0  u64  hash of the key; in runs ordered by key, its prefix
//  8  u32  bytes of the key
// 12  u32  bits 0..19: length of the record in words of four bytes, 0: long form;
//          bit 20: STATE; 22: VAR; 21 (for joins), 23 and 24..31: zero
// 16  u64  long form only: length of the record in bytes
//     fixed part: raw_bytes, or state_bytes if STATE
//     key, zeros up to a multiple of four
//     if VAR: u32 (long form: u64) size, bytes, zeros up to a multiple of four
//
// Equal records are equal bytes: only records longer than kLongestShort have the long form, and VAR
// is set only if the variable part is not empty. Nothing is aligned to more than four bytes, so a
// state is copied before a reducer uses it. A key has less than 4 GiB: hosts refuse longer ones
// before they are stored.
#pragma once

#include "base/status.h"
#include "record.h"

#include <cassert>
#include <cstring>
#include <iterator>

namespace mrc {

// After each record, readers may load and writers may store this many bytes: all buffers end in so
// much room, and records are written in ascending order.
inline constexpr i64 kRecordSlack = 64;
static_assert(kRecordSlack >= kPadding, "a stored key may be over-read as any key may");

inline constexpr i64 kRecordHead = 16;
inline constexpr u32 kWordsMask = (u32{1} << 20) - 1;
inline constexpr u32 kStateBit = u32{1} << 20;
inline constexpr u32 kVarBit = u32{1} << 22;
inline constexpr i64 kLongestShort = i64{kWordsMask} * 4;

// Sizes of the fixed parts: constants of a run, multiples of four.
struct RecordShape {
  i64 raw_bytes = 0;
  i64 state_bytes = 0;

  // The value of state_bytes in runs whose blocks differ in it. Their readers know it.
  static constexpr i64 kVaries = 0xFFFFFFFC;
  i64 fixed_bytes(bool is_state) const { return is_state ? state_bytes : raw_bytes; }
  bool operator==(const RecordShape &) const = default;
};

// The content of a stored record. All pointers are borrowed: after read_record(), they point into
// the record.
struct StoredRecord {
  u64 hash = 0;
  Bytes key = {};
  bool is_state = false;
  const std::byte *fixed = nullptr;  // shape.fixed_bytes(is_state) bytes
  Bytes var = {};
};

MRC_INLINE i64 round_up_to_word(i64 bytes) { return (bytes + 3) & ~i64{3}; }

template <typename T>
MRC_INLINE T load(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
MRC_INLINE std::byte *put(std::byte *to, T value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

// Returns the bytes that write_record() writes.
MRC_INLINE i64 record_bytes(RecordShape shape, i64 key_bytes, bool is_state, i64 var_bytes) {
  i64 bytes = kRecordHead + shape.fixed_bytes(is_state) + round_up_to_word(key_bytes);
  if (var_bytes > 0) bytes += 4 + round_up_to_word(var_bytes);
  if (bytes <= kLongestShort) [[likely]]
    return bytes;
  return bytes + 8 + (var_bytes > 0 ? 4 : 0);
}

// These functions write the parts of a record. Each returns its end.

// May write up to three bytes after the end of the record.
MRC_INLINE std::byte *put_padded(std::byte *to, Bytes bytes) {
  const size_t size = bytes.size();
  const char *from = bytes.data();
  // Writes the zeros first and the bytes over them, to avoid a branch on their number.
  put<u32>(to + (size & ~size_t{3}), 0);
  if (size > 16) {
    std::memcpy(to, from, size);
  } else if (size >= 8) {
    const u64 front = load<u64>(from), back = load<u64>(from + size - 8);
    put(to, front);
    put(to + size - 8, back);
  } else if (size >= 4) {
    const u32 front = load<u32>(from), back = load<u32>(from + size - 4);
    put(to, front);
    put(to + size - 4, back);
  } else {
    for (size_t i = 0; i < size; ++i) to[i] = static_cast<std::byte>(from[i]);
  }
  return to + round_up_to_word(static_cast<i64>(size));
}

MRC_INLINE std::byte *put_fixed(std::byte *to, const std::byte *fixed, i64 bytes) {
  switch (bytes) {
    case 0: break;
    case 4: put(to, load<u32>(fixed)); break;
    case 8: put(to, load<u64>(fixed)); break;
    default: std::memcpy(to, fixed, static_cast<size_t>(bytes)); break;
  }
  return to + bytes;
}

// Writes all before the fixed part.
MRC_INLINE std::byte *put_head(std::byte *to, u64 hash, u64 key_bytes, u32 bits, i64 bytes) {
  const bool short_form = bytes <= kLongestShort;
  to = put(to, hash);
  to = put(to, static_cast<u32>(key_bytes));
  to = put(to, short_form ? bits | static_cast<u32>(bytes / 4) : bits);
  return short_form ? to : put(to, static_cast<u64>(bytes));
}

// Writes the record and returns its end, where the next one begins. May change less than
// kRecordSlack bytes after it.
// REQUIRES: record.key has less than 4 GiB
inline std::byte *write_record(std::byte *to, RecordShape shape, const StoredRecord &record) {
  assert(record.key.size() >> 32 == 0);
  const i64 var_bytes = static_cast<i64>(record.var.size());
  const i64 bytes =
      record_bytes(shape, static_cast<i64>(record.key.size()), record.is_state, var_bytes);
  const u32 bits = (record.is_state ? kStateBit : 0) | (var_bytes > 0 ? kVarBit : 0);
  std::byte *at = put_head(to, record.hash, record.key.size(), bits, bytes);
  at = put_fixed(at, record.fixed, shape.fixed_bytes(record.is_state));
  at = put_padded(at, record.key);
  if (var_bytes > 0) {
    at = bytes <= kLongestShort ? put(at, static_cast<u32>(var_bytes))
                                : put(at, static_cast<u64>(var_bytes));
    at = put_padded(at, record.var);
  }
  assert(at == to + bytes);
  return at;
}

// Appends a record to a buffer of bytes that has no slack at its end.
template <typename Buffer>
void append_record(RecordShape shape, const StoredRecord &record, Buffer *to) {
  const size_t at = to->size();
  const auto bytes = static_cast<size_t>(
      record_bytes(shape, std::ssize(record.key), record.is_state, std::ssize(record.var)));
  to->resize(at + bytes + kRecordSlack);
  write_record(reinterpret_cast<std::byte *>(to->data()) + at, shape, record);
  to->resize(at + bytes);
}

// Writes a record whose key is an image (Key16, Key32). Images are padded with zeros, so the whole
// image is stored at once, with no branch on its length.
// REQUIRES: shape.fixed_bytes(is_state) is below 4 MiB less 64 bytes
template <typename Image>
MRC_INLINE std::byte *write_image_record(std::byte *to, RecordShape shape, u64 hash,
                                         const Image &image, bool is_state,
                                         const std::byte *fixed) {
  constexpr size_t kLast = sizeof image.word / 8 - 1;
  static_assert(sizeof image.word < kRecordSlack);
  const u64 key_bytes = (image.word[kLast] >> 56) - 1;
  const i64 fixed_bytes = shape.fixed_bytes(is_state);
  const i64 bytes = kRecordHead + fixed_bytes + round_up_to_word(static_cast<i64>(key_bytes));
  assert(bytes <= kLongestShort);
  std::byte *at = put(to, hash);
  at = put(at, static_cast<u32>(key_bytes));
  at = put(at, (is_state ? kStateBit : 0) | static_cast<u32>(bytes / 4));
  at = put_fixed(at, fixed, fixed_bytes);
  for (size_t i = 0; i < kLast; ++i) at = put(at, image.word[i]);
  put(at, image.word[kLast] & (~u64{0} >> 8));
  return to + bytes;
}

// Returns the record after the one at `from`.
MRC_INLINE const std::byte *next_record(const std::byte *from) {
  const u32 words = load<u32>(from + 12) & kWordsMask;
  if (words != 0) [[likely]]
    return from + i64{words} * 4;
  return from + load<i64>(from + kRecordHead);
}

// Reads the record at `from` and returns the next one. Checks nothing.
// REQUIRES: write_record() wrote it with this shape, or check_records() passed it.
MRC_INLINE const std::byte *read_record(const std::byte *from, RecordShape shape,
                                        StoredRecord *record) {
  const u32 meta = load<u32>(from + 12);
  const bool long_form = (meta & kWordsMask) == 0;
  const i64 key_bytes = load<u32>(from + 8);
  record->hash = load<u64>(from);
  record->is_state = (meta & kStateBit) != 0;
  record->fixed = from + kRecordHead + (long_form ? 8 : 0);
  const std::byte *key = record->fixed + shape.fixed_bytes(record->is_state);
  record->key = Bytes(reinterpret_cast<const char *>(key), static_cast<size_t>(key_bytes));
  record->var = {};
  if ((meta & kVarBit) != 0) [[unlikely]] {
    const std::byte *var = key + round_up_to_word(key_bytes);
    const u64 size = long_form ? load<u64>(var) : load<u32>(var);
    var += long_form ? 8 : 4;
    record->var = Bytes(reinterpret_cast<const char *>(var), size);
  }
  return next_record(from);
}

// Checks that `payload` is exactly `expected_records` records of this shape, with zeros as padding,
// so that read_record() is safe on them. Accepts any bytes.
Status check_records(Bytes payload, RecordShape shape, i64 expected_records);

}  // namespace mrc
