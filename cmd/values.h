// Values of options: numbers, sizes, columns.
#pragma once

#include "base/spelling.h"
#include "cmd/verb.h"

namespace mrc {

Status parse_integer(const std::string &text, i64 least, i64 most, i64 *value);
// Bytes, with K, M, G or T for powers of 1,024; at least 1.
Status parse_size(const std::string &text, i64 *bytes);
// One byte: a character, \\t, \\0 or another C escape.
Status parse_byte(const std::string &text, char *byte);
// "auto", `yes`, or anything else for never; the parser has checked the choices.
Request::When parse_when(const std::string &text, const std::string &yes);
Status set_direction(Request *request, Request::Direction direction);

// --to and what belongs to it as the shape of the job's rows.
Status choose_format(Request *request);
// Whether the output may have colors, once its shape says whether it is a terminal.
bool wants_color(const Request &request);
// --state and what belongs to it. REQUIRES: the job is prepared
Status choose_state(Request *request);
// Whether --record-start says how many lines a record has.
inline bool starts_records(const Program &program) {
  return program.map.groups || !program.map.fields.format.record_start.empty();
}
// What gives states their meaning: of --state, --to partial and mrc merge.
u64 digest_of_states(const Request &request);
// --to partial. REQUIRES: choose_isolate()
Status choose_partial(Request *request);
// When the newest input was changed, in seconds since 1970, or when that is known of none: now.
i64 newest_change(const Request &request);
// --live: "2s", "10%", "order", "order,2s"; "": the usual. And what belongs to it.
// REQUIRES: the job is prepared
Status parse_live(const std::string &value, LiveSpec *live);
Status choose_live(Request *request);
// --isolate and what belongs to it. REQUIRES: choose_live()
Status choose_isolate(Request *request);
// "5s", "500ms": a time.
Status parse_seconds(const std::string &text, double *seconds);
// Whether the job can --follow its input, if that is asked for. REQUIRES: choose_state()
Status check_follow(const Request &request);
// --by, --asc, --desc and --top as an Order over the columns of the job.
Status choose_order(Request *request);

}  // namespace mrc
