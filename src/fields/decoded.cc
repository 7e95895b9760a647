#include "fields/decoded.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

class DecodedReader : public RecordReader {
 public:
  explicit DecodedReader(std::vector<size_t> columns) : columns_(std::move(columns)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    if (!batch->resumes) batch->taken = 0;
    const std::span<const u16> all = chunk.decoded->selection;
    const size_t count = std::min(all.size() - batch->taken, static_cast<size_t>(batch->capacity));
    copy(chunk.decoded->batch, all.subspan(batch->taken, count), batch);
    batch->taken += count;
    batch->resumes = batch->taken < all.size();
    if (!batch->resumes) *next = chunk.bytes.data() + chunk.bytes.size();
  }

 private:
  void copy(const RecordBatch &from, std::span<const u16> records, RecordBatch *to) const {
    to->size = std::ssize(records);
    if (!from.ordinals.empty()) to->ordinals.resize(records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      to->records[i] = from.records[records[i]];
      if (!from.ordinals.empty()) to->ordinals[i] = from.ordinals[records[i]];
    }
    for (size_t field = 0; field < columns_.size(); ++field) {
      const Bytes *const values = from.fields[columns_[field]].data();
      Bytes *const copies = to->fields[field].data();
      for (size_t i = 0; i < records.size(); ++i) copies[i] = values[records[i]];
    }
  }

  const std::vector<size_t> columns_;
};

}  // namespace

std::unique_ptr<RecordReader> make_decoded_reader(std::vector<size_t> columns) {
  return std::make_unique<DecodedReader>(std::move(columns));
}

}  // namespace mrc
