// combine: values that are texts, as results.
#pragma once

#include "base/number.h"
#include "combine/combine.h"

namespace mrc {

// The number that a text of a state is. The text needs no padding after it. What is longer
// than 64 bytes is no number.
Number number_in(Bytes text, Arena *wide);

// As plain bytes, or a JSON string; nothing is "" and null.
void append_text(Bytes text, Notation notation, std::string *out);
void append_nothing(Notation notation, std::string *out);

// Numbers order as the nearest doubles do, and come before other texts, which order by
// their first eight bytes.
u64 rank_of_text(Bytes text);

}  // namespace mrc
