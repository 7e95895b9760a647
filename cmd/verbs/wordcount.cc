// mrc wordcount: how often each word occurs.
#include "cmd/verb.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--words", "KIND", "what a word is", "word|alpha|blank",
     [](Request *r, const std::string &value) {
       r->job.map.words = value == "alpha"   ? Words::alpha
                          : value == "blank" ? Words::blank
                                             : Words::word;
       return Status::ok();
     }},
};

// What wc(1) has.
const Absent kAbsent[] = {
    {"-l", "mrc stats -f lines counts lines"},
    {"-w", "mrc wordcount counts words in any case"},
};

Status prepare(Request *request) {
  request->job.map.records = MapSpec::Records::words;
  return prepare_output(request, {{{"word"}}});
}

}  // namespace

extern const Verb verb_wordcount;
const Verb verb_wordcount = {
    .name = "wordcount",
    .arguments = "[FILE...]",
    .summary = "count how often each word occurs",
    .description =
        "Prints every word of the input and how often it occurs, in the order of the\n"
        "bytes of the words.\n\n"
        "--words says what a word is:\n"
        "  word   letters of any script, ASCII digits and _, and an apostrophe between\n"
        "         two letters (the default)\n"
        "  alpha  runs of A-Z and a-z\n"
        "  blank  runs of bytes that are not space, tab or line end",
    .examples =
        "  mrc wordcount book.txt              every word, in alphabetical order\n"
        "  mrc wordcount --top 20 -i *.txt     the 20 most frequent, whatever their case\n"
        "  zcat x.gz | mrc wordcount --to json one JSON object in a line\n",
    .options = kOptions,
    .absent = kAbsent,
    .prepare = prepare,
};

}  // namespace mrc
