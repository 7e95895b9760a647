#include "cmd/report/choose_panels.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/report/known_fields.h"
#include "cmd/report/own_panel.h"
#include "expr/computed_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>

namespace mrc {
namespace {

constexpr i64 kMostRows = 300;       // of a panel, unless --top says otherwise
constexpr i64 kMostPoints = 20'000;  // of a chart over time; finer ones are left out
constexpr i64 kMostMinutes = 1500;
constexpr size_t kMostFields = 40;  // of a table, that have panels
constexpr std::string_view kProfile = "fields";
const std::string kOfField = "field ";  // before the name of a field, in that of its panel

// Rows of panels.inc.
struct PanelRow {
  std::string_view name;
  const char *title;
  PanelShape shape;
  std::string_view needs;
  const char *keys, *key, *where;
  std::string_view by;
  const char *about;
};
struct PanelAggregate {
  const char *text, *needs;
};
struct FigureRow {
  const char *title, *kind, *needs, *aggregate;
};

#define ASSET                                                                                    \
  "path:ext in ('avif','bmp','css','eot','gif','ico','jpeg','jpg','js','map','mjs','mp3','mp4'," \
  "'otf','png','svg','ttf','webm','webp','woff','woff2')"
#define WORDS \
  "coalesce(param(referer,'q'),param(referer,'p'),param(referer,'text'),param(referer,'wd'))"
#define COUNT "count"
#define SESSIONS ""
constexpr const char *kAsset = ASSET;
constexpr std::string_view kEntryPages = "entries";
#define FIGURE(...)
#define AGGREGATE(...)
constexpr PanelRow kPanels[] = {
#define PANEL(name, title, shape, ...) {name, title, PanelShape::shape, __VA_ARGS__},
#include "cmd/report/panels.inc"
};
#define FIGURE(...)
#define PANEL(...)
constexpr PanelAggregate kAggregates[] = {
#define AGGREGATE(text, needs) {text, needs},
#include "cmd/report/panels.inc"
};
#define AGGREGATE(...)
#define PANEL(...)
constexpr FigureRow kFigures[] = {
#define FIGURE(title, kind, needs, aggregate) {title, kind, needs, aggregate},
#include "cmd/report/panels.inc"
};
#undef SESSIONS
#undef ASSET
#undef WORDS

// True for what is read once, other than standard input, whose first bytes can be looked at.
bool is_stream(const std::string &input) {
  struct stat info;
  return input != "-" && stat(input.c_str(), &info) == 0 && !S_ISREG(info.st_mode) &&
         !S_ISDIR(info.st_mode);
}

// With --state, all runs have the panels of the first one.
FirstFields find_fields(const Ask &ask, const Program &program) {
  const std::string kept = found_of_kept(ask.run.keep.path);
  if (!kept.empty()) return FirstFields::from_text(kept);
  FormatSpec format = ask.input;
  format.names_fields = true;
  return FirstFields::in(look_at_first(program.inputs, program.input_command, format));
}

class ReportPanels {
 public:
  ReportPanels(const Ask &ask, Document document, Compiled *compiled)
      : ask_(ask),
        document_(std::move(document)),
        compiled_(*compiled),
        fields_(find_fields(ask, compiled->program), ask),
        panels_(ask, &OutputFormat::arrays, compiled) {
    document_.format = fields_.format();
    document_.anonymizes = ask.report.anonymizes;
    for (const PanelAggregate &each : kAggregates) {
      if (!fields_.fit(each.needs)) continue;
      aggregates_ += (aggregates_.empty() ? "" : ",") + std::string(each.text);
    }
    count_ = fields_.fit("web") ? "requests" : "records";
  }

  Status make() {
    Status status = know_profile();
    if (status.is_ok()) status = check();
    if (status.is_ok()) status = panels_.add({.aggregates = totals()}).status();
    for (const std::string &typed : ask_.report.own) {
      if (status.is_ok()) status = add_own(typed);
    }
    if (status.is_ok()) status = ask_.report.panels.empty() ? add_all() : add_named();
    if (status.is_ok() && shows_profile()) status = add_profile();
    if (status.is_ok() && document_.sessions != SIZE_MAX) status = add_clients();
    if (!status.is_ok()) return status;
    panels_.share(make_document(std::move(document_)));
    compiled_.found = fields_.text();
    Program *program = &compiled_.program;
    program->map.fields.format.names_fields = true;
    // Other inputs may lack what the first one has.
    for (const FieldExpr &field : program->map.fields.keys) {
      if (field.field.number < 0) program->sparse.push_back(field.field.text);
    }
    return Status::ok();
  }

