// mrc fields: shows how the records of an input are read, and which fields they have.
#include "base/one_line.h"
#include "cmd/introduction.h"
#include "cmd/messages.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

Status show(const Ask &ask, const Program &program, const std::string &path, std::string *out) {
  FormatSpec format = program.map.fields.sniffed_format();
  format.names_fields = true;
  const Result<Source> source =
      examine(path, program.input_command, content_of(program.map.record_bytes));
  if (!source.is_ok()) return source.status();
  Result<Look> look = ask.suggests ? look_by_suggestion(*source, format) : look_at(*source, format);
  if (!look.is_ok()) return look.status();
  append_look(source->name(), *look, -1, out);
  if (look->dialect.format == &LineFormat::log) look->suggested = pattern_text(look->dialect);
  if (!look->suggested.empty()) {
    fmt::format_to(std::back_inserter(*out), "--from {}\n",
                   shell_word("pattern:" + look->suggested));
  }
  return Status::ok();
}

Status errand(const Ask &ask, std::string *out) {
  Compiled compiled;
  begin_compile(ask, &compiled);
  if (Status status = read_directories(&compiled); !status.is_ok()) return status.within("fields");
  if (Status status = compile_fields(ask, ask.key, &compiled); !status.is_ok()) {
    return status.within("fields");
  }
  const std::vector<std::string> &paths = compiled.program.inputs;
  note_terminal(compiled.job, ask.reporting.quiet, paths);
  for (const std::string &note : compiled.notes) {
    if (!ask.reporting.quiet) say_info(note);
  }
  std::vector<std::string> problems;
  for (const std::string &path : paths) {
    std::string text;
    Status status = show(ask, compiled.program, path, &text);
    if (!status.is_ok()) {
      problems.push_back(status.message());
      continue;
    }
    if (!out->empty()) out->push_back('\n');
    out->append(text);
  }
  return problems.empty() ? Status::ok()
                          : Status::error(fmt::format("{}", fmt::join(problems, "; ")));
}

const Option kOptions[] = {
    {"--suggest", nullptr, "print a pattern for --from, also for lines without a format", nullptr,
     set_flag<&Ask::suggests>},
    kInputCommandOption,
};

}  // namespace

extern const Verb verb_fields;
const Verb verb_fields = {
    .name = "fields",
    .arguments = "[FILE...]",
    .summary = "show the format and the fields of an input",
    .description =
        "Shows the format of each input and why it was chosen, how many records are malformed, "
        "and\n"
        "the fields: name, kind, share of the records that have it, and examples. All of this is\n"
        "based on the first 64 KiB. Other verbs read the input in the same way if they get the\n"
        "same field options.",
    .examples =
        "  mrc fields access.log               what can I group by?\n"
        "  mrc fields -d ';' -H prices.txt     with a delimiter and a header\n"
        "  mrc fields --suggest app.log        no format? a pattern that fits most lines\n"
        "  mrc fields old.log.gz               compressed files too\n",
    .options = kOptions,
    .errand = errand,
    .reads_fields = true,
};

}  // namespace mrc
