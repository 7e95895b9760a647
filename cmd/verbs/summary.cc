// mrc summary: describes the values of each field.
#include "base/row_text.h"
#include "cmd/panels.h"
#include "cmd/profile.h"

#include <algorithm>

namespace mrc {
namespace {

const Option kOptions[] = {kLookupOption};

const Absent kAbsent[] = {
    {"-k, --key", "a summary has a row for each field; for groups use mrc stats -k KEY -a ..."},
    {"-i, --ignore-case", "figures are of values as they are"},
    {"--by, --asc, --desc, --top",
     "rows are in the order of the fields; then sort -k COLUMN puts them in another"},
};

std::vector<std::string_view> split_row(std::string_view row) {
  std::vector<std::string_view> values;
  if (row.ends_with('\n')) row.remove_suffix(1);
  for (size_t end; (end = row.find('\t')) != row.npos; row.remove_prefix(end + 1)) {
    values.push_back(row.substr(0, end));
  }
  values.push_back(row);
  return values;
}

// Writes a row for each field. The program has one row, with the figures of all fields.
class SummaryRows : public SharedAnswer {
 public:
  explicit SummaryRows(std::vector<ProfiledField> fields) : fields_(std::move(fields)) {
    append_row_value({}, &missing_);
  }

  Status write(std::span<const SharedRows> rows, const Report &, OutputFile *to) const override {
    const auto figures = profile_figures(fields_, split_row(rows[0].text), missing_);
    std::string out;
    for (size_t i = 0; i < fields_.size(); ++i) {
      append_row_value(fields_[i].name, &out);
      out.push_back('\t');
      append_row_value(kind_text(fields_[i].kind), &out);
      for (const std::string_view figure : figures[i]) out.append("\t").append(figure);
      out.push_back('\n');
    }
    return to->write(out);
  }

 private:
  const std::vector<ProfiledField> fields_;
  std::string missing_;
};

Status compile_summary(const Ask &ask, Compiled *compiled) {
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  Result<std::vector<ProfiledField>> fields = fields_to_profile(compiled);
  if (!fields.is_ok()) return fields.status();
  Panels panels(ask, &OutputFormat::rows, compiled);
  const auto added = panels.add({.aggregates = profile_aggregates(*fields)});
  if (!added.is_ok()) return added.status();
  panels.share(std::make_shared<SummaryRows>(std::move(*fields)));
  RowShape *shape = &compiled->program.shape;
  shape->key.parts.clear();
  for (const std::string &name : profile_columns()) {
    const bool is_text = name == "field" || name == "kind" || name == "mode";
    const ValueKind kind = is_text ? ValueKind::text : ValueKind::number;
    shape->key.parts.push_back({.name = name, .kind = {.kind = kind}});
  }
  shape->key_only = true;
  return Status::ok();
}

// The rows become columns in any format by a stage of their own.
std::vector<Job> stages_of(Job job) {
  Job shown{.verb = "select", .choices = {{"--key", "*"}}};
  return {std::move(job), std::move(shown)};
}

}  // namespace

extern const Verb verb_summary;
const Verb verb_summary = {
    .name = "summary",
    .arguments = "[FILE...]",
    .summary = "describe the values of each field",
    .description =
        "Prints a row for each field: its kind, how many records have a value and how many have\n"
        "none, how many values differ, the smallest, the largest and the most frequent one, and "
        "of\n"
        "numbers, durations and times also the mean, the standard deviation and quartiles. All\n"
        "figures are exact and come from one scan of the input.",
    .examples =
        "  mrc summary sales.csv                            each column of a table\n"
        "  mrc summary --to markdown access.log             each field of a log\n"
        "  mrc summary orders.csv then select -w 'missing > 0'\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_summary,
    .reads_fields = true,
    .no_later_stage = "a summary is of the records of files",
    .stages = stages_of,
};

}  // namespace mrc
