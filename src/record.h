// The nouns of mrc, in the order a record meets them. Each has only the behaviour that defines it.
#pragma once

#include "base/int.h"

#include <array>
#include <type_traits>
#include <vector>

namespace mrc {

// A unit of a file (split/chunk_source.h): its bytes [begin, end). A split owns the records that
// start in it, even if they end after it.
struct Split {
  i64 source = 0;  // index into the job's inputs
  i64 begin = 0;
  i64 end = 0;
  i64 number = 0;  // index among the splits of its source, in their order
  i64 node = -1;   // NUMA node of the memory of its first page; -1: unknown
};

// Every Chunk, and every key in it, may be over-read by this many bytes.
inline constexpr i64 kPadding = 64;

struct DecodedRecords;
struct RunningValues;

// Whole records, contiguous, on their way to map. The bytes belong to the reader that produced the
// chunk, and are valid until its next chunk is requested.
struct Chunk {
  Bytes bytes;
  i64 source = 0;
  i64 offset = 0;  // of bytes[0] in its source
  // For splits that the job itself makes: the number of the split, and the job's own tag.
  i64 split = -1;  // -1: the job makes no splits
  i64 tag = 0;
  // The values of running fields for its records (fields/running_values.h); null: there are none.
  const RunningValues *running = nullptr;
  // Records that were decoded already (fields/decoded.h): readers take these in place of the bytes.
  // Null: there are none.
  const DecodedRecords *decoded = nullptr;
};

// The end of records: a terminator, or a number of bytes.
struct RecordEnd {
  RecordEnd(char terminator_of_lines, i64 bytes_of_records = 0)
      : terminator(terminator_of_lines), bytes(bytes_of_records) {}

  char terminator;
  i64 bytes;  // 0: there is a terminator
};

// Returns a position in the input as a number that orders inputs, then bytes. Up to a million
// inputs of up to 16 TiB.
inline u64 position_of(i64 source, i64 offset) {
  return static_cast<u64>(source) << 44 | static_cast<u64>(offset);
}
inline i64 source_of(u64 position) { return static_cast<i64>(position >> 44); }
inline i64 offset_of(u64 position) { return static_cast<i64>(position & ((u64{1} << 44) - 1)); }

// Keys are passed to group as images of fixed size, so that comparing two keys compares words. The
// last byte of a short image holds length + 1: it is never zero (an all-zero image is an empty
// slot), and keys that differ only in trailing NULs differ.
struct Key16 {  // up to 15 bytes
  static constexpr i64 kLongest = 15;
  u64 word[2];
};
struct Key32 {  // up to 31 bytes
  static constexpr i64 kLongest = 31;
  u64 word[4];
};
struct KeyRef {  // any length; the bytes are borrowed
  const char *data;
  u64 size;
};

// A T for each class of keys.
template <template <typename Key> class T>
struct ByKeyClass {
  template <typename... Args>
  explicit ByKeyClass(const Args &...args)
      : short_keys(args...), medium_keys(args...), long_keys(args...) {}

  template <typename Key>
  MRC_INLINE T<Key> &of() {
    if constexpr (std::is_same_v<Key, Key16>) return short_keys;
    if constexpr (std::is_same_v<Key, Key32>) return medium_keys;
    if constexpr (std::is_same_v<Key, KeyRef>) return long_keys;
  }
  template <typename Key>
  const T<Key> &of() const {
    return const_cast<ByKeyClass *>(this)->template of<Key>();
  }

  // Calls f with the member of each class.
  template <typename F>
  void each(F f) {
    f(short_keys), f(medium_keys), f(long_keys);
  }
  template <typename F>
  void each(F f) const {
    f(short_keys), f(medium_keys), f(long_keys);
  }

  T<Key16> short_keys;
  T<Key32> medium_keys;
  T<KeyRef> long_keys;
};

// Returns how many records to handle together if each takes `bytes` bytes: `most`, or fewer if they
// are large, so that columns and states of hundreds of fields stay in the cache and in memory.
inline constexpr i64 kFewestTogether = 16;
constexpr i64 records_together(i64 bytes, i64 most) {
  constexpr i64 kBytesTogether = i64{256} << 10;
  const i64 fit = kBytesTogether / (bytes > 0 ? bytes : 1);
  return fit > most ? most : fit < kFewestTogether ? kFewestTogether : fit;
}

// A batch that map passes to group: keys of one class, their hashes and values.
template <typename Key>
struct Batch {
  static constexpr i64 kCapacity = 1024;
  static constexpr i64 kLookAhead = 64;  // hashes may be over-read by this many
  i64 size = 0;
  std::array<Key, kCapacity> keys;
  std::array<u64, kCapacity + kLookAhead> hashes{};
  // The values of each record, in rows of `width` words.
  i64 width = 0;
  std::vector<u64> values = {};
};

// The state of one key, which group passes to combine, in place, aligned to 8.
using State = std::byte;

}  // namespace mrc
