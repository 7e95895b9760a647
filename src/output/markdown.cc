// Tables for Markdown (GitHub Flavored Markdown 4.10). Cells are not padded, so that rows need no
// measuring. Text is escaped, so that Markdown shows it unchanged.
#include "output/inner/columns.h"

namespace mrc {
namespace {

class MarkdownFormatter : public ColumnFormatter {
 public:
  using ColumnFormatter::ColumnFormatter;

  void header(std::string *out) const override {
    if (!shape().header) return;
    std::string alignments;
    auto add = [&](Bytes name, bool number) {
      append_cell_text(name, out);
      alignments.append(number ? "| ---: " : "| :--- ");
    };
    for (i64 i = 0; i < parts(); ++i) add(part(i).name, part(i).number);
    for (i64 i = 0; i < columns(); ++i) add(column(i).name, !column(i).text);
    out->append("|\n").append(alignments).append("|\n");
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const ShownRow &row) {
      each_part(row, [&](i64, Bytes value) { append_cell_text(value, out); });
      for (i64 i = 0; i < columns(); ++i) {
        out->append("| ");
        append_cell(i, row, append_markdown, out);
        out->push_back(' ');
      }
      out->append("|\n");
    });
  }

 private:
  static void append_cell_text(Bytes text, std::string *out) {
    out->append("| ");
    append_markdown(text, out);
    out->push_back(' ');
  }
};

}  // namespace

constinit const OutputFormat OutputFormat::markdown = {
    .name = "markdown",
    .make = make_columns<MarkdownFormatter>,
    .header = true,
    .for_people = true,
};

}  // namespace mrc
