// mrc fields: shows how the records of an input are read, and which fields they have.
#include "base/one_line.h"
#include "cmd/look.h"
#include "cmd/messages.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace mrc {
namespace {

// Appends cells in columns that are as wide as necessary.
void append_table(const std::vector<std::array<std::string, 4>> &rows, std::string *out) {
  std::array<i64, 4> widths{};
  for (const auto &row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  for (const auto &row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      out->append(row[i]);
      out->append(static_cast<size_t>(widths[i] - display_width(row[i]) + 2), ' ');
    }
    out->append(row.back());
    out->erase(out->find_last_not_of(' ') + 1);
    out->push_back('\n');
  }
}

std::string share(i64 part, i64 whole) {
  return fmt::format("{} %", whole == 0 ? 0 : 100 * part / whole);
}

void append_report(const std::string &name, const Dialect &dialect, const InputReport &report,
                   std::string *out) {
  const i64 all = report.records + report.bad;
  fmt::format_to(std::back_inserter(*out), "{}: {} ({})\n", visible(name), dialect.format->name,
                 dialect.reason);
  for (const Dialect &part : dialect.mixed) {
    fmt::format_to(std::back_inserter(*out), "  {} ({})\n", part.format->name, part.reason);
  }
  if (report.bad > 0) {
    std::string shown;
    append_visible(Bytes(report.first_bad).substr(0, 100), &shown);
    fmt::format_to(std::back_inserter(*out),
                   "{} of the first {} records are bad; the first: {}: {}\n", report.bad, all,
                   report.reason, shown);
  }
  std::vector<std::array<std::string, 4>> rows = {{"field", "kind", "in", "examples"}};
  for (const FieldReport &field : report.fields) {
    std::string examples;
    for (const std::string &example : field.examples) {
      if (!examples.empty()) examples += ", ";
      append_visible(Bytes(example).substr(0, 40), &examples);
      if (example.size() > 40) examples += "...";
    }
    std::string field_name;
    append_visible(field.written, &field_name);
    rows.push_back(
        {field_name, kind_text(field.kind), share(field.records, report.records), examples});
  }
  append_table(rows, out);
}

Status show(const Ask &ask, const Program &program, const std::string &path, std::string *out) {
  FormatSpec format = program.map.fields.sniffed_format();
  format.names_fields = true;
  const Result<Source> source =
      examine(path, program.input_command, content_of(program.map.record_bytes));
  if (!source.is_ok()) return source.status();
  Result<Look> look = ask.suggests ? look_by_suggestion(*source, format) : look_at(*source, format);
  if (!look.is_ok()) return look.status();
  append_report(source->name(), look->dialect, look->report, out);
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
