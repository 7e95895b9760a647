// mrc report: a page about a log, with panels that one scan computes.
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/panels.h"
#include "cmd/report/document.h"
#include "expr/computed_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

namespace mrc {
namespace {

constexpr i64 kMostRows = 300;       // of a panel, unless --top says otherwise
constexpr i64 kMostPoints = 20'000;  // of a chart over time; finer ones are left out
constexpr i64 kMostMinutes = 1500;

const Option kOptions[] = {
    {"--to", "FORMAT", "html: a page; json: its numbers", "html|json",
     [](Ask *ask, const std::string &value) {
       ask->report.is_page = value == "html";
       return Status::ok();
     },
     Effect::answer},
    {"--panels", "NAMES", "only these panels, in this order", nullptr,
     set_text<"needs names of panels", &Ask::report, &AskedReport::panels>, Effect::state, false,
     true},
    {"--anonymize", nullptr, "show networks (/24, /64) in place of addresses", nullptr,
     set_flag<&Ask::report, &AskedReport::anonymizes>},
    kLookupOption,
};

const Absent kAbsent[] = {
    {"-k, --key", "panels have keys of their own: --panels; for one table use mrc stats -k KEY"},
    {"--by, --asc, --desc", "rows of a panel are in the order of its first number"},
};

constexpr std::string_view kGeo = "--geo";  // in place of a field

// A row of panels.inc.
struct PanelRow {
  const char *name, *title;
  PanelShape shape;
  const char *fields, *key, *where, *by, *about;
};

// A column of all panels.
struct PanelAggregate {
  const char *text, *fields;
};

// A number of all records.
struct FigureRow {
  const char *title, *kind, *fields, *aggregate;
};

#define ASSET                                                                                    \
  "path:ext in ('avif','bmp','css','eot','gif','ico','jpeg','jpg','js','map','mjs','mp3','mp4'," \
  "'otf','png','svg','ttf','webm','webp','woff','woff2')"
#define COUNT "+"
#define ADDRESS "@"
constexpr PanelRow kPanels[] = {
#define FIGURE(...)
#define AGGREGATE(...)
#define PANEL(name, title, shape, ...) {name, title, PanelShape::shape, __VA_ARGS__},
#include "cmd/report/panels.inc"
};
constexpr PanelAggregate kAggregates[] = {
#define FIGURE(...)
#define AGGREGATE(text, fields) {text, fields},
#define PANEL(...)
#include "cmd/report/panels.inc"
};
constexpr FigureRow kFigures[] = {
#define FIGURE(title, kind, fields, aggregate) {title, kind, fields, aggregate},
#define AGGREGATE(...)
#define PANEL(...)
#include "cmd/report/panels.inc"
};
#undef ASSET

// The fields of the first records of an input.
class KnownFields {
 public:
  // `has_geo`: a database of networks is given.
  KnownFields(std::optional<FirstFile> first, bool has_geo)
      : first_(std::move(first)), has_geo_(has_geo) {}

  bool has(const std::string &name) const {
    if (name == kGeo) return has_geo_;
    if (!first_) return false;
    const FieldReport *field = first_->field(whole_name(name));
    if (field == nullptr || field->records == 0) return false;
    return name != "time" || field->kind.kind == ValueKind::time;
  }
  std::string format() const { return first_ ? first_->dialect.format->name : ""; }
  // True if the records have all of these fields, and none of those after a minus.
  bool fit(std::string_view list) const {
    while (!list.empty()) {
      const size_t end = std::min(list.find(' '), list.size());
      std::string name(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
      const bool is_unwanted = name.starts_with('-') && name != kGeo;
      if (is_unwanted) name.erase(0, 1);
      if (has(name) == is_unwanted) return false;
    }
    return true;
  }

 private:
  const std::optional<FirstFile> first_;
  const bool has_geo_;
};

KnownFields look_at_fields(const Ask &ask, const Program &program) {
  FormatSpec format = ask.input;
  format.names_fields = true;
  return {look_at_first(program.inputs, program.input_command, format), !ask.geo.empty()};
}

// Makes the panels of a job whose fields are compiled.
class ReportPanels {
 public:
  ReportPanels(const Ask &ask, Compiled *compiled)
      : ask_(ask),
        compiled_(*compiled),
        fields_(look_at_fields(ask, compiled->program)),
        panels_(ask, &OutputFormat::arrays, compiled) {
    for (const PanelAggregate &each : kAggregates) {
      if (!fields_.fit(each.fields)) continue;
      aggregates_ += (aggregates_.empty() ? "" : ",") + std::string(each.text);
    }
    const bool is_web = fields_.fit("path status");
    count_ = is_web ? "requests" : "records";
    if (aggregates_.empty()) aggregates_ = "records=count";
  }

