// The mappers of words and of lines, and the choice of a mapper.
#include "map/map.h"

#include "base/text.h"
#include "map/emitter.h"
#include "map/inner/mappers.h"
#include "scan/line_scan.h"

#include <string.h>

#include <algorithm>

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

std::string folded(Bytes text) {
  std::string folded;
  append_folded(text, &folded);
  return folded;
}

// Emits words with their positions.
template <Fold fold>
class PositionMapper : public Mapper {
 public:
  PositionMapper(const MapSpec &spec, const Scanner &scanner)
      : spec_(spec), only_(folded(spec.only)), words_(spec.words, scanner) {}

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
    const Bytes text(word, size);
    if (fold == Fold::none) return text == spec_.only;
    const bool may_fit = size == spec_.only.size() || !is_ascii(text);
    return may_fit && folded(text) == only_;
  }

  const MapSpec spec_;
  const std::string only_;  // folded
  WordScan words_;
};

template <Fold fold>
std::unique_ptr<Mapper> make_word_mapper_that_folds(const MapSpec &spec, const Scanner &scanner) {
  if (spec.values == MapSpec::Values::none) {
    return std::make_unique<WordMapper<fold>>(spec, scanner);
  }
  return std::make_unique<PositionMapper<fold>>(spec, scanner);
}

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
std::unique_ptr<Mapper> make_line_mapper_that_folds(const MapSpec &spec, const Scanner &scanner) {
  if (spec.values == MapSpec::Values::none) {
    return std::make_unique<LineMapper<fold, false>>(spec.terminator, scanner);
  }
  return std::make_unique<LineMapper<fold, true>>(spec.terminator, scanner);
}

}  // namespace

std::string_view MapSpec::cut_bytes() const {
  if (records != Records::words)
    return terminator == '\n' ? std::string_view("\n", 1) : std::string_view("\0", 1);
  if (words == Words::blank) return " \t\n\v\f\r";
  // ASCII bytes that no word contains: all but letters, digits, '_' and '\''.
  static const std::string between_words = [] {
    std::string bytes;
    for (char c = 0; c >= 0 && c < 0x7F; ++c) {
      const bool inside = is_digit(c) || is_letter(c) || c == '_' || c == '\'';
      if (!inside) bytes.push_back(c);
    }
    return bytes;
  }();
  return between_words;
}

i64 MapSpec::value_width() const {
  if (records == Records::fields) return std::ssize(fields.values);
  return values == Values::none ? 0 : 1;
}

Borrowing MapSpec::borrowing() const {
  if (records != Records::fields) return Borrowing::none;
  const auto has = [&](ValueColumn::Kind kind) {
    return std::ranges::find(fields.values, kind, &ValueColumn::kind) != fields.values.end();
  };
  if (has(ValueColumn::Kind::text)) return Borrowing::any;
  return has(ValueColumn::Kind::number) ? Borrowing::wide_numbers : Borrowing::none;
}

std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner,
                                    const InputReaders *readers, BadRecordSink *bad) {
  switch (spec.records) {
    case MapSpec::Records::lines: return make_line_mapper(spec, scanner);
    case MapSpec::Records::fields: return make_field_mapper(spec, *readers, bad);
    case MapSpec::Records::words: break;
  }
  return make_word_mapper(spec, scanner);
}

std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (!spec.ignore_case) return make_word_mapper_that_folds<Fold::none>(spec, scanner);
  if (spec.words == Words::alpha) return make_word_mapper_that_folds<Fold::letters>(spec, scanner);
  return make_word_mapper_that_folds<Fold::all>(spec, scanner);
}

std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (spec.ignore_case) return make_line_mapper_that_folds<Fold::all>(spec, scanner);
  return make_line_mapper_that_folds<Fold::none>(spec, scanner);
}

}  // namespace mrc
