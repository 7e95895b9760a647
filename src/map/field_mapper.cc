// Turns records with fields into keys and values, a batch at a time, in one pass per step: the
// reader cuts fields, the filter selects records, each column of values is parsed, keys are
// composed, and the selected records are emitted. All pointers are into the chunk or into buffers
// of the batch, and no memory is allocated per record.
#include "base/case_fold.h"
#include "base/number.h"
#include "expr/computed_field.h"
#include "expr/kind_order.h"
#include "fields/input_readers.h"
#include "map/emitter.h"
#include "map/inner/mappers.h"
#include "mrc_plugin.h"

#include <algorithm>
#include <limits>
#include <string>

namespace mrc {
namespace {

// Describes the fault of a value that is not a number (or integer).
std::string reason_of(const ValueColumn &column) {
  const std::string reason = column.expr.not_a_number();
  const size_t name = reason.size() - std::string_view("a number").size();
  return column.kind == ValueColumn::Kind::integer ? reason.substr(0, name) + "an integer" : reason;
}

constexpr i64 kCapacity = RecordBatch::kCapacity;
static_assert(kCapacity <= Batch<Key16>::kCapacity, "a batch of records is one of keys at most");

// Bytes that the values of one record take here, words and texts. This is at least as much as the
// emitter counts, so a batch of records fits between two flushes.
i64 bytes_of_values(const FieldsSpec &spec) {
  return std::ssize(spec.values) * i64{sizeof(u64) + sizeof(mrc_text)};
}

// True if values are text, in which upper case and lower case may mean the same.
bool has_case(const FieldExpr &key) {
  if (key.bucket) return key.bucket->kind() == ValueKind::text;
  return key.computed == nullptr || !has_order(key.computed->kind().kind);
}

// True if the value is missing, so that it cannot be of the wrong kind.
bool is_missing(Bytes value) { return value.empty() || value == "-"; }

// These convert numbers to the words of the plugin interface. A missing number counts as an integer
// (MRC_NO_INTEGER).
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
  FieldMapper(const MapSpec &spec, const InputReaders &readers, BadRecordSink *bad);

  i64 map(const Chunk &chunk, Emitter *out) override;

 private:
  struct Values {
    ValueColumn column;
    size_t field;                 // column in the batch; for computed values, in its numbers
    std::string not_a_number;     // message for a value that is not a number
    std::string not_of_kind;      // message for a value that its bucket refuses
    std::vector<u64> words;       // by record index
    std::vector<mrc_text> texts;  // by record index; only for values of kind text
  };
  struct Key {
    FieldExpr expr;
    KeyPart part;
    size_t field;
    std::string not_of_kind;  // message for bad records
    bool is_folded = false;   // its case is
  };

  void fill(const Chunk &chunk, Values *values);
  void fill_numbers(const Chunk &chunk, Values *values);
  void take_computed_numbers(const Chunk &chunk, Values *values);
  void forget_bad_numbers(const Chunk &chunk, Values *values);
  void convert_numbers(Values *values);
  void fill_texts(const Chunk &chunk, Values *values);
  void compose_keys(const Chunk &chunk);
  bool append_key(const Key &key, size_t record);
  void take_bad_value(const Chunk &chunk, const Values &values, size_t record);
  template <Fold how>
  void emit(const Bytes *keys, Emitter *out);
  void emit_subtotals(size_t parts, Emitter *out);
  Bytes bucketed(const FieldExpr &expr, Bytes value);
  Bytes kept(Bytes text);

