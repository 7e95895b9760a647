#include "rows/record_rows.h"

#include <cstring>

namespace mrc {

bool SortSpec::is_plain() const {
  return record_bytes == 0 && !range && !fields &&
         (key.fields.empty() || SortKeyEncoder(key).is_plain());
}

bool SortSpec::has_key() const {
  return range || !groups.empty() || !(fields ? fields->exprs.empty() : key.fields.empty());
}

// Keys carry the directions of their fields; `reverse` is the direction of the whole order. With
// `reverse`, positions are complemented, so that they still ascend.
Order SortSpec::order() const {
  Order order;
  order.descending = reverse;
  order.unique = unique;
  return order;
}

RowLayout SortSpec::layout() const {
  RowLayout layout;
  layout.terminator = terminator;
  layout.lines = is_plain();
  layout.parts = !layout.lines;
  layout.state_bytes = layout.lines ? 0 : static_cast<i64>(sizeof(RowLayout::Parts));
  return layout;
}

RecordRows::RecordRows(const SortSpec &spec, const Scanner &scanner, const Order &order)
    : spec_(spec),
      lines_(spec.terminator, scanner),
      order_(order),
      encoder_(spec.key),
      plain_(spec.is_plain()) {}

i64 RecordRows::add(const Chunk &chunk, RowStore *rows) {
  return spec_.record_bytes > 0 ? add_fixed(chunk, rows) : add_lines(chunk, rows);
}

i64 RecordRows::add_lines(const Chunk &chunk, RowStore *rows) {
  Bytes bytes = chunk.bytes;
  if (plain_) {  // rows point into a copy, which ends in a terminator
    auto *kept = reinterpret_cast<char *>(
        rows->arena().alloc(static_cast<i64>(bytes.size()) + 1 + kPadding));
    std::memcpy(kept, bytes.data(), bytes.size());
    kept[bytes.size()] = spec_.terminator;
    bytes = {kept, bytes.size()};
  }
  auto take = [&](Bytes line) {
    const i64 offset = chunk.offset + (line.data() - bytes.data());
    add_record(line, position_of(chunk.source, offset), rows);
  };
  return lines_.each<Returns::kept>(bytes, take, [] {});
}

i64 RecordRows::add_fixed(const Chunk &chunk, RowStore *rows) {
  const size_t size = static_cast<size_t>(spec_.record_bytes);
  size_t at = 0;
  for (; at + size <= chunk.bytes.size(); at += size) {
    add_record(chunk.bytes.substr(at, size),
               position_of(chunk.source, chunk.offset + static_cast<i64>(at)), rows);
  }
  return static_cast<i64>(at / size);
}

inline void RecordRows::add_record(Bytes record, u64 position, RowStore *rows) {
  if (plain_) return rows->add_line(order_prefix(order_, record, 0), record);
  key_.clear();
  if (spec_.range) {
    key_.append(spec_.range->of(record));
  } else if (!spec_.key.fields.empty()) {
    encoder_.append(record, &key_);
  } else {
    return add_whole_row(order_, record, rows);
  }
  add_keyed_row(spec_, order_, position, record, &key_, rows);
}

i64 FieldRows::add(const Chunk &chunk, RowStore *rows) {
  return records_.each(chunk, [&](Bytes record, std::string *key) {
    if (!spec_.has_key()) {
      add_whole_row(order_, record, rows);
    } else {
      const i64 offset = chunk.offset + (record.data() - chunk.bytes.data());
      add_keyed_row(spec_, order_, position_of(chunk.source, offset), record, key, rows);
    }
    return true;
  });
}

void FieldRows::begin_unit(const Unit &unit) {
  if (groups_ != nullptr) groups_->begin_unit(unit);
}

void FieldRows::settle(RowStore *rows) {
  if (groups_ != nullptr) groups_->settle(rows);
}

std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad,
                                           GroupNumbers::Worker *groups) {
  if (!spec.fields) return std::make_unique<RecordRows>(spec, scanner, order);
  return std::make_unique<FieldRows>(spec, fields, *readers, bad, order, groups);
}

}  // namespace mrc
