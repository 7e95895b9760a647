// Finds where the tokens of JSON text begin, with the first stage of simdjson, or the same without
// it.
#pragma once

#include "base/int.h"

#include <memory>

namespace mrc {

// For one thread; it keeps its memory from text to text.
class JsonIndex {
 public:
  JsonIndex();
  ~JsonIndex();

  // Lists the tokens of `text`, which may be many records. Returns nullptr, or the reason why it is
  // not JSON (a constant). Then nothing is listed.
  const char *build(Bytes text);

  // Returns offsets in the text: of { } [ ] : , and of the first bytes of strings, numbers and
  // words, and of anything else in their place. The size of the text follows as the last one.
  const u32 *places() const { return places_; }

  // Writes a string without its escapes to `to`; `inner` is after its opening quote. Returns the
  // end of the output, or nullptr if an escape is invalid. Reads up to kPadding bytes past the
  // string, and writes as many past the output.
  char *unescape(const char *inner, char *to) const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  const u32 *places_ = nullptr;
};

// Returns the place after the value whose first token is at `place`.
inline const u32 *place_after_value(const char *text, const u32 *place) {
  i64 open = 0;
  do {
    const char token = text[*place++];
    open += token == '[' || token == '{';
    open -= token == ']' || token == '}';
  } while (open > 0);
  return place;
}

}  // namespace mrc
