// Notes about the formats of inputs, and the lines that --explain prints about them.
#include "base/setting_name.h"
#include "engine/inner/input_formats.h"
#include "fields/spread.h"
#include "fields/wrapper.h"
#include "join/changed_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mrc {
namespace {

// Notes fields that cannot be compared, since the other input does not have them.
void note_lone_fields(const Join &join, Plan *plan) {
  for (const Side side : {kLeft, kRight}) {
    const std::vector<std::string> names = lone_fields(join, side);
    const size_t source = side == kLeft ? 0 : static_cast<size_t>(join.spec.left_sources);
    if (names.empty() || source >= plan->sources.size()) continue;
    plan->notes.push_back(fmt::format("{}: only this input has {}, so it is not compared",
                                      plan->sources[source].name(), fmt::join(names, ", ")));
  }
}

// Notes an input whose records have other columns than the header that is printed.
void note_other_columns(Plan *plan) {
  const i64 first = plan->readers->first_with_header();
  for (i64 i = 0; first >= 0 && i < std::ssize(plan->sources); ++i) {
    const Dialect *dialect = plan->readers->dialect(i),
                  *with_header = plan->readers->dialect(first);
    if (dialect == nullptr || !has_other_columns(*dialect, *with_header)) continue;
    plan->notes.push_back(
        fmt::format("{}: its columns are {}, and its records follow the header {}",
                    plan->sources[static_cast<size_t>(i)].name(), columns_text(*dialect),
                    columns_text(*with_header)));
    return;
  }
}

// Notes an input of lines, or of words, beside a table: it may be the header of another.
void note_lines_beside_table(Plan *plan) {
  const Source *table = nullptr, *lines = nullptr;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    const Dialect *dialect = plan->readers->dialect(i);
    if (dialect == nullptr || dialect->empty) continue;
    const Source *source = &plan->sources[static_cast<size_t>(i)];
    const bool is_plain =
        dialect->format == &LineFormat::lines || dialect->format == &LineFormat::fields;
    if (dialect->header) {
      table = table == nullptr ? source : table;
    } else if (is_plain && lines == nullptr) {
      lines = source;
    }
  }
  if (table == nullptr || lines == nullptr) return;
  plan->notes.push_back(
      fmt::format("{}: it is read as lines, and {} as a table; {} names one format", lines->name(),
                  table->name(), setting_name("from")));
}

void explain_dialect(const char *what, const Dialect &dialect, Plan *plan) {
  plan->decisions.push_back({what, dialect.format->name, dialect.reason});
  for (const Dialect &part : dialect.mixed) explain_dialect("mixed", part, plan);
  for (const Dialect &around : dialect.around) {
    plan->decisions.push_back({"around", around.format->name, "its lines have more fields"});
  }
  if (dialect.wrapper < 0) return;
  const AccessWrapper &wrapper = wrappers()[static_cast<size_t>(dialect.wrapper)];
  plan->decisions.push_back({"wrapper", wrapper.name, "the records are inside its lines"});
}

}  // namespace

void note_formats(bool has_header, Plan *plan) {
  const Join *join = plan->join.get();
  if (has_header) note_other_columns(plan);
  if (!has_header && join == nullptr) note_lines_beside_table(plan);
  if (join != nullptr && join->spec.kind == JoinKind::changes) note_lone_fields(*join, plan);
}

void explain_formats(const Spread &spread, Plan *plan) {
  for (const Dialect &dialect : plan->readers->dialects()) explain_dialect("format", dialect, plan);
  if (spread.is_wanted()) {
    plan->decisions.push_back({"records", "several of one", "a record for " + describe(spread)});
  }
  if (plan->streams > 0) {
    plan->decisions.push_back(
        {"format", "of streams: to be seen", "nothing is read from them before the job runs"});
  }
}

}  // namespace mrc
