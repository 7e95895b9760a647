#include "map/words.h"

#include "map/emitter.h"

namespace mrc {
namespace {

// Takes the words of one scan from `bounds`, offsets from `base`. `open` is the
// start of a word that an earlier scan left unfinished, or nullptr; returns the
// same for the next scan.
template <Fold fold>
const char *emit_words(const char *base, const Bounds &bounds, const char *open, Emitter *out) {
  i64 i = 0;
  if (open != nullptr) {
    if (bounds.size == 0) return open;
    out->emit<fold>(open, static_cast<u64>(base + bounds.at[0] - open));
    i = 1;
  }
  const u32 *at = bounds.at.data();
  for (; i + 1 < bounds.size; i += 2) out->emit<fold>(base + at[i], u64{at[i + 1] - at[i]});
  return i < bounds.size ? base + at[i] : nullptr;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

template <Fold fold>
class WordMapper : public Mapper {
 public:
  WordMapper(Words words, const Scanner &scanner)
      : scan_(scanner.words[static_cast<size_t>(words)]), blank_(words == Words::blank) {}

  i64 map(const Chunk &chunk, Emitter *out) const override {
    Bytes bytes = chunk.bytes;
    if (blank_ && chunk.offset == 0 && bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(3);
    ScanCursor cursor{bytes.data(), bytes.data() + bytes.size()};
    Bounds bounds;
    const char *open = nullptr;
    i64 edges = 0;
    while (cursor.next < cursor.end) {
      const char *base = cursor.next;
      scan_(&cursor, &bounds);
      open = emit_words<fold>(base, bounds, open, out);
      out->flush();
      edges += bounds.size;
    }
    return edges / 2;
  }

 private:
  ScanWords scan_;
  bool blank_;
};

}  // namespace

std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner) {
  if (!spec.ignore_case) return std::make_unique<WordMapper<Fold::none>>(spec.words, scanner);
  if (spec.words == Words::alpha) {
    return std::make_unique<WordMapper<Fold::letters>>(spec.words, scanner);
  }
  return std::make_unique<WordMapper<Fold::ascii>>(spec.words, scanner);
}

}  // namespace mrc
