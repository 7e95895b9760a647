#include "cmd/report/document.h"

#include "base/json_text.h"
#include "cmd/report/client_rows.h"
#include "cmd/report/row_values.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace mrc {
namespace {

// The page, with a place for the title and one for the document.
constexpr std::string_view kPage =
#include "report_page.inc"
    ;
constexpr std::string_view kTitle = "@TITLE@", kData = "@DATA@";

// Columns of a profile: name and kind, then the numbers of values.
constexpr size_t kNames = 2, kCounts = 3;

constexpr std::string_view kShapes[] = {"time", "table", "bars", "heat"};

// Columns that are amounts of bytes.
bool is_of_bytes(const std::string &name) { return name == "bytes" || name == "bytes from"; }

std::string_view kind_of(const std::string &name, const FieldKind &kind, bool is_number) {
  if (is_of_bytes(name)) return "bytes";
  switch (kind.kind) {
    case ValueKind::time: return "time";
    case ValueKind::address: return "ip";
    case ValueKind::duration: return "seconds";
    default: return is_number ? "number" : "text";
  }
}

std::string quoted(const std::string &text) {
  std::string json;
  append_json(text, &json);
  return json;
}

class Writer {
 public:
  void text(std::string_view member, const std::string &value) { raw(member, quoted(value)); }
  void raw(std::string_view member, std::string_view value) {
    begin(member);
    out_ += value;
  }
  void number(std::string_view member, i64 value) { raw(member, std::to_string(value)); }
  void open(std::string_view member, char bracket) {
    if (!member.empty())
      begin(member);
    else
      separate();
    out_.push_back(bracket);
    is_first_ = true;
  }
  void close(char bracket) {
    out_.push_back(bracket);
    is_first_ = false;
  }
  void element(std::string_view value) {
    separate();
    out_ += value;
  }
  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (!is_first_) out_.push_back(',');
    is_first_ = false;
  }
  void begin(std::string_view member) {
    separate();
    fmt::format_to(std::back_inserter(out_), "\"{}\":", member);
  }

  std::string out_;
  bool is_first_ = true;
};

// Text in a page is no markup: what could be is written as JSON escapes.
std::string escape_markup(std::string_view json) {
  std::string out;
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest[0] == '<' || rest[0] == '>' || rest[0] == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<int>(rest[0]));
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out.push_back(rest[0]);
    }
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      default: out.push_back(c);
    }
  }
  return out;
}

class DocumentWriter : public SharedAnswer {
 public:
  explicit DocumentWriter(Document document) : its_(std::move(document)) {}

  Status write(std::span<const SharedRows> rows, const Report &report,
               OutputFile *to) const override {
    std::string json = json_of(rows, report);
    if (!its_.is_page) return to->write(json + "\n");
    const size_t title = kPage.find(kTitle), data = kPage.find(kData);
    std::string page(kPage.substr(0, title));
    page += escape_html(its_.title);
    page += kPage.substr(title + kTitle.size(), data - title - kTitle.size());
    page += escape_markup(json);
    page += kPage.substr(data + kData.size());
    return to->write(page);
  }

  // The rows of all clients may take more memory than there is: only their sum is kept.
  void keep(size_t program, Bytes text, std::string *kept, std::string *handed) const override {
    kept->append(text);
    if (program == its_.clients) sum_up_clients(kept, handed);
  }

 private:
  std::string json_of(std::span<const SharedRows> rows, const Report &report) const {
    Writer out;
    out.open("", '{');
    out.text("version", MRC_VERSION);
    out.text("title", its_.title);
    out.open("inputs", '[');
    for (const std::string &input : its_.inputs) {
      out.element(quoted(input));
    }
    out.close(']');
    out.text("format", its_.format);
    out.text("zone", its_.zone);
    out.text("made", fmt::format("{:%FT%TZ}", fmt::gmtime(its_.made)));
    append_figures(rows, &out);
    out.raw("records", values_of(rows[0].text)[0]);  // the first figure
    out.number("bad_records", report.bad_records);
    out.open("notes", '[');
    if (values_of(rows[0].text)[0] == "0") out.element(quoted("There are no such records."));
    if (report.bad_records > 0) out.element(quoted(note_of_bad(report)));
    out.close(']');
    out.open("panels", '[');
    const i64 records = number_of(values_of(rows[0].text)[0]);
    const auto append_panels = [&](bool are_own) {
      for (const ShownPanel &panel : its_.panels) {
        if (panel.is_own != are_own || !is_shown(panel, rows[panel.rows], records)) continue;
        append_panel(panel, rows[panel.rows], &out);
      }
    };
    append_panels(true);
    if (!its_.profile.empty()) append_profile(rows[its_.profile_rows].text, &out);
    append_panels(false);
    out.close(']');
    out.close('}');
    return out.take();
  }

  std::string note_of_bad(const Report &report) const {
    const bool one = report.bad_records == 1;
    std::string note = fmt::format("{} record{} malformed and left out", report.bad_records,
                                   one ? " is" : "s are");
    const bool is_shown = !its_.anonymizes && !report.first_bad.empty();
    if (is_shown) note += "; the first: " + report.first_bad;
    return note;
  }

