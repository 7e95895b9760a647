// A batch of records is read first, and then the lines that they are in.
#include "fields/inner/surrounded.h"

#include "fields/recognize.h"
#include "fields/sampled_kind.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

bool is_name(const FieldName &field) { return field.number == -1; }

// A field of the lines around the records.
struct AroundField {
  size_t column;   // of the batch of records
  bool is_alone;   // the records have no such field
  bool is_string;  // its values become strings of JSON: see is_json_string()
};

// Copies a value, with a quote before it.
Bytes copy_as_json_string(Bytes value, Arena *arena) {
  char *copy = reinterpret_cast<char *>(arena->alloc(std::ssize(value) + 1 + kPadding));
  *copy++ = '"';
  std::memset(std::ranges::copy(value, copy).out, 0, kPadding);
  return {copy, value.size()};
}

class SurroundedReader : public RecordReader {
 public:
  SurroundedReader(std::unique_ptr<RecordReader> records, std::unique_ptr<RecordReader> lines,
                   std::vector<AroundField> fields)
      : records_(std::move(records)), lines_(std::move(lines)), fields_(std::move(fields)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    const char *begin = *next;
    records_->read(chunk, next, batch);
    for (const AroundField &field : fields_) {
      if (field.is_alone) std::fill_n(batch->fields[field.column].data(), batch->size, Bytes());
    }
    Chunk part = chunk;
    part.bytes = Bytes(begin, static_cast<size_t>(*next - begin));
    part.offset += begin - chunk.bytes.data();
    const auto lines = std::make_unique<RecordBatch>();
    i64 record = 0;
    for (const char *at = begin; at < *next && record < batch->size;) {
      lines->clear();
      lines_->read(part, &at, lines.get());
      for (size_t i = 0; i < static_cast<size_t>(lines->size); ++i) {
        record = take_line(*lines, i, record, batch);
      }
      batch->unescaped.adopt(&lines->unescaped);
    }
  }

 private:
  // Puts the fields of a line into its record, which is `record` or a later one. Returns the number
  // of the next record.
  i64 take_line(const RecordBatch &lines, size_t line, i64 record, RecordBatch *batch) const {
    const Bytes text = lines.records[line];
    const char *end = text.data() + text.size();
    const auto begin_of = [&](i64 i) { return batch->records[static_cast<size_t>(i)].data(); };
    while (record < batch->size && begin_of(record) < text.data()) ++record;
    if (record == batch->size || begin_of(record) > end) return record;
    for (size_t i = 0; i < fields_.size(); ++i) {
      Bytes &value = batch->fields[fields_[i].column][static_cast<size_t>(record)];
      const Bytes around = lines.fields[i][line];
      if (!value.empty() || around.data() == nullptr) continue;
      value = fields_[i].is_string ? copy_as_json_string(around, &batch->unescaped) : around;
    }
    return record + 1;
  }

  const std::unique_ptr<RecordReader> records_, lines_;
  const std::vector<AroundField> fields_;
};

// True if values of the field in the lines have to become strings among the members of JSON.
bool becomes_string(const Dialect &records, const Dialect &lines, const FieldName &field) {
  const ValueKind kind = kind_in_format(lines, field).kind;
  return records.format->paths && !lines.format->paths && kind != ValueKind::number;
}

}  // namespace

bool has_field(const Dialect &dialect, Bytes name) {
  return has_name(dialect.names, name) ||
         (!dialect.around.empty() && has_field(dialect.around[0], name));
}

// If only fields of the lines are wanted, the records inside them are not read.
Result<std::unique_ptr<RecordReader>> make_surrounded_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted) {
  const Dialect around = std::move(dialect.around[0]);
  dialect.around.clear();
  std::vector<FieldName> of_records(wanted.begin(), wanted.end()), of_lines;
  std::vector<AroundField> fields;
  for (size_t i = 0; i < of_records.size(); ++i) {
    FieldName &name = of_records[i];
    if (!is_name(name) || !has_field(around, name.text)) continue;
    fields.push_back(
        {i, !has_name(dialect.names, name.text), becomes_string(dialect, around, name)});
    of_lines.push_back(name);
    if (fields.back().is_alone) name = {.text = "", .number = 0};
  }
  if (fields.empty()) return make_reader(dialect, wanted);
  const bool are_all =
      std::ranges::all_of(of_records, [](const FieldName &name) { return name.number == 0; });
  if (are_all) return make_reader(around, wanted);
  Result<std::unique_ptr<RecordReader>> records = make_reader(dialect, of_records);
  if (!records.is_ok()) return records;
  Result<std::unique_ptr<RecordReader>> lines = make_reader(around, of_lines);
  if (!lines.is_ok()) return lines;
  return std::unique_ptr<RecordReader>(std::make_unique<SurroundedReader>(
      std::move(*records), std::move(*lines), std::move(fields)));
}

}  // namespace mrc
