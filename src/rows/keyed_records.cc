#include "rows/keyed_records.h"

namespace mrc {

KeyedRecords::KeyedRecords(const FieldSort &sort, const FieldsSpec &fields,
                           const InputReaders &readers, BadRecordSink *bad)
    : fields_(fields), readers_(readers), bad_(bad), encoder_(sort, fields.wanted()) {
  batch_.fields.resize(fields.wanted().size());
}

i64 KeyedRecords::read(const Chunk &chunk, const RecordReader &reader, const char **next) {
  batch_.clear();
  reader.read(chunk, next, &batch_);
  for (const BadRecord &bad : batch_.bad) bad_->take(chunk, bad);
  selected_.set();
  if (fields_.filter) selected_ = fields_.filter->select(batch_, fields_.first_of_filter());
  return batch_.size + std::ssize(batch_.bad);
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

std::unique_ptr<ChunkRows> make_chunk_rows(const SortSpec &spec, const FieldsSpec &fields,
                                           const Scanner &scanner, const Order &order,
                                           const InputReaders *readers, BadRecordSink *bad) {
  if (!spec.fields) return std::make_unique<RecordRows>(spec, scanner, order);
  return std::make_unique<FieldRows>(spec, fields, *readers, bad, order);
}

}  // namespace mrc