  const FieldsSpec spec_;
  const bool rolls_up_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  std::vector<Key> keys_;
  std::vector<Values> values_;
  bool plain_keys_;
  std::unique_ptr<SeparatedMapper<fold>> separated_;  // null if the job needs the general passes
  RecordScan scan_;
  SelectedRecords &batch_ = *scan_.batch();
  std::array<Bytes, kCapacity> composed_;   // composed keys, by record index
  std::string bytes_;                       // the bytes of composed_
  std::array<size_t, kCapacity> ends_;      // ends in bytes_ of the keys, in selection order
  std::string text_;                        // the bucket of one value
  std::string folded_;                      // the same, folded
  std::string subtotal_bytes_;              // the bytes of subtotals_
  std::array<Bytes, kCapacity> subtotals_;  // keys of subtotals, by record index
};

template <Fold fold>
FieldMapper<fold>::FieldMapper(const MapSpec &map, const InputReaders &readers, BadRecordSink *bad)
    : spec_(map.fields),
      rolls_up_(map.rolls_up),
      readers_(readers),
      bad_(bad),
      separated_(rolls_up_ ? nullptr : SeparatedMapper<fold>::make(spec_, bad)),
      scan_(spec_.wanted(), readers, bad, bytes_of_values(spec_)) {
  const FieldsSpec &spec = spec_;
  const WantedFields wanted = spec.wanted();
  const auto capacity = static_cast<size_t>(batch_.capacity);
  KeyShape shape = spec.key_shape();
  for (KeyPart &part : shape.parts) part.rolls_up = rolls_up_;
  plain_keys_ = shape.is_plain() && !spec.keys[0].bucket;
  for (size_t i = 0; i < spec.keys.size(); ++i) {
    keys_.push_back({spec.keys[i], shape.parts[i], wanted.column(spec.keys[i].field),
                     spec.keys[i].not_of_kind(), fold != Fold::none && has_case(spec.keys[i])});
  }
  for (const ValueColumn &column : spec.values) {
    values_.push_back({column,
                       column.is_number() && column.expr.computed
                           ? wanted.number_column(column.expr.field)
                           : wanted.column(column.expr.field),
                       reason_of(column),
                       column.expr.not_of_kind(),
                       std::vector<u64>(capacity),
                       {}});
    if (column.kind == ValueColumn::Kind::text) values_.back().texts.resize(capacity);
  }
}

template <Fold fold>
i64 FieldMapper<fold>::map(const Chunk &chunk, Emitter *out) {
  if (separated_ != nullptr) {
    const RecordReader *reader = readers_.of(chunk.source);
    const SeparatedFields *how = reader == nullptr ? nullptr : reader->separated();
    if (how != nullptr) return separated_->map(chunk, *how, out);
  }
  return scan_.each(chunk, [&] {
    if (!plain_keys_) compose_keys(chunk);
    for (Values &values : values_) fill(chunk, &values);
    bad_->count_used(batch_.selected);
    if (plain_keys_ && keys_[0].is_folded) {
      emit<fold>(batch_.column(keys_[0].field), out);
    } else {
      emit<Fold::none>(plain_keys_ ? batch_.column(keys_[0].field) : composed_.data(), out);
    }
    out->flush();
    for (size_t parts = keys_.size(); rolls_up_ && parts-- > 0;) emit_subtotals(parts, out);
    return true;
  });
}

// Adds the records to the groups of the first parts of their keys.
template <Fold fold>
void FieldMapper<fold>::emit_subtotals(size_t parts, Emitter *out) {
  subtotal_bytes_.clear();
  for (size_t k = 0; k < static_cast<size_t>(batch_.selected); ++k) {
    const Bytes key = composed_[batch_.selection[k]];
    Bytes rest = key;
    for (size_t i = 0; i < parts; ++i) take_encoded_part(keys_[i].part, &rest);
    subtotal_bytes_.append(key.substr(0, key.size() - rest.size()));
    for (size_t i = parts; i < keys_.size(); ++i) append_total_part(i == parts, &subtotal_bytes_);
    ends_[k] = subtotal_bytes_.size();
  }
  subtotal_bytes_.reserve(subtotal_bytes_.size() + kPadding);
  size_t begin = 0;
  for (size_t k = 0; k < static_cast<size_t>(batch_.selected); ++k) {
    subtotals_[batch_.selection[k]] = Bytes(subtotal_bytes_).substr(begin, ends_[k] - begin);
    begin = ends_[k];
  }
  emit<Fold::none>(subtotals_.data(), out);
  out->flush();
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
    values->words[i] = start + static_cast<u64>(batch_.begin_of(i) - chunk.bytes.data());
  }
}

// Parses a column of numbers. A malformed number is reported and counts as missing.
template <Fold fold>
void FieldMapper<fold>::fill_numbers(const Chunk &chunk, Values *values) {
  if (values->column.expr.computed) return take_computed_numbers(chunk, values);
  const Bytes *column = batch_.column(values->field);
  const bool plain = values->column.expr.bucket == nullptr;
  const ValueColumn::Kind kind = values->column.kind;
  bool any_bad = false;
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
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

// An integer column reports a number with a fraction as bad.
template <Fold fold>
void FieldMapper<fold>::take_computed_numbers(const Chunk &chunk, Values *values) {
  const std::array<u64, kCapacity> &numbers = batch_.numbers[values->field];
  const ValueColumn::Kind kind = values->column.kind;
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    const bool refused = kind == ValueColumn::Kind::integer && !is_integer(numbers[i]);
    if (refused) {
      bad_->take_value(chunk, {batch_.records[i], {}, values->not_a_number.c_str()});
    }
    values->words[i] = refused ? kNoNumber : numbers[i];
  }
  if (kind != ValueColumn::Kind::number) convert_numbers(values);
}

template <Fold fold>
void FieldMapper<fold>::forget_bad_numbers(const Chunk &chunk, Values *values) {
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    if (values->words[i] != kBadNumber) continue;
    take_bad_value(chunk, *values, i);
    values->words[i] = kNoNumber;
  }
}

// Converts to what reducers of plain integers or doubles expect.
template <Fold fold>
void FieldMapper<fold>::convert_numbers(Values *values) {
  const bool integers = values->column.kind == ValueColumn::Kind::integer;
  for (i64 k = 0; k < batch_.selected; ++k) {
    u64 *word = &values->words[batch_.selection[static_cast<size_t>(k)]];
    *word = integers ? integer_word(*word) : real_word(*word);
  }
}

