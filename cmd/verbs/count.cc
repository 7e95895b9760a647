// mrc count: how often each line occurs.
#include "cmd/verb.h"

namespace mrc {
namespace {

Status prepare(Request *request) {
  request->job.map.records = MapSpec::Records::lines;
  return prepare_output(request, {{{"line"}}});
}

}  // namespace

extern const Verb verb_count;
const Verb verb_count = {
    .name = "count",
    .arguments = "[FILE...]",
    .summary = "count how often each line occurs",
    .description =
        "Prints every distinct line of the input and how often it occurs: sort | uniq -c\n"
        "without the sort of the whole input, on all cores. CR LF ends a line as LF does,\n"
        "and a byte order mark at the start of an input is not part of its first line.",
    .examples =
        "  mrc count --top 10 queries.log      the ten most frequent lines\n"
        "  mrc count --to uniq names.txt       as sort names.txt | uniq -c prints it\n"
        "  find . -print0 | mrc count -z       records that end in NUL\n",
    .options = {},
    .prepare = prepare,
};

}  // namespace mrc
