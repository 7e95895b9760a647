// What map says of each record beside its key, in words.
#pragma once

#include "expr/expr.h"

namespace mrc {

// One word of each record, for reducers to read.
struct ValueColumn {
  enum class Kind {
    position,  // of the record (record.h)
    number,    // Number (base/number.h)
    text,      // TextRef
    integer,   // of the plugin interface: MRC_INTEGER; a fraction is no integer
    real,      // the same: MRC_REAL, the nearest double
  } kind = Kind::position;
  FieldExpr expr;  // of what, but for positions

  bool operator==(const ValueColumn &other) const {
    return kind == other.kind && expr.text == other.expr.text;
  }
};

// Bytes as one word: borrowed from the batch, kept by nobody; they may be over-read by
// kPadding. 0: the field is missing.
using TextRef = u64;
struct LongText {
  const char *data;
  u64 size;
};
// `long_text` is where the size of a text of 65,535 bytes and more goes.
MRC_INLINE TextRef make_text(Bytes text, LongText *long_text) {
  if (text.size() < 0xFFFF) [[likely]]
    return reinterpret_cast<u64>(text.data()) | static_cast<u64>(text.size()) << 48;
  *long_text = {text.data(), text.size()};
  return reinterpret_cast<u64>(long_text) | u64{0xFFFF} << 48;
}
MRC_INLINE Bytes text_of(TextRef text) {
  constexpr u64 kAddress = (u64{1} << 48) - 1;
  const u64 size = text >> 48;
  if (size < 0xFFFF) [[likely]]
    return Bytes(reinterpret_cast<const char *>(text & kAddress), size);
  const auto *found = reinterpret_cast<const LongText *>(text & kAddress);
  return Bytes(found->data, found->size);
}

}  // namespace mrc
