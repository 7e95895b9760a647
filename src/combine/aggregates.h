// The aggregates that users name: count, sum:bytes, p95:time, top3:path.
#pragma once

#include "combine/combine.h"
#include "expr/expr.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// One word that map says of each record, for reducers to read.
struct ValueColumn {
  enum class Kind {
    position,  // of the record (record.h)
    number,    // Number (base/number.h)
    text,      // TextRef, below
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

// How results are printed.
struct NumberStyle {
  std::optional<i64> round;  // digits behind the point, half towards plus infinity
  bool human = false;        // 12.3M
};

// Adds what `text` (FUNC[:FIELD[:BUCKET]]) takes: a column, a part unless one that folds
// the same is there already, and the columns of values that the part reads. An unknown
// function or a bad parameter is an error that names the nearest.
Status add_aggregate(std::string_view text, const Clock &clock, const NumberStyle &style,
                     std::vector<ValueColumn> *values, Aggregation *aggregation);

// What there is, for --help and completion: "count|sum|mean|...". N stands for a number.
struct AggregateHelp {
  const char *name;
  const char *what;  // one line, from what a reader sees: "the sum"
};
std::vector<AggregateHelp> aggregate_help();
std::vector<std::string> aggregate_names();

}  // namespace mrc