 private:
  // Refuses unknown names in --panels, and panels whose fields the records lack.
  Status check() const {
    if (!fields_.are_known() && may_have_records()) {
      return Status::error(
          "the fields of the input are not known before it is read, and panels depend on them; "
          "read standard input or a file");
    }
    std::vector<std::string_view> all;
    for (const PanelRow *row : fitting()) all.push_back(row->name);
    if (is_table()) all.push_back(kProfile);
    for (const std::string &name : words_of(ask_.report.panels)) {
      if (std::ranges::find(all, name) != all.end() || profiled(name) != nullptr) continue;
      const bool is_known = std::ranges::find(kPanels, name, &PanelRow::name) != std::end(kPanels);
      return Status::error(
          fmt::format("--panels: {}: {}; there are {}", name,
                      is_known ? "the records lack its fields, or they are not to be shown"
                               : "there is no such panel",
                      fmt::join(all, ", ")));
    }
    return Status::ok();
  }
  bool may_have_records() const {
    const bool has_command = !compiled_.program.input_command.empty();
    return has_command || std::ranges::any_of(compiled_.program.inputs, is_stream);
  }

  // Returns the panels whose fields the records have, each name once.
  std::vector<const PanelRow *> fitting() const {
    std::vector<const PanelRow *> rows;
    for (const PanelRow &row : kPanels) {
      if (fields_.fit(row.needs)) rows.push_back(&row);
    }
    return rows;
  }

