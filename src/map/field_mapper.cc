// Records with fields become keys and values, a batch at a time, in passes that each do
// one thing: the reader cuts fields, the filter selects records, each column of values is
// parsed, keys are composed, and what is left is emitted. Everything points into the
// chunk or into buffers of the batch, and nothing is allocated for a record.
#include "map/field_mapper.h"

#include "base/number.h"
#include "fields/input_readers.h"
#include "map/emitter.h"
#include "map/separated_mapper.h"
#include "mrc_plugin.h"

#include <algorithm>
#include <limits>
#include <string>

namespace mrc {
namespace {

// What is wrong with a value that does not fit.
std::string reason_of(const ValueColumn &column) {
  const std::string reason = not_a_number(column.expr);
  const size_t name = reason.size() - std::string_view("a number").size();
  return column.kind == ValueColumn::Kind::integer ? reason.substr(0, name) + "an integer" : reason;
}

constexpr i64 kCapacity = RecordBatch::kCapacity;
static_assert(kCapacity <= Batch<Key16>::kCapacity, "a batch of records is one of keys at most");

// Whether there is nothing that could be of the wrong kind.
bool is_missing(Bytes value) { return value.empty() || value == "-"; }

// Numbers as the plugin interface has them. What is missing is an integer as well.
bool is_plain_integer(Number number) { return is_narrow(number) && scale_of(number) == 0; }
bool is_integer(Number number) {
  if (is_plain_integer(number) || !is_number(number)) [[likely]]
    return true;
  __int128 digits;
  i64 scale;
  if (!to_decimal(number, &digits, &scale) || digits % power_of_ten(scale) != 0) return false;
  digits /= power_of_ten(scale);
  return digits > INT64_MIN && digits <= INT64_MAX;
}
u64 integer_word(Number number) {
  if (is_plain_integer(number)) [[likely]]
    return static_cast<u64>(digits_of(number));
  __int128 digits = 0;
  i64 scale = 0;
  if (!is_number(number) || !to_decimal(number, &digits, &scale)) {
    return static_cast<u64>(MRC_NO_INTEGER);
  }
  return static_cast<u64>(digits / power_of_ten(scale));
}
u64 real_word(Number number) {
  return mrc_real_word(is_number(number) ? to_double(number)
                                         : std::numeric_limits<double>::quiet_NaN());
}

template <Fold fold>
class FieldMapper : public Mapper {
 public:
  FieldMapper(const FieldsSpec &spec, const InputReaders &readers, BadRecordSink *bad);

  i64 map(const Chunk &chunk, Emitter *out) override;

 private:
  struct Values {
    ValueColumn column;
    size_t field;                 // of the batch
    std::string not_a_number;     // what is wrong with a bad value,
    std::string not_of_kind;      // ... if that is a matter of its bucket
    std::vector<u64> words;       // by record
    std::vector<mrc_text> texts;  // that are too long for a word
  };
  struct Key {
    FieldExpr expr;
    KeyPart part;
    size_t field;
    std::string not_of_kind;  // the reason for bad records
  };

  void select();
  void fill(const Chunk &chunk, Values *values);
  void fill_numbers(const Chunk &chunk, Values *values);
  void forget_bad_numbers(const Chunk &chunk, Values *values);
  void convert_numbers(Values *values);
  void fill_texts(const Chunk &chunk, Values *values);
  void compose_keys(const Chunk &chunk);
  bool append_key(const Key &key, size_t record);
  void take_bad_value(const Chunk &chunk, const Values &values, size_t record);
  void emit(Emitter *out);
  Bytes bucketed(const FieldExpr &expr, Bytes value);
  Bytes kept(Bytes text);

