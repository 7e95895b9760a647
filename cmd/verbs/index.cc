// mrc index: lists where each word occurs, or makes range indexes of files.
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
    {"--range", "FIELDS", "index between which values FIELD[:KIND] is, in each page of each FILE",
     nullptr, set_text<"needs the name of a field", &Ask::ranges>},
    {"--word", "W", "list only this word", nullptr, set_text<"needs a word", &Ask::only_word>},
    {"--words", "KIND", "what a word is; see mrc-wordcount(1)", "word|alpha|blank", set_words},
};

// Makes the program that indexes fields.
Status compile_ranges(const Ask &ask, Compiled *compiled) {
  const Refusal refusals[] = {
      {!ask.where.empty(), "--range covers all records: it cannot be used with -w"},
      {!ask.since.empty() || !ask.until.empty(),
       "--range covers all records: it cannot be used with --since or --until"},
      {!ask.key.empty(), "-k is not used; --range names the fields"},
      {!ask.geo.empty(), "--geo is not used: --range indexes fields as they are"},
      {ask.input.spread.is_wanted(),
       "--range indexes records as they are: it cannot be used with --each or --stack"},
      {ask.run.output != "-", "-o is not used with --range; --index-dir chooses the directory"},
      {!ask.run.input_command.empty(), "--range indexes files, and not what a command prints"},
      {compiled->job.inputs.empty(), "--range needs a FILE: the index is written beside it"},
  };
  if (Status status = refuse(refusals); !status.is_ok()) return status;
  Program *program = &compiled->program;
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  Result<std::vector<IndexedField>> fields = parse_indexed_fields(ask.ranges, compiled->clock);
  if (!fields.is_ok()) return fields.status().within("--range");
  for (const IndexedField &field : *fields) {
    program->map.fields.others.push_back({.field = field.name});
  }
  program->ranges.fields = std::move(*fields);
  program->stage = &kRangeStage;
  return Status::ok();
}

Status compile_index(const Ask &ask, Compiled *compiled) {
  if (!ask.ranges.empty()) return compile_ranges(ask, compiled);
  if (ask.reads_fields || !ask.geo.empty() || !ask.run.ranges.directory.empty()) {
    return Status::error("field options are for --range; an inverted index is of words");
  }
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
        "times.\n"
        "\n"
        "With --range it writes an index beside each FILE: for each page of the file, between\n"
        "which values the FIELDS are. Later, -w, --since and --until read only pages that can\n"
        "match. The answers stay the same.",
    .examples =
        "  mrc index book.txt                    the bytes at which words start\n"
        "  mrc index --positions line *.txt      line numbers, as in grep -n\n"
        "  mrc index --word whale -i book.txt    only this word, in any case\n"
        "  mrc index --range time,status *.log   make -w, --since and --until read less\n",
    .options = kOptions,
    .compile = compile_index,
    .reads_fields = true,
    .no_later_stage = "rows of another stage have no place in a file; index files",
};

}  // namespace mrc
