// mrc index: where each word occurs.
#include "cmd/verb.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--positions", "KIND", "what is listed: byte, counted from 0; line, from 1; or file",
     "byte|line|file",
     [](Request *r, const std::string &value) {
       using Values = MapSpec::Values;
       r->job.map.values = value == "line"   ? Values::line
                           : value == "file" ? Values::input
                                             : Values::byte;
       return Status::ok();
     }},
    {"--word", "W", "index only this word", nullptr,
     [](Request *r, const std::string &value) {
       r->job.map.only = value;
       return value.empty() ? Status::error("needs a word") : Status::ok();
     }},
    {"--words", "KIND", "what a word is, as in mrc-wordcount(1)", "word|alpha|blank",
     [](Request *r, const std::string &value) {
       r->job.map.words = value == "alpha"   ? Words::alpha
                          : value == "blank" ? Words::blank
                                             : Words::word;
       return Status::ok();
     }},
};

Status prepare(Request *request) {
  Job *job = &request->job;
  job->map.records = MapSpec::Records::words;
  if (job->map.values == MapSpec::Values::none) job->map.values = MapSpec::Values::byte;
  job->aggregation = positions_aggregation();
  if (request->format == "uniq") return Status::error("--to: uniq is for counts");
  return prepare_output(request, {{{"word"}}});
}

}  // namespace

extern const Verb verb_index;
const Verb verb_index = {
    .name = "index",
    .arguments = "[FILE...]",
    .summary = "list where each word occurs",
    .description =
        "Prints every word and the places where it occurs: an inverted index. Places are in\n"
        "the order of the input. With several files each list begins with the name of its\n"
        "file; lines and files are listed once, however often the word is in them.",
    .examples =
        "  mrc index book.txt                    the bytes at which each word starts\n"
        "  mrc index --positions line *.txt      as grep -n would number the lines\n"
        "  mrc index --word whale -i book.txt    one word only\n",
    .options = kOptions,
    .prepare = prepare,
};

}  // namespace mrc