  const FieldsSpec spec_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  std::vector<Key> keys_;
  std::vector<Values> values_;
  bool plain_keys_;
  std::unique_ptr<SeparatedMapper<fold>> separated_;  // null: the job is not so simple
  RecordBatch batch_;
  i64 selected_ = 0;
  std::array<u16, kCapacity> selection_;  // numbers of records
  RecordBatch::Column composed_;          // keys
  std::string bytes_;                     // of keys that are composed
  std::array<size_t, kCapacity> ends_;    // of them in bytes_
  std::string text_;                      // of one bucket
};

template <Fold fold>
FieldMapper<fold>::FieldMapper(const FieldsSpec &spec, const InputReaders &readers,
                               BadRecordSink *bad)
    : spec_(spec),
      readers_(readers),
      bad_(bad),
      separated_(SeparatedMapper<fold>::make(spec, bad)) {
  const std::vector<FieldName> wanted = spec.wanted();
  batch_.fields.resize(wanted.size());
  const KeyShape shape = spec.key_shape();
  plain_keys_ = shape.is_plain() && !spec.keys[0].bucket;
  for (size_t i = 0; i < spec.keys.size(); ++i) {
    keys_.push_back({spec.keys[i], shape.parts[i], find_field(wanted, spec.keys[i].field),
                     not_of_kind(spec.keys[i])});
  }
  for (const ValueColumn &column : spec.values) {
    values_.push_back({column,
                       find_field(wanted, column.expr.field),
                       reason_of(column),
                       not_of_kind(column.expr),
                       std::vector<u64>(kCapacity),
                       {}});
    if (column.kind == ValueColumn::Kind::text) values_.back().texts.resize(kCapacity);
  }
}

template <Fold fold>
i64 FieldMapper<fold>::map(const Chunk &chunk, Emitter *out) {
  const RecordReader *reader = readers_.of(chunk.source);
  if (reader == nullptr) return 0;
  if (separated_ != nullptr) {
    if (const SeparatedFields *how = reader->separated()) return separated_->map(chunk, *how, out);
  }
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  i64 records = 0;
  while (next < end) {
    batch_.clear();
    reader->read(chunk, &next, &batch_);
    for (const BadRecord &bad : batch_.bad) bad_->take(chunk, bad);
    records += batch_.size + std::ssize(batch_.bad);
    select();
    if (!plain_keys_) compose_keys(chunk);
    for (Values &values : values_) fill(chunk, &values);
    bad_->count_used(selected_);
    emit(out);
    out->flush();
  }
  return records;
}

template <Fold fold>
void FieldMapper<fold>::select() {
  selected_ = 0;
  if (!spec_.filter) {
    for (; selected_ < batch_.size; ++selected_) {
      selection_[static_cast<size_t>(selected_)] = static_cast<u16>(selected_);
    }
    return;
  }
  const Filter::Selection wanted = spec_.filter->select(batch_, spec_.first_of_filter());
  for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
    selection_[static_cast<size_t>(selected_)] = static_cast<u16>(i);
    selected_ += wanted[i];
  }
}

template <Fold fold>
void FieldMapper<fold>::fill(const Chunk &chunk, Values *values) {
  switch (values->column.kind) {
    case ValueColumn::Kind::number:
    case ValueColumn::Kind::integer:
    case ValueColumn::Kind::real: return fill_numbers(chunk, values);
    case ValueColumn::Kind::text: return fill_texts(chunk, values);
    case ValueColumn::Kind::position: break;
  }
  const u64 start = position_of(chunk.source, chunk.offset);
  for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
    values->words[i] = start + static_cast<u64>(batch_.records[i].data() - chunk.bytes.data());
  }
}

// A number that cannot be read counts as missing.
template <Fold fold>
void FieldMapper<fold>::fill_numbers(const Chunk &chunk, Values *values) {
  const RecordBatch::Column &column = batch_.fields[values->field];
  const bool plain = values->column.expr.bucket == nullptr;
  const ValueColumn::Kind kind = values->column.kind;
  bool any_bad = false;
  for (i64 k = 0; k < selected_; ++k) {
    const size_t i = selection_[static_cast<size_t>(k)];
    const Bytes text = plain ? column[i] : bucketed(values->column.expr, column[i]);
    u64 *word = &values->words[i];
    *word = parse_number(text, &batch_.unescaped);
    const bool refused = text.data() == nullptr && !is_missing(column[i]);
    if (refused || (kind == ValueColumn::Kind::integer && !is_integer(*word))) *word = kBadNumber;
    any_bad |= *word == kBadNumber;
  }
  if (any_bad) forget_bad_numbers(chunk, values);
  if (kind != ValueColumn::Kind::number) convert_numbers(values);
}

template <Fold fold>
void FieldMapper<fold>::forget_bad_numbers(const Chunk &chunk, Values *values) {
  for (i64 k = 0; k < selected_; ++k) {
    const size_t i = selection_[static_cast<size_t>(k)];
    if (values->words[i] != kBadNumber) continue;
    take_bad_value(chunk, *values, i);
    values->words[i] = kNoNumber;
  }
}

// For reducers that know plain integers or doubles only.
template <Fold fold>
void FieldMapper<fold>::convert_numbers(Values *values) {
  const bool integers = values->column.kind == ValueColumn::Kind::integer;
  for (i64 k = 0; k < selected_; ++k) {
    u64 *word = &values->words[selection_[static_cast<size_t>(k)]];
    *word = integers ? integer_word(*word) : real_word(*word);
  }
}

template <Fold fold>
void FieldMapper<fold>::fill_texts(const Chunk &chunk, Values *values) {
  const RecordBatch::Column &column = batch_.fields[values->field];
  const bool plain = values->column.expr.bucket == nullptr;
  for (i64 k = 0; k < selected_; ++k) {
    const size_t i = selection_[static_cast<size_t>(k)];
    Bytes text = column[i];
    if (!plain && text.data() != nullptr) {
      text = kept(bucketed(values->column.expr, text));
      if (text.data() == nullptr && !is_missing(column[i])) take_bad_value(chunk, *values, i);
    }
    values->texts[i] = {text.data(), text.size()};
    values->words[i] = mrc_text_word(&values->texts[i]);
  }
}

