// Chunks of LEFT become joined text, by the table of RIGHT.
#pragma once

#include "join/join_table.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

// `of_all`: rows, the first ones; INT64_MAX: all. The rest of RIGHT, which a full join prints, is
// no concern of the transformer. All must outlive it.
std::unique_ptr<Transformer> make_match_text(const Join &join, const JoinText &text,
                                             const JoinTable &table, bool header, i64 of_all);

}  // namespace mrc
