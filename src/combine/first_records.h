// combine: the first records of each key, whole.
#pragma once

#include "combine/combine.h"
#include "expr/values.h"

#include <functional>
#include <vector>

namespace mrc {

// Adds a part that keeps the first `most` records of each key; `record` is the field that is all of
// a record. Returns its number. The state: 40 bytes, and each record in the arena; what outgrows
// memory is in runs on disk.
i64 add_first_records(const FieldExpr &record, i64 most, std::vector<ValueColumn> *values,
                      Aggregation *aggregation);

// Shows the records of a state in the order of the input. To look at them may move them to disk,
// and changes none of them.
void each_record(const Part &part, const State *state, const std::function<void(Bytes)> &show);

}  // namespace mrc
