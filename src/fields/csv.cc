#include "fields/csv.h"

#include "base/name_index.h"
#include "base/text.h"
#include "fields/inner/csv_records.h"
#include "fields/inner/projection.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

class CsvReader : public RecordReader {
 public:
  // `wanted` has the numbers of fields from 1, and 0 for the record.
  CsvReader(const Dialect &dialect, std::vector<i64> wanted)
      : bytes_(csv_bytes(dialect)),
        header_(dialect.header),
        most_(dialect.names.empty() ? dialect.most_fields : std::ssize(dialect.names)),
        wanted_(std::move(wanted)) {
    const char *others = dialect.names.empty() ? "the first records have" : "the header has";
    for (i64 fields = most_ + 1; most_ > 0 && fields < most_ + kCounted; ++fields) {
      too_many_.push_back(fmt::format("{} fields, {} {}", fields, others, most_));
    }
    too_many_.push_back(
        fmt::format("more than {} fields, {} {}", most_ + kCounted - 1, others, most_));
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override;

 private:
  static constexpr i64 kCounted = 100;  // excess fields up to which a message gives their number

  void put(const CsvRecord &record, RecordBatch *batch) const;
  const char *too_many(i64 fields) const {
    const i64 last = std::ssize(too_many_) - 1;
    return too_many_[static_cast<size_t>(std::min(fields - most_ - 1, last))].c_str();
  }

  CsvBytes bytes_;
  bool header_;
  i64 most_;  // 0: no limit
  std::vector<i64> wanted_;
  std::vector<std::string> too_many_;
};

void CsvReader::read(const Chunk &chunk, const char **next, RecordBatch *batch) const {
  batch->set_columns(wanted_.size());
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  Bytes text(*next, static_cast<size_t>(end - *next));
  const bool first = chunk.offset == 0 && *next == chunk.bytes.data();
  if (first) text = without_byte_order_mark(text);
  CsvRecords records(text, bytes_, batch->capacity + 1);
  CsvRecord record;
  if (first && header_) records.next(&record);
  while (batch->size < batch->capacity) {
    const CsvRecords::Next found = records.next(&record);
    if (found == CsvRecords::Next::none) break;
    if (found == CsvRecords::Next::unclosed) {
      batch->bad.push_back({record.text, "no closing quote"});
    } else if (most_ > 0 && record.fields > most_) {
      batch->bad.push_back({record.text, too_many(record.fields)});
    } else {
      put(record, batch);
    }
  }
  *next = records.position();
}

void CsvReader::put(const CsvRecord &record, RecordBatch *batch) const {
  const size_t row = static_cast<size_t>(batch->size++);
  batch->records[row] = record.text;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const i64 number = wanted_[i];
    Bytes value;
    if (number == 0) {
      value = record.text;
    } else if (number <= record.fields) {
      value = csv_value(record.raw(number - 1), &batch->unescaped);
    }
    batch->fields[i][row] = value;
  }
}

Result<i64> number_of(const Dialect &dialect, const NameIndex &known, const FieldName &field) {
  const i64 names = std::ssize(dialect.names);
  if (field.number >= 0) {
    if (names == 0 || field.number <= names) return field.number;
    return unknown_field(dialect, field, names);
  }
  const i64 found = known.find(field.text);
  return found < 0 ? Result<i64>(unknown_field(dialect, field, names)) : found + 1;
}

}  // namespace

CsvBytes csv_bytes(const Dialect &dialect) {
  return {dialect.delimiter.value_or(dialect.format->delimiter), dialect.terminator};
}

Result<std::unique_ptr<RecordReader>> make_csv_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted) {
  if (!can_separate(csv_bytes(dialect))) {
    return Status::error("fields of CSV are not separated by a quote or by a line end");
  }
  const NameIndex names(dialect.names);
  std::vector<i64> numbers;
  for (const FieldName &field : wanted) {
    Result<i64> number = number_of(dialect, names, field);
    if (!number.is_ok()) return number.status();
    numbers.push_back(*number);
  }
  return std::make_unique<CsvReader>(dialect, std::move(numbers));
}

}  // namespace mrc