  Status make(Document *document) {
    const Result<const Program *> totals = panels_.add({.aggregates = totals_of(document)});
    if (!totals.is_ok()) return totals.status();
    for (const PanelRow *row : wanted()) {
      const Result<const Program *> program = panels_.add(job_of(*row));
      // A database of countries has no cities.
      const bool may_lack = needs_geo(*row) && ask_.report.panels.empty();
      if (!program.is_ok() && may_lack) continue;
      if (!program.is_ok()) return program.status().within(row->name);
      document->panels.push_back({row->name, row->title, row->about, row->shape, *program,
                                  least_points(*row), most_points(*row)});
    }
    return Status::ok();
  }

  // Adds a profile of all fields, and a panel of the values of each.
  Status make_profile(Document *document) {
    Result<std::vector<ProfiledField>> fields = fields_to_profile(&compiled_);
    if (!fields.is_ok()) return fields.status();
    for (const ProfiledField &field : *fields) {
      PanelJob job{.key = in_double_quotes(field.name), .aggregates = aggregates_, .by = count_};
      job.descending = true;
      job.top = ask_.top >= 0 ? ask_.top : kMostRows;
      const Result<const Program *> program = panels_.add(job);
      if (!program.is_ok()) return program.status();
      document->panels.push_back(
          {.name = field.name, .title = field.name, .about = "", .program = *program});
    }
    for (const ProfiledField &field : *fields) {
      const auto added = panels_.add({.aggregates = field.aggregates()});
      if (!added.is_ok()) return added.status();
    }
    document->profile = std::move(*fields);
    return Status::ok();
  }
  // True if the records are those of a table, about which no panel knows more.
  bool is_table() const {
    return ask_.report.panels.empty() && !fields_.format().empty() && !fields_.fit("path status") &&
           !fields_.has("message");
  }
  std::string format() const { return fields_.format(); }
  void share(std::shared_ptr<const SharedAnswer> answer) { panels_.share(std::move(answer)); }

  // Returns an error if a name of --panels is none, or one that the records lack fields for.
  Status check() {
    for (const std::string &name : names_in_order()) {
      const auto row = std::ranges::find(kPanels, name, &PanelRow::name);
      std::vector<std::string> all;
      for (const PanelRow &each : kPanels) {
        if (fields_.fit(each.fields)) all.push_back(each.name);
      }
      if (row != std::end(kPanels) && fields_.fit(row->fields)) continue;
      return Status::error(fmt::format(
          "--panels: {}: {}; there are {}", name,
          row == std::end(kPanels) ? "there is no such panel" : "the records lack its fields",
          fmt::join(all, ", ")));
    }
    return Status::ok();
  }

