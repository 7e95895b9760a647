#include "map/words.h"

#include "map/emitter.h"

#include <string.h>

namespace mrc {
namespace {

// Takes the words of one scan from `bounds`, offsets from `base`. `open` is the
// start of a word that an earlier scan left unfinished, or nullptr; returns the
// same for the next scan.
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

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What all word mappers share: the scans of a chunk.
class WordScan {
 public:
  WordScan(Words words, const Scanner &scanner)
      : scan_(scanner.words[static_cast<size_t>(words)]), blank_(words == Words::blank) {}

  template <typename Emit>
  MRC_INLINE i64 each(const Chunk &chunk, Emitter *out, Emit emit) const {
    Bytes bytes = chunk.bytes;
    if (blank_ && chunk.offset == 0 && bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(3);
    ScanCursor cursor{bytes.data(), bytes.data() + bytes.size()};
    Bounds bounds;
    const char *open = nullptr;
    i64 edges = 0;
    while (cursor.next < cursor.end) {
      const char *base = cursor.next;
      scan_(&cursor, &bounds);
      open = each_word(base, bounds, open, emit);
      out->flush();
      edges += bounds.size;
    }
    return edges / 2;
  }

 private:
  ScanWords scan_;
  bool blank_;
};

template <Fold fold>
class WordMapper : public Mapper {
 public:
  WordMapper(const MapSpec &spec, const Scanner &scanner) : words_(spec.words, scanner) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    return words_.each(chunk, out,
                       [&](const char *word, u64 size) { out->emit<fold>(word, size); });
  }

 private:
  WordScan words_;
};

// Where a word is, for words in the order of a chunk.
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
  u64 line_ = 0;  // ends of lines before line_end_
  const char *line_end_;
};

// Words and where they are.
template <Fold fold>
class PositionMapper : public Mapper {
 public:
  PositionMapper(const MapSpec &spec, const Scanner &scanner)
      : spec_(spec), words_(spec.words, scanner) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    Positions positions(spec_.values, spec_.terminator, chunk);
    return words_.each(chunk, out, [&](const char *word, u64 size) {
      if (spec_.only.empty() || is_wanted(word, size)) {
        out->emit<fold>(word, size, positions.of(word));
      }
    });
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
