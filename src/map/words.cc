#include "map/inner/words.h"

#include "map/emitter.h"
#include "map/word_scan.h"

#include <string.h>

namespace mrc {
namespace {

template <Fold fold>
class WordMapper : public Mapper {
 public:
  WordMapper(const MapSpec &spec, const Scanner &scanner) : words_(spec.words, scanner) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    return words_.each(
        chunk, [&](const char *word, u64 size) { out->emit<fold>(word, size); },
        [&] { out->flush(); });
  }

 private:
  WordScan words_;
};

// Computes the positions of words, which must come in the order of the chunk.
class Positions {
 public:
  Positions(MapSpec::Values values, char terminator, const Chunk &chunk)
      : values_(values),
        terminator_(terminator),
        bytes_(chunk.bytes),
        start_(position_of(chunk.source, chunk.offset)),
        input_(position_of(chunk.source, 0)),
        line_end_(bytes_.data() - 1) {
    if (values == MapSpec::Values::line) find_line_end();
  }

  u64 of(const char *word) {
    if (values_ == MapSpec::Values::byte) return start_ + static_cast<u64>(word - bytes_.data());
    if (values_ == MapSpec::Values::input) return input_;
    for (; line_end_ < word; ++line_) find_line_end();
    return start_ + line_;
  }

 private:
  void find_line_end() {
    const char *end = bytes_.data() + bytes_.size();
    const void *found =
        memchr(line_end_ + 1, terminator_, static_cast<size_t>(end - line_end_ - 1));
    line_end_ = found ? static_cast<const char *>(found) : end;
  }

  MapSpec::Values values_;
  char terminator_;
  Bytes bytes_;
  u64 start_, input_;
  u64 line_ = 0;  // number of line ends before line_end_
  const char *line_end_;
};

// Emits words with their positions.
template <Fold fold>
class PositionMapper : public Mapper {
 public:
  PositionMapper(const MapSpec &spec, const Scanner &scanner)
      : spec_(spec), words_(spec.words, scanner) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    Positions positions(spec_.values, spec_.terminator, chunk);
    auto emit = [&](const char *word, u64 size) {
      if (spec_.only.empty() || is_wanted(word, size)) {
        out->emit<fold>(word, size, positions.of(word));
      }
    };
    return words_.each(chunk, emit, [&] { out->flush(); });
  }

 private:
  bool is_wanted(const char *word, u64 size) const {
    if (size != spec_.only.size()) return false;
    if constexpr (fold == Fold::none) return std::memcmp(word, spec_.only.data(), size) == 0;
    return strncasecmp(word, spec_.only.data(), size) == 0;
  }

  MapSpec spec_;
  WordScan words_;
};

template <Fold fold>
std::unique_ptr<Mapper> make_mapper_that_folds(const MapSpec &spec, const Scanner &scanner) {
  if (spec.values == MapSpec::Values::none) {
    return std::make_unique<WordMapper<fold>>(spec, scanner);
  }
  return std::make_unique<PositionMapper<fold>>(spec, scanner);
}

}  // namespace

std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (!spec.ignore_case) return make_mapper_that_folds<Fold::none>(spec, scanner);
  if (spec.words == Words::alpha) return make_mapper_that_folds<Fold::letters>(spec, scanner);
  return make_mapper_that_folds<Fold::ascii>(spec, scanner);
}

}  // namespace mrc
