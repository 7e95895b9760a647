// Splits a text into lines, and a chunk into words, in one pass of the vector kernels.
#pragma once

#include "base/text.h"
#include "scan/scan.h"

namespace mrc {

// Splits a text into lines, in one pass of the vector kernels.

// Returns the chunk without a byte order mark at the start of its input.
inline Bytes without_byte_order_mark(const Chunk &chunk) {
  return chunk.offset == 0 ? without_byte_order_mark(chunk.bytes) : chunk.bytes;
}

enum class Returns { kept, stripped };

class LineScan {
 public:
  LineScan(char terminator, const Scanner &scanner)
      : scan_(scanner.lines), terminator_(terminator) {}

  // Calls take(line) for each line, without its terminator and, if returns are stripped, without
  // the CR of a CR LF. Calls flush() after at most 1,024 lines. The last line may lack its
  // terminator. Returns the number of lines.
  template <Returns returns, typename Take, typename Flush>
  MRC_INLINE i64 each(Bytes text, Take take, Flush flush) const {
    const char *line = text.data(), *end = line + text.size();
    ScanCursor cursor{line, end};
    Bounds bounds;
    i64 lines = 0;
    while (cursor.next < end) {
      const char *base = cursor.next;
      scan_(&cursor, terminator_, &bounds);
      for (i64 i = 0; i < bounds.size; ++i) {
        const char *at = base + bounds.at[static_cast<size_t>(i)];
        take(returns == Returns::kept ? Bytes(line, static_cast<size_t>(at - line))
                                      : ended_line(line, at, terminator_));
        line = at + 1;
      }
      lines += bounds.size;
      if (cursor.next >= end && line < end) {
        take(Bytes(line, static_cast<size_t>(end - line)));
        ++lines;
      }
      flush();
    }
    return lines;
  }

 private:
  ScanLines scan_;
  char terminator_;
};

// Iterates over the words of a chunk.

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
