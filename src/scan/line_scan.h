// Splits a text into lines, in one pass of the vector kernels.
#pragma once

#include "base/text.h"
#include "scan/scan.h"

namespace mrc {

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

}  // namespace mrc