// A copy that lives as long as the batch, and may be over-read.
template <Fold fold>
Bytes FieldMapper<fold>::kept(Bytes text) {
  if (text.data() == nullptr) return {};
  char *copy =
      reinterpret_cast<char *>(batch_.unescaped.alloc(static_cast<i64>(text.size()) + kPadding));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

// The bucket that a value falls into; nothing if it is of another kind. Valid until the
// next call.
template <Fold fold>
Bytes FieldMapper<fold>::bucketed(const FieldExpr &expr, Bytes value) {
  text_.clear();
  if (value.data() == nullptr || !expr.bucket->append(value, &text_)) return {};
  text_.reserve(text_.size() + kPadding);
  return text_;
}

// A value of another kind than its bucket makes the record a bad one: it has no group.
template <Fold fold>
void FieldMapper<fold>::compose_keys(const Chunk &chunk) {
  bytes_.clear();
  i64 kept = 0;
  for (i64 k = 0; k < selected_; ++k) {
    const u16 i = selection_[static_cast<size_t>(k)];
    const size_t begin = bytes_.size();
    const auto bad = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const Key &key) { return !append_key(key, i); });
    if (bad != keys_.end()) {
      bytes_.resize(begin);
      bad_->take(chunk, {batch_.records[i], bad->not_of_kind.c_str()});
      continue;
    }
    selection_[static_cast<size_t>(kept)] = i;
    ends_[static_cast<size_t>(kept++)] = bytes_.size();
  }
  selected_ = kept;
  bytes_.reserve(bytes_.size() + kPadding);
  size_t begin = 0;
  for (size_t k = 0; k < static_cast<size_t>(selected_); ++k) {
    composed_[selection_[k]] = Bytes(bytes_).substr(begin, ends_[k] - begin);
    begin = ends_[k];
  }
}

// False if the value is not of the bucket's kind. What is missing is an empty part.
template <Fold fold>
bool FieldMapper<fold>::append_key(const Key &key, size_t record) {
  Bytes value = batch_.fields[key.field][record];
  if (key.expr.bucket && !is_missing(value)) {
    value = bucketed(key.expr, value);
    if (value.empty()) return false;
  }
  if (keys_.size() == 1 && !key.part.number) {
    bytes_.append(value);
  } else {
    append_key_part(key.part, value, &bytes_);
  }
  return true;
}

template <Fold fold>
void FieldMapper<fold>::take_bad_value(const Chunk &chunk, const Values &values, size_t record) {
  const FieldExpr &expr = values.column.expr;
  const Bytes value = batch_.fields[values.field][record];
  const bool fits_bucket = !expr.bucket || bucketed(expr, value).data() != nullptr;
  const std::string &reason = fits_bucket ? values.not_a_number : values.not_of_kind;
  bad_->take_value(chunk, {batch_.records[record], value, reason.c_str()});
}

template <Fold fold>
void FieldMapper<fold>::emit(Emitter *out) {
  const RecordBatch::Column &keys = plain_keys_ ? batch_.fields[keys_[0].field] : composed_;
  for (i64 k = 0; k < selected_; ++k) {
    const size_t i = selection_[static_cast<size_t>(k)];
    const Bytes key = keys[i];
    const char *data = key.data() == nullptr ? kNoKey : key.data();
    u64 *row = out->emit<fold>(data, key.size());
    for (const Values &values : values_) *row++ = values.words[i];
  }
}

}  // namespace

size_t find_field(const std::vector<FieldName> &wanted, const FieldName &name) {
  return static_cast<size_t>(std::find(wanted.begin(), wanted.end(), name) - wanted.begin());
}

std::string not_a_number(const FieldExpr &expr) {
  return (expr.field.number < 0 ? "" : "field ") + expr.text + " is not a number";
}

std::string not_of_kind(const FieldExpr &expr) { return "the value does not fit " + expr.text; }

std::vector<FieldName> FieldsSpec::wanted() const {
  std::vector<FieldName> names;
  auto want = [&](const FieldName &name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const FieldExpr &key : keys) want(key.field);
  for (const ValueColumn &value : values) {
    if (value.kind != ValueColumn::Kind::position) want(value.expr.field);
  }
  if (filter) {
    for (const FieldName &name : filter->fields()) names.push_back(name);
  }
  return names;
}

i64 FieldsSpec::first_of_filter() const {
  return std::ssize(wanted()) - (filter ? std::ssize(filter->fields()) : 0);
}

KeyShape FieldsSpec::key_shape() const {
  KeyShape shape;
  for (const FieldExpr &key : keys) {
    shape.parts.push_back({key.column(), key.bucket && key.bucket->is_number()});
  }
  return shape;
}

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad) {
  if (spec.ignore_case) {
    return std::make_unique<FieldMapper<Fold::ascii>>(spec.fields, readers, bad);
  }
  return std::make_unique<FieldMapper<Fold::none>>(spec.fields, readers, bad);
}

}  // namespace mrc
