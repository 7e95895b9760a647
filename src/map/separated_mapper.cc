#include "fields/line_reader.h"
#include "map/inner/mappers.h"

#include <string.h>

#include <algorithm>

namespace mrc {

template <Fold fold>
std::unique_ptr<SeparatedMapper<fold>> SeparatedMapper<fold>::make(const FieldsSpec &spec,
                                                                   BadRecordSink *bad) {
  const bool plain_key = spec.keys.size() == 1 && spec.keys[0].is_plain();
  const bool numbers = std::ranges::all_of(spec.values, [](const ValueColumn &value) {
    return value.kind == ValueColumn::Kind::number && value.expr.is_plain();
  });
  if (!plain_key || !numbers || spec.filter || spec.values.size() > kMostValues) return nullptr;
  return std::unique_ptr<SeparatedMapper>(new SeparatedMapper(spec, bad));
}

template <Fold fold>
SeparatedMapper<fold>::SeparatedMapper(const FieldsSpec &spec, BadRecordSink *bad)
    : bad_(bad), scan_(best_scanner().separators) {
  const WantedFields wanted = spec.wanted();
  key_ = wanted.column(spec.keys[0].field);
  for (const ValueColumn &value : spec.values) {
    values_.push_back({0, wanted.column(value.expr.field), value.expr.not_a_number()});
  }
}

template <Fold fold>
i64 SeparatedMapper<fold>::map(const Chunk &chunk, const SeparatedFields &how, Emitter *out) {
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  const char *begin = skip_preamble(chunk, chunk.bytes.data(), how.dialect);
  const Separators separators{*how.dialect.delimiter, *how.dialect.delimiter,
                              how.dialect.terminator};
  records_ = 0;
  most_ = *std::ranges::max_element(how.positions);
  key_position_ = how.positions[key_];
  for (Value &value : values_) value.position = how.positions[value.field];
  while (begin < end) {
    ScanCursor cursor{begin, end};
    scan_(&cursor, separators, &bounds_);
    const bool all = cursor.next >= end;
    const char *next = values_.empty()       ? take_listed<0>(chunk, how, begin, all, out)
                       : values_.size() == 1 ? take_listed<1>(chunk, how, begin, all, out)
                                             : take_listed<-1>(chunk, how, begin, all, out);
    // The list does not hold even one whole record.
    begin = next == begin ? take_long(chunk, how, begin, out) : next;
  }
  flush(out);
  bad_->count_used(records_);
  return records_;
}

// Takes the records whose separators are listed from `begin` on. If the list reaches the end of the
// chunk (`all`), it includes a last record without a terminator. Returns the start of the next
// record. In the list, the CR of a CR LF replaces the LF.
template <Fold fold>
template <i64 kValues>
const char *SeparatedMapper<fold>::take_listed(const Chunk &chunk, const SeparatedFields &how,
                                               const char *begin, bool all, Emitter *out) {
  EmitLoop<fold, kValues> loop(out);
  Usual<kValues> usual = this->usual<kValues>();
  const char *base = begin, *end = chunk.bytes.data() + chunk.bytes.size();
  const char terminator = how.dialect.terminator;
  u32 *first = bounds_.at.data(), *at_end = first + bounds_.size, *whole = at_end;
  while (whole > first && base[whole[-1]] != terminator) --whole;
  while (first < whole) {
    u32 *last = first;
    while (base[*last] != terminator) ++last;
    const char *stop = base + *last;
    if (ends_with_return(begin, stop, terminator)) --*last;
    const Cut cut{base, begin, first, last + 1 - first};
    if constexpr (kValues < 0) {
      take(chunk, cut, &loop);
    } else if (!usual.take(cut, &loop)) [[unlikely]] {
      loop.leave();
      take_unusual(chunk, cut, out);
      loop.enter();
    }
    if (loop.is_full()) [[unlikely]] {
      loop.leave();
      flush(out);
      loop.enter();
    }
    ++records_;
    begin = stop + 1;
    first = last + 1;
  }
  loop.leave();
  if constexpr (kValues == 1) values_[0].numbers = usual.numbers;
  if (!all || begin == end) return begin;
  *at_end = static_cast<u32>(end - base);
  take_unusual(chunk, {base, begin, first, at_end + 1 - first}, out);
  ++records_;
  return end;
}

// Takes a record with more separators than the list has room for. Everything after the last wanted
// field is treated as one more field.
template <Fold fold>
const char *SeparatedMapper<fold>::take_long(const Chunk &chunk, const SeparatedFields &how,
                                             const char *begin, Emitter *out) {
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  const void *found = memchr(begin, how.dialect.terminator, static_cast<size_t>(end - begin));
  const char *stop = found == nullptr ? end : static_cast<const char *>(found);
  const Bytes record = line_of(begin, stop, end, how.dialect.terminator);
  std::vector<u32> at;
  for (size_t from = 0; std::ssize(at) <= most_ && from <= record.size(); from = at.back() + 1) {
    const size_t field_end = std::min(record.find(*how.dialect.delimiter, from), record.size());
    at.push_back(static_cast<u32>(field_end));
  }
  if (at.back() != record.size()) at.push_back(static_cast<u32>(record.size()));
  take_unusual(chunk, {begin, begin, at.data(), std::ssize(at)}, out);
  ++records_;
  return stop == end ? end : stop + 1;
}

// REQUIRES: i < fields
template <Fold fold>
MRC_INLINE Bytes SeparatedMapper<fold>::Cut::field(i64 i) const {
  const char *from = i == 0 ? begin : base + at[i - 1] + 1;
  return {from, static_cast<size_t>(base + at[i] - from)};
}

template <Fold fold>
Bytes SeparatedMapper<fold>::Cut::record() const {
  return {begin, static_cast<size_t>(base + at[fields - 1] - begin)};
}

template <Fold fold>
template <i64 kValues>
typename SeparatedMapper<fold>::template Usual<kValues> SeparatedMapper<fold>::usual() {
  if constexpr (kValues != 1) return {most_, key_position_, 0, {}, nullptr};
  return {most_, key_position_, values_[0].position, values_[0].numbers, &wide_};
}

// Takes a record that has all wanted fields and a valid number. Returns false, without a change,
// for any other record.
template <Fold fold>
template <i64 kValues>
MRC_INLINE bool SeparatedMapper<fold>::Usual<kValues>::take(Cut cut, EmitLoop<fold, kValues> *out) {
  if (cut.fields <= most) return false;
  Number number = 0;
  if constexpr (kValues == 1) {
    number = numbers.parse(cut.field(value), wide);
    if (number == kBadNumber) return false;
  }
  const Bytes text = cut.field(key);
  u64 *row = out->emit(text.data(), text.size());
  if constexpr (kValues == 1) *row = number;
  return true;
}

template <Fold fold>
MRC_INLINE void SeparatedMapper<fold>::take(const Chunk &chunk, Cut cut, EmitLoop<fold, -1> *out) {
  std::array<Number, kMostValues> numbers;
  const size_t size = values_.size();
  for (size_t i = 0; i < size; ++i) {
    const i64 at = values_[i].position;
    numbers[i] = at < cut.fields ? values_[i].numbers.parse(cut.field(at), &wide_) : kNoNumber;
    if (numbers[i] == kBadNumber) [[unlikely]]
      numbers[i] = take_bad_number(chunk, cut, values_[i]);
  }
  const Bytes key = key_position_ < cut.fields ? cut.field(key_position_) : Bytes(kNoKey, 0);
  u64 *row = out->emit(key.data(), key.size());
  for (size_t i = 0; i < size; ++i) row[i] = numbers[i];
}

template <Fold fold>
__attribute__((noinline)) void SeparatedMapper<fold>::take_unusual(const Chunk &chunk, Cut cut,
                                                                   Emitter *out) {
  EmitLoop<fold, -1> once(out);
  take(chunk, cut, &once);
  once.leave();
  if (once.is_full()) flush(out);
}

// Reports a bad number and returns its replacement.
template <Fold fold>
__attribute__((noinline)) Number SeparatedMapper<fold>::take_bad_number(const Chunk &chunk, Cut cut,
                                                                        const Value &value) {
  bad_->take_value(chunk, {cut.record(), cut.field(value.position), value.not_a_number.c_str()});
  return kNoNumber;
}

template <Fold fold>
void SeparatedMapper<fold>::flush(Emitter *out) {
  out->flush();
  wide_.clear();
}

template class SeparatedMapper<Fold::none>;
template class SeparatedMapper<Fold::all>;

}  // namespace mrc
