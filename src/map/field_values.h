// map: fields of records as words, which reducers and jobs of plugins read.
#pragma once

#include "expr/record_scan.h"
#include "mrc_plugin.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Returns the bucket of a value, or a null string if the value is not of the bucket's kind. Valid
// until *text changes, and padded for over-reads. REQUIRES: the expression has a bucket
Bytes bucketed(const FieldExpr &expr, Bytes value, std::string *text);

// Makes rows of words of the values in a batch, a column at a time. Each worker has its own.
class FieldValues {
 public:
  // REQUIRES: `wanted` has the fields of the columns, and the batch is that of a scan of `wanted`;
  // batch and `bad` outlive this
  FieldValues(std::span<const ValueColumn> columns, const WantedFields &wanted,
              SelectedRecords *batch, BadRecordSink *bad);

  // Returns how many bytes the values of one record take here, words and texts.
  static i64 bytes_of(std::span<const ValueColumn> columns) {
    return std::ssize(columns) * i64{sizeof(u64) + sizeof(mrc_text)};
  }

  // Makes the words of the selected records. A malformed value is reported and counts as missing.
  void fill(const Chunk &chunk);
  // The words of the selected records: rows of width(), in the order of the columns. Texts live as
  // long as the batch.
  const u64 *rows() const { return rows_.data(); }
  size_t width() const { return values_.size(); }
  // Copies the row of a selected record.
  MRC_INLINE void copy(size_t selected, u64 *to) const {
    const u64 *from = rows_.data() + selected * values_.size();
    for (size_t i = 0; i < values_.size(); ++i) to[i] = from[i];
  }

 private:
  struct Values {
    ValueColumn column;
    size_t field;                 // column in the batch; for computed values, in its numbers
    std::string not_a_number;     // message for a value that is not a number
    std::string not_of_kind;      // message for a value that its bucket refuses
    std::vector<mrc_text> texts;  // of long texts, by selected record; only for values of kind text
    size_t place = 0;             // index of the column
  };

  void fill(const Chunk &chunk, Values *values);
  void fill_positions(const Chunk &chunk, const Values &values);
  void fill_numbers(const Chunk &chunk, const Values &values);
  void take_computed_numbers(const Chunk &chunk, const Values &values);
  void forget_bad_numbers(const Chunk &chunk, const Values &values);
  void convert_numbers(const Values &values);
  void fill_texts(const Chunk &chunk, Values *values);
  void take_bad_value(const Chunk &chunk, const Values &values, size_t record);
  Bytes kept(Bytes text);
  // Calls each(record index, its word in the column) for the selected records.
  template <typename Each>
  MRC_INLINE void for_selected(const Values &values, Each each) {
    const size_t width = values_.size(), selected = static_cast<size_t>(batch_.selected);
    u64 *word = rows_.data() + values.place;
    for (size_t k = 0; k < selected; ++k, word += width) each(size_t{batch_.selection[k]}, word);
  }

  SelectedRecords &batch_;
  BadRecordSink *bad_;
  std::vector<Values> values_;
  std::vector<u64> rows_;
  std::string text_;  // the bucket of one value
};

}  // namespace mrc