template <Fold fold>
void FieldMapper<fold>::fill_texts(const Chunk &chunk, Values *values) {
  const Bytes *column = batch_.column(values->field);
  const bool plain = values->column.expr.bucket == nullptr;
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    Bytes text = column[i];
    if (!plain && text.data() != nullptr) {
      text = kept(bucketed(values->column.expr, text));
      if (text.data() == nullptr && !is_missing(column[i])) take_bad_value(chunk, *values, i);
    }
    values->texts[i] = {text.data(), text.size()};
    values->words[i] = mrc_text_word(&values->texts[i]);
  }
}

// Returns a copy that lives as long as the batch and is padded for over-reads.
template <Fold fold>
Bytes FieldMapper<fold>::kept(Bytes text) {
  if (text.data() == nullptr) return {};
  char *copy =
      reinterpret_cast<char *>(batch_.unescaped.alloc(static_cast<i64>(text.size()) + kPadding));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

// Returns the bucket of a value, or a null string if the value is not of the bucket's kind. Valid
// until the next call.
template <Fold fold>
Bytes FieldMapper<fold>::bucketed(const FieldExpr &expr, Bytes value) {
  text_.clear();
  if (value.data() == nullptr || !expr.bucket->append(value, &text_)) return {};
  text_.reserve(text_.size() + kPadding);
  return text_;
}

// A value that its bucket refuses makes the record a bad one, because it has no group.
template <Fold fold>
void FieldMapper<fold>::compose_keys(const Chunk &chunk) {
  bytes_.clear();
  i64 kept = 0;
  for (i64 k = 0; k < batch_.selected; ++k) {
    const u16 i = batch_.selection[static_cast<size_t>(k)];
    const size_t begin = bytes_.size();
    const auto bad = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const Key &key) { return !append_key(key, i); });
    if (bad != keys_.end()) {
      bytes_.resize(begin);
      bad_->take(chunk, {batch_.records[i], bad->not_of_kind.c_str()});
      continue;
    }
    batch_.selection[static_cast<size_t>(kept)] = i;
    ends_[static_cast<size_t>(kept++)] = bytes_.size();
  }
  batch_.selected = kept;
  bytes_.reserve(bytes_.size() + kPadding);
  size_t begin = 0;
  for (size_t k = 0; k < static_cast<size_t>(batch_.selected); ++k) {
    composed_[batch_.selection[k]] = Bytes(bytes_).substr(begin, ends_[k] - begin);
    begin = ends_[k];
  }
}

// Returns false if the bucket refuses the value. A missing value is an empty part. Parts are folded
// before they are composed, because numbers are encoded in bytes that look like letters.
template <Fold fold>
bool FieldMapper<fold>::append_key(const Key &key, size_t record) {
  Bytes value = batch_.column(key.field)[record];
  if (key.expr.bucket && !is_missing(value)) {
    value = bucketed(key.expr, value);
    if (value.empty()) return false;
  }
  if (key.is_folded) {
    folded_.clear();
    append_folded(value, &folded_);
    value = folded_;
  }
  if (keys_.size() == 1 && !key.part.number && !key.part.rolls_up) {
    bytes_.append(value);
  } else {
    append_key_part(key.part, value, &bytes_);
  }
  return true;
}

template <Fold fold>
void FieldMapper<fold>::take_bad_value(const Chunk &chunk, const Values &values, size_t record) {
  const FieldExpr &expr = values.column.expr;
  const Bytes value = batch_.column(values.field)[record];
  const bool fits_bucket = !expr.bucket || bucketed(expr, value).data() != nullptr;
  const std::string &reason = fits_bucket ? values.not_a_number : values.not_of_kind;
  bad_->take_value(chunk, {batch_.records[record], value, reason.c_str()});
}

template <Fold fold>
template <Fold how>
void FieldMapper<fold>::emit(const Bytes *keys, Emitter *out) {
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    const Bytes key = keys[i];
    const char *data = key.data() == nullptr ? kNoKey : key.data();
    u64 *row = out->emit<how>(data, key.size());
    for (const Values &values : values_) *row++ = values.words[i];
  }
}

}  // namespace

WantedFields FieldsSpec::wanted() const {
  WantedFields wanted(filter);
  for (const FieldExpr &key : keys) wanted.add(key);
  for (const ValueColumn &value : values) {
    if (value.kind != ValueColumn::Kind::position) wanted.add(value.expr, value.is_number());
  }
  for (const FieldExpr &expr : others) wanted.add(expr);
  return wanted;
}

std::vector<FieldName> FieldsSpec::names() const {
  std::vector<FieldName> names = wanted().names();
  if (!running) return names;
  std::erase_if(names, is_running);
  const WantedFields first = running->wanted();
  for (const FieldName &name : first.names()) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

KeyShape FieldsSpec::key_shape() const {
  KeyShape shape;
  for (const FieldExpr &key : keys) {
    shape.parts.push_back({.name = key.column(), .number = key.is_number(), .kind = key.kind});
  }
  return shape;
}

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad) {
  if (spec.ignore_case) {
    return std::make_unique<FieldMapper<Fold::all>>(spec, readers, bad);
  }
  return std::make_unique<FieldMapper<Fold::none>>(spec, readers, bad);
}

}  // namespace mrc
