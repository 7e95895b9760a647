#include "map/separated_mapper.h"

#include "fields/line_reader.h"
#include "map/field_mapper.h"

#include <string.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kCapacity = Batch<Key16>::kCapacity;

}  // namespace

template <Fold fold>
std::unique_ptr<SeparatedMapper<fold>> SeparatedMapper<fold>::make(const FieldsSpec &spec,
                                                                   BadRecordSink *bad) {
  const bool plain_key = spec.keys.size() == 1 && !spec.keys[0].bucket;
  const bool numbers = std::ranges::all_of(spec.values, [](const ValueColumn &value) {
    return value.kind == ValueColumn::Kind::number && !value.expr.bucket;
  });
  if (!plain_key || !numbers || spec.filter || spec.values.size() > kMostValues) return nullptr;
  return std::unique_ptr<SeparatedMapper>(new SeparatedMapper(spec, bad));
}

template <Fold fold>
SeparatedMapper<fold>::SeparatedMapper(const FieldsSpec &spec, BadRecordSink *bad)
    : bad_(bad), scan_(best_scanner().separators) {
  const std::vector<FieldName> wanted = spec.wanted();
  key_ = find_field(wanted, spec.keys[0].field);
  for (const ValueColumn &value : spec.values) {
    values_.push_back({0, find_field(wanted, value.expr.field), not_a_number(value.expr)});
  }
}

template <Fold fold>
i64 SeparatedMapper<fold>::map(const Chunk &chunk, const SeparatedFields &how, Emitter *out) {
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  const char *begin = skip_preamble(chunk, chunk.bytes.data(), how.dialect);
  const Separators separators{*how.dialect.delimiter, *how.dialect.delimiter,
                              how.dialect.terminator};
  records_ = 0;
  key_position_ = how.positions[key_];
  for (Value &value : values_) value.position = how.positions[value.field];
  while (begin < end) {
    ScanCursor cursor{begin, end};
    scan_(&cursor, separators, &bounds_);
    const bool all = cursor.next >= end;
    const char *next = values_.empty()       ? take_listed<0>(chunk, how, begin, all, out)
                       : values_.size() == 1 ? take_listed<1>(chunk, how, begin, all, out)
                                             : take_listed<-1>(chunk, how, begin, all, out);
    // Not even one record is listed whole.
    begin = next == begin ? take_long(chunk, how, begin, out) : next;
  }
  flush(out);
  return records_;
}

// The records whose separators are listed from `begin` on; of `all` of the chunk also the
// last one without a terminator. Returns where the next record begins.
template <Fold fold>
template <i64 kValues>
const char *SeparatedMapper<fold>::take_listed(const Chunk &chunk, const SeparatedFields &how,
                                               const char *begin, bool all, Emitter *out) {
  const char *base = begin, *end = chunk.bytes.data() + chunk.bytes.size();
  const char terminator = how.dialect.terminator;
  const u32 *first = bounds_.at.data(), *at_end = first + bounds_.size;
  for (const u32 *p = first; p < at_end; ++p) {
    const char *stop = base + *p;
    if (*stop != terminator) continue;
    const bool cr = terminator == '\n' && stop > begin && stop[-1] == '\r';
    take<kValues>(chunk, {base, begin, stop - cr, first, p + 1 - first}, out);
    begin = stop + 1;
    first = p + 1;
  }
  if (!all || begin == end) return begin;
  take<kValues>(chunk, {base, begin, end, first, at_end + 1 - first}, out);
  return end;
}

// A record with more separators than the list has room for. The field behind those that
// are wanted is as good as the last one, which ends with the record.
template <Fold fold>
const char *SeparatedMapper<fold>::take_long(const Chunk &chunk, const SeparatedFields &how,
                                             const char *begin, Emitter *out) {
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  const void *found = memchr(begin, how.dialect.terminator, static_cast<size_t>(end - begin));
  const char *stop = found == nullptr ? end : static_cast<const char *>(found);
  std::vector<u32> at;
  const i64 most = *std::ranges::max_element(how.positions);
  for (const char *p = begin; std::ssize(at) <= most + 1 && p <= stop; p = begin + at.back() + 1) {
    const void *next = memchr(p, *how.dialect.delimiter, static_cast<size_t>(stop - p));
    const char *field_end = next == nullptr ? stop : static_cast<const char *>(next);
    at.push_back(static_cast<u32>(field_end - begin));
  }
  const bool cr = how.dialect.terminator == '\n' && stop != end && stop[-1] == '\r';
  take<-1>(chunk, {begin, begin, stop - cr, at.data(), std::ssize(at)}, out);
  return stop == end ? end : stop + 1;
}

// Null if the record has no such field.
template <Fold fold>
MRC_INLINE Bytes SeparatedMapper<fold>::Cut::field(i64 i) const {
  if (i >= fields) [[unlikely]]
    return Bytes();
  const char *from = i == 0 ? begin : base + at[i - 1] + 1;
  const char *to = i + 1 == fields ? end : base + at[i];
  return {from, static_cast<size_t>(to - from)};
}

template <Fold fold>
template <i64 kValues>
MRC_INLINE void SeparatedMapper<fold>::take(const Chunk &chunk, Cut cut, Emitter *out) {
  ++records_;
  const size_t size = kValues < 0 ? values_.size() : static_cast<size_t>(kValues);
  std::array<Number, (kValues < 0 ? kMostValues : static_cast<size_t>(kValues))> numbers;
  for (size_t i = 0; i < size; ++i) {
    numbers[i] = parse_number(cut.field(values_[i].position), &wide_);
    if (numbers[i] == kBadNumber) [[unlikely]]
      return drop(chunk, Bytes(cut.begin, static_cast<size_t>(cut.end - cut.begin)), values_[i]);
  }
  const Bytes key = cut.field(key_position_);
  u64 *row = out->emit<fold>(key.data() == nullptr ? kNoKey : key.data(), key.size());
  for (size_t i = 0; i < size; ++i) row[i] = numbers[i];
  if (++pending_ == kCapacity) [[unlikely]]
    flush(out);
}

template <Fold fold>
__attribute__((noinline)) void SeparatedMapper<fold>::drop(const Chunk &chunk, Bytes record,
                                                           const Value &value) {
  bad_->take(chunk, {record, value.not_a_number.c_str()});
}

template <Fold fold>
void SeparatedMapper<fold>::flush(Emitter *out) {
  out->flush();
  wide_.clear();
  pending_ = 0;
}

template class SeparatedMapper<Fold::none>;
template class SeparatedMapper<Fold::ascii>;

}  // namespace mrc
