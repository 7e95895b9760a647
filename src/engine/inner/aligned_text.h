// Text of records as a table, in which the cells of a column are aligned.
#pragma once

#include "engine/engine.h"
#include "output/output.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct Program;

// True if the program prints records in the order in which they come, and in a format whose columns
// depend on all of them.
bool aligns_text(const Program &program);

// Receives rows as text, whose cells end in tabs and line feeds, in place of the answer. When all
// rows are there, it writes them to the answer as a table for terminals or for Markdown.
class AlignedText : public OutputTarget {
 public:
  // `memory`: bytes of text that may stay in memory. The rest is in a temporary file.
  AlignedText(std::unique_ptr<OutputFile> answer, const RowShape &shape, i64 memory,
              const std::string &tmpdir);

  Status write(Bytes bytes) override { return text_.write(bytes); }
  bool reader_left() override { return answer_->reader_left(); }
  // Measures all rows, writes them, and commits the answer.
  Status finish();
  bool abandoned() const { return answer_->abandoned(); }

 private:
  // The width of the cells, and what they are. Empty ones are neither.
  struct Column {
    i64 width = 0;
    bool has_numbers = false, has_text = false;
    bool is_right() const { return has_numbers && !has_text; }
  };
  // Calls take(row) for each row, without its end.
  template <typename Take>
  Status each_row(Take take) const;
  void measure(Bytes row);
  Status write_row(Bytes row, std::string *out);
  void append_table_row(Bytes row, bool is_header, std::string *out) const;
  void append_markdown_row(Bytes row, bool is_header, std::string *out) const;

  const std::unique_ptr<OutputFile> answer_;
  const RowShape &shape_;
  StageRecords text_;
  std::vector<Column> columns_;
  i64 measured_ = 0, written_ = 0;  // rows, with the header
};

}  // namespace mrc
