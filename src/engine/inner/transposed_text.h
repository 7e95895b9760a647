// Rows of records as columns.
#pragma once

#include "base/pages.h"
#include "output/output.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Receives rows of cells, each of which has its size before it, in place of the answer: the names
// of the columns, then the records. Cells are as they are in the format of the answer, except that
// the first cell of a row has no quotes in JSON, because its text becomes a name. When all rows are
// there, it writes them as columns.
class TransposedText : public OutputTarget {
 public:
  // `memory`: bytes that all rows may take. More are an error.
  TransposedText(std::unique_ptr<OutputFile> answer, const RowShape &shape, i64 columns, i64 memory)
      : answer_(std::move(answer)), shape_(shape), columns_(columns), memory_(memory) {}

  Status write(Bytes bytes) override;
  bool reader_left() override { return answer_->reader_left(); }
  // Writes the columns, and commits the answer.
  Status finish();
  bool abandoned() const { return answer_->abandoned(); }

 private:
  void find_rows();
  Status check_size() const;
  Status write_columns();
  void append_cells(std::string *out);
  void append_objects(std::string *out);
  Bytes take_cell(size_t row);
  Status write_if_full(std::string *out);

  const std::unique_ptr<OutputFile> answer_;
  const RowShape &shape_;
  const i64 columns_;
  const i64 memory_;
  Pages text_;
  i64 size_ = 0;             // bytes of all rows, of which text_ has none if they are too many
  std::vector<Bytes> rows_;  // the cells of each row that are left
  std::vector<std::string> labels_;  // in JSON, of each row
};

}  // namespace mrc
