// Turns records with fields into keys and values, a batch at a time, in one pass per step: the
// reader cuts fields, the filter selects records, each column of values is parsed, keys are
// composed, and the selected records are emitted. All pointers are into the chunk or into buffers
// of the batch, and no memory is allocated per record.
#include "base/case_fold.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"
#include "expr/kind_order.h"
#include "fields/input_readers.h"
#include "map/emitter.h"
#include "map/field_values.h"
#include "map/inner/mappers.h"

#include <algorithm>
#include <string>

namespace mrc {
namespace {

constexpr i64 kCapacity = RecordBatch::kCapacity;
static_assert(kCapacity <= Batch<Key16>::kCapacity, "a batch of records is one of keys at most");

// True if values are text, in which upper case and lower case may mean the same.
bool has_case(const FieldExpr &key) {
  if (key.bucket) return key.bucket->kind() == ValueKind::text;
  return key.computed == nullptr || !has_order(key.computed->kind().kind);
}

template <Fold fold>
class FieldMapper : public Mapper {
 public:
  FieldMapper(const MapSpec &spec, const InputReaders &readers, BadRecordSink *bad);

  i64 map(const Chunk &chunk, Emitter *out) override;

 private:
  struct Key {
    FieldExpr expr;
    KeyPart part;
    size_t field;
    std::string not_of_kind;  // message for bad records
    bool is_folded = false;   // its case is
  };

  void compose_keys(const Chunk &chunk);
  bool append_key(const Key &key, size_t record);
  template <Fold how>
  void emit(const Bytes *keys, Emitter *out);
  void emit_subtotals(size_t parts, Emitter *out);

  const FieldsSpec spec_;
  const bool rolls_up_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  std::vector<Key> keys_;
  bool plain_keys_;
  std::unique_ptr<SeparatedMapper<fold>> separated_;  // null if the job needs the general passes
  RecordScan scan_;
  SelectedRecords &batch_ = *scan_.batch();
  FieldValues values_;
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
      scan_(spec_.wanted(), readers, bad, FieldValues::bytes_of(spec_.values)),
      values_(spec_.values, spec_.wanted(), &batch_, bad) {
  const FieldsSpec &spec = spec_;
  const WantedFields wanted = spec.wanted();
  KeyShape shape = spec.key_shape();
  for (KeyPart &part : shape.parts) part.rolls_up = rolls_up_;
  plain_keys_ = shape.is_plain() && !spec.keys[0].bucket;
  for (size_t i = 0; i < spec.keys.size(); ++i) {
    keys_.push_back({spec.keys[i], shape.parts[i], wanted.column(spec.keys[i].field),
                     spec.keys[i].not_of_kind(), fold != Fold::none && has_case(spec.keys[i])});
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
    values_.fill(chunk);
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
  if (key.expr.bucket && !is_absent(value)) {
    value = bucketed(key.expr, value, &text_);
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
template <Fold how>
void FieldMapper<fold>::emit(const Bytes *keys, Emitter *out) {
  for (size_t k = 0; k < static_cast<size_t>(batch_.selected); ++k) {
    const Bytes key = keys[batch_.selection[k]];
    const char *data = key.data() == nullptr ? kNoKey : key.data();
    values_.copy(k, out->emit<how>(data, key.size()));
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
