// mrc wordcount: counts how often each word occurs.
#include "cmd/compile.h"
#include "cmd/values.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--words", "KIND", "what a word is", "word|alpha|blank", set_words},
    kHavingOption,
};

// Options of wc(1).
const Absent kAbsent[] = {
    {"-l, --lines", "use mrc stats -f lines to count lines"},
    {"-c, -m, -L, --bytes, --chars, --max-line-length",
     "mrc wordcount counts words; wc -c, -m and -L measure bytes, characters and lines"},
    {"-w", "it is not needed; mrc wordcount always counts words"},
};

Status compile_wordcount(const Ask &ask, Compiled *compiled) {
  compiled->program.map.records = MapSpec::Records::words;
  compiled->program.map.words = ask.words;
  return compile_rows(ask, {{{"word"}}}, compiled);
}

}  // namespace

extern const Verb verb_wordcount;
const Verb verb_wordcount = {
    .name = "wordcount",
    .arguments = "[FILE...]",
    .summary = "count how often each word occurs",
    .description =
        "Prints each distinct word of the input and how often it occurs, ordered by the bytes of\n"
        "the words.\n"
        "\n"
        "--words sets what a word is:\n"
        "  word   letters of any script, digits 0 to 9 and _, and an apostrophe between two\n"
        "         letters (the default)\n"
        "  alpha  runs of A-Z and a-z\n"
        "  blank  runs of bytes other than space, tab and line ends",
    .examples =
        "  mrc wordcount book.txt              every word, in alphabetical order\n"
        "  mrc wordcount --top 20 -i *.txt     the 20 most frequent words, in any case\n"
        "  mrc wordcount --having 'count > 9' book.txt\n"
        "  mrc wordcount --to json book.gz     one JSON object per line\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_wordcount,
};

}  // namespace mrc
