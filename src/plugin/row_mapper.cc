// Decodes records as all verbs with fields do, and calls the map of a job with the values of its
// fields. A batch of records is one call.
#include "map/field_values.h"
#include "plugin/call.h"
#include "plugin/inner/map_calls.h"

#include <array>

namespace mrc {
namespace {

// Later rounds read the records that the first one has reported.
class NoBadRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

class RowMapper : public Mapper {
 public:
  RowMapper(const PluginSession &job, const MapperSurroundings &around)
      : bad_(around.bad == nullptr ? &dropped_ : around.bad),
        scan_(around.fields->wanted(), *around.readers, bad_,
              FieldValues::bytes_of(around.fields->values)),
        values_(around.fields->values, around.fields->wanted(), &batch_, bad_),
        calls_(job, around) {}

  i64 map(const Chunk &chunk, Emitter *out) override {
    if (plugin_failed()) return 0;
    return scan_.each(chunk, [&] {
      bad_->count_used(batch_.selected);
      if (batch_.selected > 0) call(chunk, out);
      return !plugin_failed();
    });
  }
  void finish(Emitter *out) override { calls_.end(out); }

 private:
  void call(const Chunk &chunk, Emitter *out) {
    values_.fill(chunk);
    for (size_t k = 0; k < static_cast<size_t>(batch_.selected); ++k) {
      const Bytes record = batch_.records[batch_.selection[k]];
      records_[k] = {record.data(), record.size()};
    }
    mrc_records records{};
    records.records = records_.data();
    records.count = batch_.selected;
    records.values = {values_.rows(), static_cast<i64>(values_.width())};
    const char *first = batch_.begin_of(batch_.selection[0]);
    calls_.map(chunk, chunk.offset + (first - chunk.bytes.data()), records, out);
  }

  NoBadRecords dropped_;
  BadRecordSink *bad_;
  RecordScan scan_;
  SelectedRecords &batch_ = *scan_.batch();
  FieldValues values_;
  std::array<mrc_text, RecordBatch::kCapacity> records_;
  MapCalls calls_;
};
static_assert(RecordBatch::kCapacity <= MRC_BATCH);

}  // namespace

std::unique_ptr<Mapper> make_row_mapper(const PluginSession &job,
                                        const MapperSurroundings &around) {
  return std::make_unique<RowMapper>(job, around);
}

}  // namespace mrc
