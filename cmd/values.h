// Values of options: numbers, sizes, columns.
#pragma once

#include "base/names.h"
#include "cmd/verb.h"

namespace mrc {

Status parse_integer(const std::string &text, i64 least, i64 most, i64 *value);
// Parses a number of bytes, with K, M, G or T for powers of 1,024; at least 1.
Status parse_size(const std::string &text, i64 *bytes);
// Parses one byte: a character, \\t, \\0 or another C escape.
Status parse_byte(const std::string &text, char *byte);
// Parses "auto", `yes`, or anything else for never; the parser has checked the choices.
Request::When parse_when(const std::string &text, const std::string &yes);
Status set_direction(Request *request, Request::Direction direction);

// Sets the shape of the job's rows from --to and related options.
Status choose_format(Request *request);
// True if the output may have colors. REQUIRES: its shape says if it is a terminal
bool wants_color(const Request &request);
// Handles --state and --checkpoint, and related options. REQUIRES: the job is prepared
Status choose_state(Request *request);
// Digest of what gives states their meaning, for --state, --to partial and mrc merge.
u64 digest_of_states(const Request &request);
// Handles --to partial. REQUIRES: choose_isolate()
Status choose_partial(Request *request);
// Returns the time when the newest input was changed, in seconds since 1970; now, if it is known of
// no input.
i64 newest_change(const Request &request);
// Parses the value of --live: "2s", "10%", "order", "order,2s"; "" stands for the default.
// choose_live() handles it and related options. REQUIRES: the job is prepared
Status parse_live(const std::string &value, LiveSpec *live);
Status choose_live(Request *request);
// Parses a time such as "5s" or "500ms".
Status parse_seconds(const std::string &text, double *seconds);
// Sets the Order over the columns of the job from --by, --asc, --desc and --top.
Status choose_order(Request *request);

}  // namespace mrc