  Status add_all() {
    for (const PanelRow *row : fitting()) {
      if (Status status = add(*row); !status.is_ok()) return status;
    }
    for (const ProfiledField &field : profile_) {
      if (document_.panels.size() > kMostFields) break;
      if (field.kind.kind == ValueKind::time) continue;
      if (Status status = add_values(field); !status.is_ok()) return status;
    }
    return Status::ok();
  }
  // Adds those of --panels, in its order.
  Status add_named() {
    const std::vector<const PanelRow *> rows = fitting();
    for (const std::string &name : words_of(ask_.report.panels)) {
      if (name == kProfile) continue;
      const ProfiledField *field = profiled(name);
      Status status = field == nullptr ? add(**std::ranges::find(rows, name, &PanelRow::name))
                                       : add_values(*field);
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Chooses figures, and returns the aggregates of their program.
  std::string totals() {
    std::string list;
    for (const FigureRow &row : kFigures) {
      if (!fields_.fit(row.needs)) continue;
      const bool is_sessions = *row.aggregate == '\0';
      if (is_sessions) document_.sessions = document_.figures.size();
      const char *aggregate = is_sessions ? "count" : row.aggregate;
      list += fmt::format("f{}={},", document_.figures.size(), aggregate);
      document_.figures.push_back({row.title, row.kind});
    }
    document_.has_times = fields_.fit("TIME");
    if (document_.has_times) return list + fields_.named("from=min(TIME)+0s,to=max(TIME)+0s");
    return list + "records=count";
  }

  // Adds the program of clients, and the one that counts the pages with which their sessions begin,
  // if there is a panel of these.
  Status add_clients() {
    const auto entries = std::ranges::find(document_.panels, kEntryPages, &ShownPanel::name);
    const bool has_entries = entries != document_.panels.end();
    const std::string sessions = has_entries
                                     ? fmt::format("entries(TIME,30m,if(not ({}),path,''))", kAsset)
                                     : "sessions(TIME,30m)";
    document_.clients = panels_.size();
    const Result<const Program *> clients =
        panels_.add({.key = "ip", .where = {"has(ip)"}, .aggregates = fields_.named(sessions)});
    if (!clients.is_ok() || !has_entries) return clients.status();
    PanelJob job{.key = "path", .aggregates = "sessions=count"};
    order("sessions", &job);
    const Result<const Program *> pages = panels_.add_next("path", job);
    if (!pages.is_ok()) return pages.status();
    entries->program = *pages;
    entries->rows = panels_.size();
    return Status::ok();
  }

  Status add_own(const std::string &typed) {
    Result<OwnPanel> own = parse_own_panel(typed);
    if (!own.is_ok()) return own.status().within("--panel");
    if (own->job.aggregates.empty()) own->job.aggregates = aggregates_;
    const std::vector<bool> adds = which_add(own->job.aggregates);
    bool is_chart = false;
    if (own->job.by.empty() && !own->job.key.empty()) {
      Panels trial(ask_, &OutputFormat::arrays, &compiled_);
      const Result<const Program *> plain = trial.add(own->job);
      if (plain.is_ok()) own->job.by = order_of(**plain);
      // Series are stacked, which only sums can be.
      const size_t most_keys = std::ranges::all_of(adds, std::identity()) ? 2 : 1;
      is_chart =
          plain.is_ok() && is_of_times(**plain) && (*plain)->shape.key.parts.size() <= most_keys;
    }
    const i64 most = is_chart ? kMostPoints : kMostRows;
    if (own->job.top < 0) own->job.top = ask_.top >= 0 ? ask_.top : most;
    const Result<const Program *> program = panels_.add(own->job);
    if (!program.is_ok()) return program.status().within("--panel: " + own->title);
    ShownPanel panel{.name = fmt::format("own {}", document_.panels.size() + 1),
                     .title = std::move(own->title),
                     .shape = is_chart ? PanelShape::time : PanelShape::table,
                     .program = *program,
                     .rows = panels_.size() - 1,
                     .least_groups = 0,
                     .is_own = true,
                     .adds = adds};
    for (const KeyPart &part : (*program)->shape.key.parts) panel.keys.push_back(part.name);
    document_.panels.push_back(std::move(panel));
    return Status::ok();
  }

  // Returns the column that orders the rows: the first key if it is a time, else the first number.
  static std::string order_of(const Program &program) {
    const bool by_time = is_of_times(program);
    return written_name(
        by_time ? program.shape.key.parts[0].name : program.aggregation.columns[0].name, false);
  }
  static bool is_of_times(const Program &program) {
    const std::vector<KeyPart> &parts = program.shape.key.parts;
    return !parts.empty() && parts[0].kind.kind == ValueKind::time;
  }

  Status add(const PanelRow &row) {
    if (row.name == kEntryPages) return add_later(row);
    const Result<const Program *> program = panels_.add(job_of(row));
    const bool is_asked = !ask_.report.panels.empty();
    // A database of countries has no cities.
    if (!program.is_ok() && row.needs.ends_with(" geo") && !is_asked) return Status::ok();
    if (!program.is_ok()) return program.status().within(std::string(row.name));
    const bool is_time = row.shape == PanelShape::time;
    document_.panels.push_back({.name = std::string(row.name),
                                .title = row.title,
                                .about = row.about,
                                .shape = row.shape,
                                .step = is_time ? step_of(row.key) : 0,
                                .keys = words_of(row.keys),
                                .program = *program,
                                .rows = panels_.size() - 1,
                                .least_groups = row.needs.ends_with("several") && !is_asked ? 2 : 1,
                                .most_groups = is_time ? most_points(row) : INT64_MAX});
    return Status::ok();
  }
  // Adds a panel that reads what another program has found.
  Status add_later(const PanelRow &row) {
    document_.panels.push_back({.name = std::string(row.name),
                                .title = row.title,
                                .about = row.about,
                                .shape = row.shape,
                                .keys = words_of(row.keys)});
    return Status::ok();
  }
  static i64 most_points(const PanelRow &row) {
    return row.name == "minutes" ? kMostMinutes : kMostPoints;
  }
  // Returns the seconds of a bucket; 0: they vary.
  static i64 step_of(std::string_view key) {
    if (key.starts_with("TIME:minute")) return 60;
    if (key.starts_with("TIME:hour")) return 3600;
    return key.starts_with("TIME:day") ? 86400 : 0;
  }

  PanelJob job_of(const PanelRow &row) const {
    PanelJob job{.key = fields_.named(row.key), .aggregates = aggregates_};
    if (*row.where != '\0') job.where = {fields_.named(row.where)};
    const std::string span = fields_.named(",first=min(TIME)+0s,last=max(TIME)+0s");
    if (row.name == "clients") job.aggregates = without_visitors();
    if (row.name == "messages") job.aggregates += ",example=first:message";
    if ((row.name == "clients" || row.name == "messages") && fields_.fit("TIME")) {
      job.aggregates += span;
    }
    if (row.name == "slow") {
      job.aggregates = fields_.named("requests=count,median=median:SPAN,p95=p95:SPAN,max=max:SPAN");
    }
    if (!row.by.empty()) order(row.by == COUNT ? count_ : std::string(row.by), &job);
    if (row.shape == PanelShape::time) {
      job.by = job.key.substr(0, job.key.find(','));
      job.top = most_points(row) + 1;
    }
    return job;
  }
  void order(const std::string &by, PanelJob *job) const {
    job->by = by;
    job->direction = Ask::Direction::descending;
    job->top = ask_.top >= 0 ? ask_.top : kMostRows;
  }
  // A client is one visitor.
  std::string without_visitors() const {
    std::string list;
    for (const std::string &item : words_of(aggregates_)) {
      if (!item.starts_with("visitors=")) list += (list.empty() ? "" : ",") + item;
    }
    return list;
  }

  // True if the records are those of a table, about which no panel of panels.inc knows more.
  bool is_table() const {
    return fields_.are_known() && !fields_.fit("web") && !fields_.fit("message");
  }
  bool shows_profile() const {
    const std::vector<std::string> names = words_of(ask_.report.panels);
    return is_table() && (names.empty() || std::ranges::find(names, kProfile) != names.end());
  }

  // Finds the fields of a table if panels of them are wanted.
  Status know_profile() {
    const bool are_wanted =
        ask_.report.panels.empty() || ask_.report.panels.find("field") != std::string::npos;
    if (!is_table() || !are_wanted) return Status::ok();
    Result<std::vector<ProfiledField>> fields = fields_to_profile(&compiled_);
    if (!fields.is_ok()) return fields.status();
    profile_ = std::move(*fields);
    for (ProfiledField &field : profile_) {  // kept kinds do not tell text from what is unknown
      const bool is_text = fields_.kind_of(field.name) == ValueKind::text;
      if (is_text && field.kind.kind == ValueKind::unknown) field.kind = {ValueKind::text};
    }
    return Status::ok();
  }
  // Returns the field whose values the panel of this name shows, or null.
  const ProfiledField *profiled(std::string_view panel) const {
    const auto is_named = [&](const ProfiledField &field) {
      return panel == kOfField + field.name;
    };
    const auto found = std::ranges::find_if(profile_, is_named);
    return found == profile_.end() ? nullptr : &*found;
  }

  Status add_profile() {
    std::string figures = profile_aggregates(profile_);
    const std::string histograms = histogram_aggregates(profile_);
    if (!histograms.empty()) figures += "," + histograms;
    const auto added = panels_.add({.aggregates = std::move(figures)});
    document_.profile = std::move(profile_);
    document_.profile_rows = panels_.size() - 1;
    return added.status();
  }
  Status add_values(const ProfiledField &field) {
    const bool is_hidden = field.kind.kind == ValueKind::address && ask_.report.anonymizes;
    PanelJob job{.key = field.written + (is_hidden ? ":/24/64" : ""), .aggregates = aggregates_};
    order(count_, &job);
    const Result<const Program *> program = panels_.add(job);
    if (!program.is_ok()) return program.status();
    document_.panels.push_back({.name = kOfField + field.name,
                                .title = field.name,
                                .keys = {field.name},
                                .program = *program,
                                .rows = panels_.size() - 1,
                                .repeats = true});
    return Status::ok();
  }

  const Ask &ask_;
  Document document_;
  Compiled &compiled_;
  const KnownFields fields_;
  Panels panels_;
  std::string aggregates_, count_;
  std::vector<ProfiledField> profile_;  // of a table
};

}  // namespace

Status make_panels(const Ask &ask, Document document, Compiled *compiled) {
  return ReportPanels(ask, std::move(document), compiled).make();
}

}  // namespace mrc