  void append_figures(std::span<const SharedRows> rows, Writer *out) const {
    std::vector<std::string_view> values = values_of(rows[0].text);
    std::string sessions;
    if (its_.sessions != SIZE_MAX) {
      const std::string &sum = rows[its_.clients].text;  // empty: there are no clients
      sessions = sum.empty() ? "0" : std::to_string(number_of(values_of(sum).back()));
      values[its_.sessions] = sessions;
    }
    const size_t count = its_.figures.size();
    out->raw("from", its_.has_times ? values[count] : "null");
    out->raw("to", its_.has_times ? values[count + 1] : "null");
    out->open("figures", '[');
    for (size_t i = 0; i < count; ++i) {
      out->open("", '{');
      out->text("name", its_.figures[i].title);
      out->raw("value", for_script(values[i]));
      out->text("kind", its_.figures[i].kind);
      out->close('}');
    }
    out->close(']');
  }

  void append_profile(std::string_view row, Writer *out) const {
    begin_panel("fields", "Fields", "", "profile", out);
    const std::vector<std::string> columns = profile_columns();
    for (size_t i = 0; i < columns.size(); ++i) {
      const bool counts = i >= kNames && i < kNames + kCounts;
      append_column(columns[i], counts ? "number" : "text", false, out);
    }
    out->close(']');
    out->number("keys", 1);
    out->open("rows", '[');
    const std::vector<std::string_view> values = values_of(row);
    auto figures = profile_figures(its_.profile, values, "null");
    for (size_t i = 0; i < its_.profile.size(); ++i) {
      const ProfiledField &field = its_.profile[i];
      const bool is_hidden = its_.anonymizes && field.kind.kind == ValueKind::address;
      if (is_hidden) std::fill(figures[i].begin() + kCounts, figures[i].end(), "null");
      out->open("", '[');
      out->element(quoted(field.name));
      out->element(quoted(kind_text(field.kind)));
      for (const std::string_view figure : figures[i]) out->element(for_script(figure));
      out->close(']');
    }
    out->close(']');
    append_histograms(values, out);
    out->number("groups", std::ssize(its_.profile));
    out->close('}');
  }

  // Writes the bins of each field, or null. `values`: those of the profile, which histograms end.
  void append_histograms(std::span<const std::string_view> values, Writer *out) const {
    values = values.last(static_cast<size_t>(std::ranges::count_if(its_.profile, has_histogram)));
    out->open("histograms", '[');
    for (const ProfiledField &field : its_.profile) {
      const bool is_there = has_histogram(field);
      out->element(is_there ? for_script(values[0]) : "null");
      if (is_there) values = values.subspan(1);
    }
    out->close(']');
  }

  // Writes the members of a panel up to its columns, which are open then.
  static void begin_panel(const std::string &name, const std::string &title,
                          const std::string &about, std::string_view shape, Writer *out) {
    out->open("", '{');
    out->text("name", name);
    out->text("title", title);
    out->text("about", about);
    out->text("shape", std::string(shape));
    out->open("columns", '[');
  }

  static bool is_shown(const ShownPanel &panel, const SharedRows &rows, i64 records) {
    if (panel.repeats && rows.groups >= records) return false;
    return rows.groups >= panel.least_groups && rows.groups <= panel.most_groups;
  }
  static void append_panel(const ShownPanel &panel, const SharedRows &rows, Writer *out) {
    begin_panel(panel.name, panel.title, panel.about, kShapes[static_cast<size_t>(panel.shape)],
                out);
    const std::vector<KeyPart> &parts = panel.program->shape.key.parts;
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool is_time = panel.shape == PanelShape::time && i == 0;
      append_column(panel.keys[i],
                    is_time ? "time" : kind_of(panel.keys[i], parts[i].kind, parts[i].number),
                    false, out);
    }
    const std::vector<Column> &columns = panel.program->aggregation.columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      const Column &column = columns[i];
      const bool is_time = column.name == "first" || column.name == "last";
      append_column(column.name, is_time ? "time" : kind_of(column.name, column.kind, !column.text),
                    panel.is_own ? adds_up(panel, i) : i == 0 || is_of_bytes(column.name), out);
    }
    out->close(']');
    out->number("keys", std::ssize(parts));
    if (panel.step > 0) out->number("step", panel.step);
    out->open("rows", '[');
    std::string_view text = rows.text;
    for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
      append_row(text.substr(0, end), out);
    }
    out->close(']');
    out->number("groups", rows.groups);
    out->close('}');
  }
  static bool adds_up(const ShownPanel &panel, size_t column) {
    const size_t columns = panel.program->aggregation.columns.size();
    return panel.adds.size() == columns && panel.adds[column];
  }
  static void append_row(std::string_view row, Writer *out) {
    out->open("", '[');
    for (const std::string_view value : values_of(row)) out->element(for_script(value));
    out->close(']');
  }

  // `adds`: the values of several rows make sense as a sum.
  static void append_column(const std::string &name, std::string_view kind, bool adds,
                            Writer *out) {
    out->open("", '{');
    out->text("name", name);
    out->text("kind", std::string(kind));
    out->raw("sum", adds ? "true" : "false");
    out->close('}');
  }

  const Document its_;
};

}  // namespace

std::shared_ptr<const SharedAnswer> make_document(Document document) {
  return std::make_shared<DocumentWriter>(std::move(document));
}

}  // namespace mrc
