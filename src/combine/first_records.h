// combine: the first whole records of each key.
#pragma once

#include "combine/combine.h"
#include "expr/expr.h"

#include <functional>
#include <vector>

namespace mrc {

// Adds a part that keeps the first `most` records of each key, and returns its number. `record` is
// the field that holds the whole record. The state has 40 bytes; records are in the arena. Records
// that outgrow memory are in runs on disk.
i64 add_first_records(const FieldExpr &record, i64 most, std::vector<ValueColumn> *values,
                      Aggregation *aggregation);

// Shows the records of a state in the order of the input. Reading may move them to disk, but does
// not change them.
void each_record(const Part &part, const State *state, const std::function<void(Bytes)> &show);

}  // namespace mrc
