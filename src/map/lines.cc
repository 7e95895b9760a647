#include "map/lines.h"

#include "base/text.h"
#include "map/emitter.h"

namespace mrc {
namespace {

// `placed`: the value of a line is the position of its first byte.
template <Fold fold, bool placed>
class LineMapper : public Mapper {
 public:
  LineMapper(char terminator, const Scanner &scanner)
      : scan_(scanner.lines), terminator_(terminator) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    Bytes bytes = chunk.bytes;
    if (chunk.offset == 0) bytes = without_byte_order_mark(bytes);
    const char *line = bytes.data(), *end = line + bytes.size();
    ScanCursor cursor{line, end};
    Bounds bounds;
    const u64 start = position_of(chunk.source, chunk.offset);
    auto position = [&] { return start + static_cast<u64>(line - chunk.bytes.data()); };
    i64 lines = 0;
    while (cursor.next < end) {
      const char *base = cursor.next;
      scan_(&cursor, terminator_, &bounds);
      for (i64 i = 0; i < bounds.size; ++i) {
        const char *line_end = base + bounds.at[static_cast<size_t>(i)];
        emit(line, line_end, position(), out);
        line = line_end + 1;
      }
      lines += bounds.size;
      // The last line of a file may lack its terminator; then a CR is its own.
      if (cursor.next >= end && line < end) {
        put(line, static_cast<u64>(end - line), position(), out);
        ++lines;
      }
      out->flush();
    }
    return lines;
  }

 private:
  MRC_INLINE void emit(const char *line, const char *end, u64 position, Emitter *out) const {
    u64 size = static_cast<u64>(end - line);
    if (terminator_ == '\n' && size > 0 && end[-1] == '\r') --size;
    put(line, size, position, out);
  }
  static MRC_INLINE void put(const char *line, u64 size, u64 position, Emitter *out) {
    if constexpr (placed) return out->emit<fold>(line, size, position);
    out->emit<fold>(line, size);
  }

  ScanLines scan_;
  char terminator_;
};

template <Fold fold>
std::unique_ptr<Mapper> make_mapper_that_folds(const MapSpec &spec, const Scanner &scanner) {
  if (spec.values == MapSpec::Values::none) {
    return std::make_unique<LineMapper<fold, false>>(spec.terminator, scanner);
  }
  return std::make_unique<LineMapper<fold, true>>(spec.terminator, scanner);
}

}  // namespace

std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (spec.ignore_case) return make_mapper_that_folds<Fold::ascii>(spec, scanner);
  return make_mapper_that_folds<Fold::none>(spec, scanner);
}

}  // namespace mrc
