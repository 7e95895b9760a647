// combine: results that are texts.
#pragma once

#include "base/number.h"
#include "combine/combine.h"

namespace mrc {

// Parses a text of a state as a number. The text needs no padding after it. A text longer than 64
// bytes is not a number.
Number number_in(Bytes text, Arena *wide);

// Append a value as plain bytes or as a JSON string; nothing is "" or null.
void append_text(Bytes text, Notation notation, std::string *out);
void append_nothing(Notation notation, std::string *out);

// Ranks numbers by their nearest doubles, before other texts, which are ranked by their first eight
// bytes.
u64 rank_of_text(Bytes text);

}  // namespace mrc
