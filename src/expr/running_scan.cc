#include "base/json_text.h"
#include "expr/computed_field.h"
#include "expr/inner/running_table.h"
#include "expr/running.h"
#include "fields/json.h"

#include <cstring>

namespace mrc {

// Takes the reports of the first pass: values that do not fit, and fields that are not there.
class RunningScan::ValuesOnly : public BadRecordSink {
 public:
  explicit ValuesOnly(BadRecordSink *bad) : bad_(bad) {}
  void take(const Chunk &, const BadRecord &) override {}
  void take_value(const Chunk &chunk, const BadField &value) override {
    if (!is_quiet_) bad_->take_value(chunk, value);
  }
  void take_field(const FieldName &name, bool is_there) override {
    if (!is_quiet_) bad_->take_field(name, is_there);
  }
  void set_quiet(bool is_quiet) { is_quiet_ = is_quiet; }

 private:
  bool is_quiet_ = false;
  BadRecordSink *const bad_;
};

void RunningInput::clear() {
  records.clear();
  begins.clear();
  keys.clear();
  for (Argument &value : values) {
    value.numbers.clear();
    value.texts.clear();
    value.marks.clear();
  }
  for (std::vector<Number> &column : times) column.clear();
  for (Places *places : {&record_places, &line_places}) places->before.clear();
  arena.clear();
  later = 0;
}

void RunningInput::drop_later() {
  const size_t own = records.size();
  const auto cut = [own](auto *column) {
    if (column->size() > own) column->resize(own);
  };
  cut(&keys);
  for (Argument &value : values) {
    cut(&value.numbers);
    cut(&value.texts);
    cut(&value.marks);
  }
  for (std::vector<Number> &column : times) cut(&column);
  later = 0;
}

RunningScan::RunningScan(const RunningFields &fields, const InputReaders &readers,
                         BadRecordSink *bad)
    : fields_(fields),
      bad_(std::make_unique<ValuesOnly>(bad)),
      places_(fields),
      scan_(fields.wanted(), readers, bad_.get()),
      readers_(readers) {
  const WantedFields wanted = fields.wanted();
  for (const FieldExpr &key : fields.keys) keys_.push_back(wanted.column(key.field));
  using Value = RunningFunction::Value;
  for (const RunningField &field : fields.fields) {
    Columns &columns = columns_.emplace_back();
    const Value value = field.function->value;
    if (value == Value::text || value == Value::both) {
      columns.text = static_cast<i64>(wanted.column(field.value.field));
      const FieldExpr *copied = field.value.computed->copied();
      columns.is_plain = copied != nullptr && copied->is_plain();
    }
    if (value == Value::number || value == Value::both) {
      columns.number = static_cast<i64>(wanted.number_column(field.value.field));
    }
    if (field.time.computed) {
      columns.time = static_cast<i64>(wanted.number_column(field.time.field));
    }
  }
}

RunningScan::~RunningScan() = default;

void RunningScan::read(const Chunk &chunk, RunningInput *input) {
  input->clear();
  input->chunk = chunk;
  input->values.resize(fields_.fields.size());
  input->times.resize(fields_.fields.size());
  const Dialect *dialect = readers_.dialect(chunk.source);
  is_json_ =
      dialect != nullptr && (dialect->format->paths || dialect->format == &LineFormat::row_objects);
  places_.begin(chunk, dialect == nullptr ? '\n' : dialect->terminator);
  scan_.each(chunk, [&] {
    places_.add(*scan_.batch(), input);
    take_batch(input);
    return true;
  });
  places_.end(input);
}

void RunningScan::read_later(const Chunk &chunk, i64 records, RunningInput *input) {
  input->drop_later();
  const size_t own = input->records.size();
  bad_->set_quiet(true);
  scan_.each(chunk, [&] {
    take_batch(input);
    return std::ssize(input->records) - static_cast<i64>(own) < records;
  });
  bad_->set_quiet(false);
  input->later = std::ssize(input->records) - static_cast<i64>(own);
  input->records.resize(own);
  input->begins.resize(own);
}

namespace {

// Copies a value that does not lie in the chunk.
Bytes kept(Bytes value, Bytes chunk, Arena *arena) {
  if (value.data() == nullptr) return value;
  const bool is_there = value.data() > chunk.data() && value.data() <= chunk.data() + chunk.size();
  if (is_there) return value;
  char *copy = reinterpret_cast<char *>(arena->alloc(std::ssize(value) + kPadding));
  std::memcpy(copy, value.data(), value.size());
  return {copy, value.size()};
}

Number kept(Number number, Arena *arena) {
  if (!is_number(number)) return kNoNumber;
  return is_narrow(number) ? number : keep_wide(wide_number(number), arena);
}

}  // namespace

Bytes RunningScan::key_of(const SelectedRecords &batch, size_t record, RunningInput *input) {
  key_.clear();
  for (const size_t column : keys_) {
    const Bytes part = batch.column(column)[record];
    const i64 size = std::ssize(part);  // a missing value is an empty one, as in keys
    key_.append(reinterpret_cast<const char *>(&size), sizeof size);
    key_.append(part);
  }
  const bool is_same = !input->keys.empty() && input->keys.back() == key_;
  return is_same ? input->keys.back() : input->arena.copy(key_);
}

namespace {

// True if JSON writes such a value in quotes.
bool is_quoted(const FieldKind &kind, Bytes value) {
  switch (kind.kind) {
    case ValueKind::number:
    case ValueKind::truth:
    case ValueKind::structure: return false;
    case ValueKind::unknown: return !is_json_number(value);
    default: return true;
  }
}

}  // namespace

void RunningScan::take_text(size_t field, Bytes text, RunningInput *input) {
  RunningInput::Argument *values = &input->values[field];
  const bool tells = is_json_ && columns_[field].is_plain && text.data() != nullptr;
  const bool quoted =
      tells ? is_json_string(text) : is_quoted(fields_.fields[field].value.computed->kind(), text);
  values->texts.push_back(kept(text, input->chunk.bytes, &input->arena));
  values->marks.push_back(quoted ? '"' : ' ');
}

void RunningScan::take_batch(RunningInput *input) {
  const SelectedRecords &batch = *scan_.batch();
  for (i64 k = 0; k < batch.selected; ++k) {
    const size_t i = batch.selection[static_cast<size_t>(k)];
    input->records.push_back(batch.records[i]);
    input->begins.push_back(batch.begin_of(i));
    if (!keys_.empty()) input->keys.push_back(key_of(batch, i, input));
  }
  for (size_t f = 0; f < columns_.size(); ++f) {
    const Columns &columns = columns_[f];
    for (i64 k = 0; k < batch.selected; ++k) {
      const size_t i = batch.selection[static_cast<size_t>(k)];
      if (columns.text >= 0) {
        take_text(f, batch.column(static_cast<size_t>(columns.text))[i], input);
      }
      if (columns.number >= 0) {
        const Number number = batch.numbers[static_cast<size_t>(columns.number)][i];
        input->values[f].numbers.push_back(kept(number, &input->arena));
      }
      if (columns.time >= 0) {
        const Number number = batch.numbers[static_cast<size_t>(columns.time)][i];
        input->times[f].push_back(kept(number, &input->arena));
      }
    }
  }
}

}  // namespace mrc
