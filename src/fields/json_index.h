// Where the tokens of JSON text begin: the first stage of simdjson, or the same without it.
#pragma once

#include "base/int.h"

#include <memory>

namespace mrc {

// One thread uses it; it keeps its memory from text to text.
class JsonIndex {
 public:
  JsonIndex();
  ~JsonIndex();

  // Lists the tokens of `text`, which may be many records. Returns nullptr, or why it is
  // no JSON: a constant. Then nothing is listed.
  const char *build(Bytes text);

  // Offsets in the text: of { } [ ] : , and of the first bytes of strings, numbers and
  // words, and of anything else that stands where those may. One more follows them,
  // which is the size of the text.
  const u32 *places() const { return places_; }

  // Writes what a string means to `to`; `inner` is after its opening quote. Returns the
  // end of what it wrote, nullptr if an escape is wrong. Reads kPadding bytes further than
  // the string, and writes as many further.
  char *unescape(const char *inner, char *to) const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  const u32 *places_ = nullptr;
};

}  // namespace mrc
