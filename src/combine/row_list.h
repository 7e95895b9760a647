// combine: all values of a key in the order of the input, for reducers with `reduce` or
// MRC_ORDERED.
#pragma once

#include "combine/combine.h"

#include <memory>
#include <vector>

namespace mrc {

// The parameters of a list. The context of its part.
struct RowListSpec {
  const Reducer *reducer = nullptr;  // gets the values
  const void *context = nullptr;     // the reducer's own context
  std::vector<mrc_type> types;       // types of its columns, which begin at part.value
};

// Keeps rows of values with their order: two words at part.position, the position in the input and
// the number among rows of the same position.
extern const Reducer kRowList;
void shift_rows(const Part &part, State *state, u64 by);

// The rows of a state in order, as words of the interface.
struct SortedRows {
  std::vector<u64> words;  // `width` words for each row
  std::vector<mrc_text> long_texts;
  i64 width = 0, count = 0;
};
SortedRows rows_of(const RowListSpec &spec, const State *own);

}  // namespace mrc
