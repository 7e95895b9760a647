#include "map/lines.h"

#include "map/emitter.h"

namespace mrc {
namespace {

template <Fold fold>
class LineMapper : public Mapper {
 public:
  LineMapper(char terminator, const Scanner &scanner)
      : scan_(scanner.lines), terminator_(terminator) {}

  i64 map(const Chunk &chunk, Emitter *out) const override {
    Bytes bytes = chunk.bytes;
    if (chunk.offset == 0 && bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const char *line = bytes.data(), *end = line + bytes.size();
    ScanCursor cursor{line, end};
    Bounds bounds;
    i64 lines = 0;
    while (cursor.next < end) {
      const char *base = cursor.next;
      scan_(&cursor, terminator_, &bounds);
      for (i64 i = 0; i < bounds.size; ++i) {
        const char *line_end = base + bounds.at[static_cast<size_t>(i)];
        emit(line, line_end, out);
        line = line_end + 1;
      }
      lines += bounds.size;
      // The last line of a file may lack its terminator; then a CR is its own.
      if (cursor.next >= end && line < end) {
        out->emit<fold>(line, static_cast<u64>(end - line));
        ++lines;
      }
      out->flush();
    }
    return lines;
  }

 private:
  MRC_INLINE void emit(const char *line, const char *end, Emitter *out) const {
    u64 size = static_cast<u64>(end - line);
    if (terminator_ == '\n' && size > 0 && end[-1] == '\r') --size;
    out->emit<fold>(line, size);
  }

  ScanLines scan_;
  char terminator_;
};

}  // namespace

std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (spec.ignore_case) return std::make_unique<LineMapper<Fold::ascii>>(spec.terminator, scanner);
  return std::make_unique<LineMapper<Fold::none>>(spec.terminator, scanner);
}

}  // namespace mrc
