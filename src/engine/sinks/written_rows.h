// Makes an answer of the rows of workers.
#pragma once

#include "engine/inner/run.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace mrc {

// Sorts the rows, unless `sorted` has them in order already. They must outlive the answer.
Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted = {});
// Returns the header of the first input that has one, if the program wants it, for records that are
// printed unchanged. May be empty.
std::string record_header(const Run &run);
// Returns the rows as text, with their header.
std::string text_of(std::span<const Row> rows, Formatter *formatter);
// Makes an answer of one number.
Answer answer_of(i64 number, Run *run);

}  // namespace mrc
