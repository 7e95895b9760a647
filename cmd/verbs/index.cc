// mrc index: lists where each word occurs.
#include "cmd/compile.h"
#include "cmd/values.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--positions", "KIND", "what to list: byte, from 0; line, from 1; or file", "byte|line|file",
     [](Ask *r, const std::string &value) {
       using Values = MapSpec::Values;
       r->positions = value == "line"   ? Values::line
                      : value == "file" ? Values::input
                                        : Values::byte;
       return Status::ok();
     }},
    {"--word", "W", "list only this word", nullptr, set_text<"needs a word", &Ask::only_word>},
    {"--words", "KIND", "what a word is; see mrc-wordcount(1)", "word|alpha|blank", set_words},
};

Status compile_index(const Ask &ask, Compiled *compiled) {
  MapSpec *map = &compiled->program.map;
  map->records = MapSpec::Records::words;
  map->words = ask.words;
  map->only = ask.only_word;
  map->values = ask.positions;
  compiled->program.aggregation = positions_aggregation();
  if (ask.display.format == &OutputFormat::uniq)
    return Status::error("--to: uniq prints counts, and there are none");
  return compile_rows(ask, {{{"word"}}}, compiled);
}

}  // namespace

extern const Verb verb_index;
const Verb verb_index = {
    .name = "index",
    .arguments = "[FILE...]",
    .summary = "list where each word occurs",
    .description =
        "Prints an inverted index: each distinct word, and the positions at which it occurs, in "
        "the\n"
        "order of the input. If there are several files, there is a list for each, preceded by "
        "the\n"
        "name of the file. Lines and files are listed once, even if a word occurs in them several\n"
        "times.",
    .examples =
        "  mrc index book.txt                    the bytes at which words start\n"
        "  mrc index --positions line *.txt      line numbers, as in grep -n\n"
        "  mrc index --word whale -i book.txt    only this word, in any case\n",
    .options = kOptions,
    .compile = compile_index,
    .no_later_stage = "rows of another stage have no place in a file; index files",
};

}  // namespace mrc
