// Iterates over the words of a chunk.
#pragma once

#include "scan/line_scan.h"

namespace mrc {

// Emits the words of one scan, given by `bounds` as offsets from `base`. `open` is the start of a
// word that the previous scan left unfinished, or nullptr. Returns such a start for the next scan.
template <typename Emit>
MRC_INLINE const char *each_word(const char *base, const Bounds &bounds, const char *open,
                                 Emit emit) {
  i64 i = 0;
  if (open != nullptr) {
    if (bounds.size == 0) return open;
    emit(open, static_cast<u64>(base + bounds.at[0] - open));
    i = 1;
  }
  const u32 *at = bounds.at.data();
  for (; i + 1 < bounds.size; i += 2) emit(base + at[i], u64{at[i + 1] - at[i]});
  return i < bounds.size ? base + at[i] : nullptr;
}

// Scans chunks for words, for all mappers of words.
class WordScan {
 public:
  WordScan(Words words, const Scanner &scanner)
      : scan_(scanner.words[static_cast<size_t>(words)]), blank_(words == Words::blank) {}

  // Calls emit(word, size) for each word of the chunk, and flush() at least after every 1,024
  // words. Returns the number of words.
  template <typename Emit, typename Flush>
  MRC_INLINE i64 each(const Chunk &chunk, Emit emit, Flush flush) const {
    const Bytes bytes = blank_ ? without_byte_order_mark(chunk) : chunk.bytes;
    ScanCursor cursor{bytes.data(), bytes.data() + bytes.size()};
    Bounds bounds;
    const char *open = nullptr;
    i64 edges = 0;
    while (cursor.next < cursor.end) {
      const char *base = cursor.next;
      scan_(&cursor, &bounds);
      open = each_word(base, bounds, open, emit);
      flush();
      edges += bounds.size;
    }
    return edges / 2;
  }

 private:
  ScanWords scan_;
  bool blank_;
};

}  // namespace mrc
