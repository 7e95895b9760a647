// From the rows that workers have made to an answer.
#pragma once

#include "engine/run.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <optional>

namespace mrc {

// Puts the rows in order, unless they are in `sorted` already. They must outlive the answer.
Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted = {});
// An answer that is one number.
Answer answer_of(i64 number, Run *run);

}  // namespace mrc
