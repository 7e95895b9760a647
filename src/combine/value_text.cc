#include "combine/value_text.h"

#include "base/json_text.h"
#include "combine/figure.h"

#include <array>
#include <cstring>

namespace mrc {

Number number_in(Bytes text, Arena *wide) {
  constexpr size_t kLongest = 64;
  if (text.size() > kLongest) return kBadNumber;
  std::array<char, kLongest + kPadding> padded{};
  text.copy(padded.data(), kLongest);
  return parse_number({padded.data(), text.size()}, wide);
}

void append_text(Bytes text, Notation notation, std::string *out) {
  if (notation == Notation::json) {
    append_json(text, out);
  } else {
    out->append(text);
  }
}

void append_nothing(Notation notation, std::string *out) {
  if (notation == Notation::json) out->append("null");
}

u64 rank_of_text(Bytes text) {
  Arena wide;
  const Number number = number_in(text, &wide);
  if (is_number(number)) return Figure::of(number).rank() >> 1;
  char first[8] = {};
  text.copy(first, sizeof first);
  u64 word;
  std::memcpy(&word, first, sizeof word);
  return __builtin_bswap64(word) >> 1 | u64{1} << 63;
}

}  // namespace mrc
