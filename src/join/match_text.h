// Makes joined text of chunks of LEFT and the table of RIGHT.
#pragma once

#include "join/inner/join_table.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

// `of_all` is the number of first rows to print; INT64_MAX: all. The caller prints the records of
// RIGHT without a partner. REQUIRES: all arguments outlive the result
std::unique_ptr<Transformer> make_match_text(const Join &join, const JoinText &text,
                                             const JoinTable &table, bool header, i64 of_all);

}  // namespace mrc
