#include "rows/keyed_records.h"

namespace mrc {

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

std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad) {
  if (!spec.fields) return std::make_unique<RecordRows>(spec, scanner, order);
  return std::make_unique<FieldRows>(spec, fields, *readers, bad, order);
}

}  // namespace mrc
