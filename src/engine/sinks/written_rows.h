// From the rows that workers have made to an answer.
#pragma once

#include "engine/run.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <optional>
#include <string>

namespace mrc {

// Puts the rows in order, unless they are in `sorted` already. They must outlive the answer.
Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted = {});
// The header of the first input that has one, if the program wants it: for records that are printed
// as they were. May be empty.
std::string record_header(const Run &run);
// An answer that is one number.
Answer answer_of(i64 number, Run *run);

}  // namespace mrc
