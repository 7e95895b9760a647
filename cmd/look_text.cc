// Describes a look at an input.
#include "base/text.h"
#include "cmd/introduction.h"
#include "cmd/messages.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace mrc {
namespace {

using LookRow = std::array<std::string, 4>;

// Appends cells in columns that are as wide as necessary.
void append_look_rows(const std::vector<LookRow> &rows, std::string *out) {
  std::array<i64, 4> widths{};
  for (const LookRow &row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  for (const LookRow &row : rows) {
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

// Examples of 40 bytes at most.
std::string shown_examples(const FieldReport &field) {
  std::string examples;
  for (const std::string &example : field.examples) {
    if (!examples.empty()) examples += ", ";
    append_visible(Bytes(example).substr(0, 40), &examples);
    if (example.size() > 40) examples += "...";
  }
  return examples;
}

void append_first_bad(const InputReport &report, std::string *out) {
  if (report.bad == 0) return;
  std::string shown;
  append_visible(Bytes(report.first_bad).substr(0, 100), &shown);
  fmt::format_to(std::back_inserter(*out),
                 "{} of the first {} records are bad; the first: {}: {}\n", report.bad,
                 report.records + report.bad, report.reason, shown);
}

}  // namespace

void append_look(const std::string &name, const Look &look, i64 most, std::string *out) {
  const auto &[dialect, report, suggested] = look;
  auto end = std::back_inserter(*out);
  fmt::format_to(end, "{}: {} ({})\n", visible(name), dialect.format->name, dialect.reason);
  for (const Dialect &part : dialect.mixed) {
    fmt::format_to(end, "  {} ({})\n", part.format->name, part.reason);
  }
  append_first_bad(report, out);
  std::vector<LookRow> rows = {{"field", "kind", "in", "examples"}};
  for (const FieldReport &field : report.fields) {
    if (std::ssize(rows) - 1 == most) break;
    std::string written;
    append_visible(field.written, &written);
    rows.push_back({written, kind_text(field.kind), share(field.records, report.records),
                    shown_examples(field)});
  }
  append_look_rows(rows, out);
  const i64 others = std::ssize(report.fields) - (std::ssize(rows) - 1);
  if (others > 0) fmt::format_to(end, "and {} more: mrc fields {}\n", others, visible(name));
}

}  // namespace mrc