 private:
  std::vector<std::string> names_in_order() const {
    std::vector<std::string> names;
    std::string_view list = ask_.report.panels;
    while (!list.empty()) {
      const size_t end = std::min(list.find(','), list.size());
      names.emplace_back(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
  }

  std::vector<const PanelRow *> wanted() const {
    std::vector<const PanelRow *> rows;
    const std::vector<std::string> names = names_in_order();
    for (const std::string &name : names) {
      rows.push_back(&*std::ranges::find(kPanels, name, &PanelRow::name));
    }
    if (!names.empty()) return rows;
    for (const PanelRow &row : kPanels) {
      if (fields_.fit(row.fields)) rows.push_back(&row);
    }
    return rows;
  }

  // Chooses figures, and returns the aggregates of their program.
  std::string totals_of(Document *document) const {
    std::string list;
    for (const FigureRow &row : kFigures) {
      if (!fields_.fit(row.fields)) continue;
      list += fmt::format("f{}={},", document->figures.size(), row.aggregate);
      document->figures.push_back({row.title, row.kind});
    }
    document->has_times = fields_.has("time");
    if (!document->has_times) return list + "records=count";
    return list + "from=format(min(time),'%Y-%m-%dT%H:%M:%SZ')," +
           "to=format(max(time),'%Y-%m-%dT%H:%M:%SZ')";
  }

  static bool needs_geo(const PanelRow &row) {
    return std::string_view(row.fields).ends_with(kGeo);
  }
  // One day or month is the whole period.
  static i64 least_points(const PanelRow &row) {
    const std::string_view name = row.name;
    return name == "days" || name == "months" ? 2 : 1;
  }
  static i64 most_points(const PanelRow &row) {
    if (row.shape != PanelShape::time) return INT64_MAX;
    return std::string_view(row.name) == "minutes" ? kMostMinutes : kMostPoints;
  }

  PanelJob job_of(const PanelRow &row) const {
    PanelJob job{.key = row.key, .where = row.where, .aggregates = aggregates_};
    if (job.key == ADDRESS) job.key = ask_.report.anonymizes ? "ip=ip:/24/64" : "ip";
    const bool is_clients = std::string_view(row.name) == "clients";
    if (is_clients && fields_.has("time")) {
      job.aggregates += ",first=min:time,last=max:time";
    }
    if (std::string_view(row.name) == "messages") {
      job.aggregates += ",example=first:message";
      if (fields_.has("time")) job.aggregates += ",first=min:time,last=max:time";
    }
    if (std::string_view(row.by) == COUNT) {
      job.by = count_;
      job.descending = true;
      job.top = ask_.top >= 0 ? ask_.top : kMostRows;
    } else if (row.shape == PanelShape::time) {
      job.by = "time";
      job.top = most_points(row) + 1;
    }
    return job;
  }

  const Ask &ask_;
  Compiled &compiled_;
  KnownFields fields_;
  Panels panels_;
  std::string aggregates_, count_;
};

Status compile_report(const Ask &ask, Compiled *compiled) {
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  ReportPanels panels(ask, compiled);
  if (Status status = panels.check(); !status.is_ok()) return status;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::vector<std::string> &inputs = compiled->program.inputs;
  Document document{.title = inputs.size() == 1
                                 ? inputs[0]
                                 : fmt::format("{} and {} more", inputs[0], inputs.size() - 1),
                    .format = panels.format(),
                    .zone = ask.zone.empty() ? "UTC" : ask.zone,
                    .inputs = inputs,
                    .made = std::chrono::duration_cast<std::chrono::seconds>(now).count(),
                    .is_page = ask.report.is_page};
  if (Status status = panels.make(&document); !status.is_ok()) return status;
  if (Status status = panels.is_table() ? panels.make_profile(&document) : Status::ok();
      !status.is_ok()) {
    return status;
  }
  panels.share(make_document(std::move(document)));
  // Other inputs may lack what the first one has.
  for (const FieldExpr &field : compiled->program.map.fields.keys) {
    if (field.field.number < 0) compiled->program.sparse.push_back(field.field.text);
  }
  return Status::ok();
}

}  // namespace

extern const Verb verb_report;
const Verb verb_report = {
    .name = "report",
    .arguments = "[FILE...]",
    .summary = "make a page about a log",
    .description =
        "Writes one HTML file about a log: what happened when, which pages were asked for, which\n"
        "are missing, who came from where, which messages there are. Which panels there are\n"
        "depends on the fields of the records. All figures are exact, and come from one scan of\n"
        "the input. The page needs no network and no other file.",
    .examples =
        "  mrc report access.log* -o report.html\n"
        "  mrc report --since yesterday --until today access.log -o yesterday.html\n"
        "  mrc report --panels messages,levels app.log -o app.html\n"
        "  mrc report --to json access.log\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_report,
    .reads_fields = true,
    .no_stage = "a report is a page, and no rows",
};

}  // namespace mrc
