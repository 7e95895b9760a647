#include "map/inner/lines.h"

#include "map/emitter.h"
#include "scan/line_scan.h"

namespace mrc {
namespace {

// If `placed`, the value of a line is the position of its first byte.
template <Fold fold, bool placed>
class LineMapper : public Mapper {
 public:
  LineMapper(char terminator, const Scanner &scanner) : lines_(terminator, scanner) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    const u64 start = position_of(chunk.source, chunk.offset);
    auto emit = [&](Bytes line) {
      if constexpr (placed) {
        const u64 position = start + static_cast<u64>(line.data() - chunk.bytes.data());
        out->emit<fold>(line.data(), line.size(), position);
      } else {
        out->emit<fold>(line.data(), line.size());
      }
    };
    return lines_.each<Returns::stripped>(without_byte_order_mark(chunk), emit,
                                          [&] { out->flush(); });
  }

 private:
  LineScan lines_;
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
