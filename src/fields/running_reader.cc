#include "fields/running_values.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// A running field: its columns in the batch and in the values of the chunk.
struct RunningPlace {
  size_t field, column;
};

class RunningReader : public RecordReader {
 public:
  RunningReader(std::unique_ptr<RecordReader> reader, std::vector<RunningPlace> places)
      : reader_(std::move(reader)), places_(std::move(places)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    reader_->read(chunk, next, batch);
    if (chunk.running == nullptr) {
      for (i64 i = 0; i < batch->size; ++i) put(nullptr, 0, static_cast<size_t>(i), batch);
      return;
    }
    if (batch->size > 0) take_values(*chunk.running, batch);
  }
  bool joins_lines() const override { return reader_->joins_lines(); }
  bool begins(Bytes head) const override { return reader_->begins(head); }

 private:
  void put(const RunningValues *values, size_t from, size_t to, RecordBatch *batch) const {
    for (const RunningPlace &place : places_) {
      batch->fields[place.field][to] =
          values == nullptr ? Bytes() : values->columns[place.column][from];
    }
  }

  // Both the records and the values are in the order of the chunk.
  void take_values(const RunningValues &values, RecordBatch *batch) const {
    size_t from = static_cast<size_t>(std::ranges::lower_bound(values.begins, batch->begin_of(0)) -
                                      values.begins.begin());
    size_t kept = 0;
    for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
      const char *begin = batch->begin_of(i);
      while (from < values.begins.size() && values.begins[from] < begin) ++from;
      if (from == values.begins.size() || values.begins[from] != begin) continue;
      if (kept < i) move(i, kept, batch);
      put(&values, from++, kept++, batch);
    }
    batch->size = static_cast<i64>(kept);
    if (!batch->ordinals.empty()) batch->ordinals.resize(kept);
  }

  static void move(size_t from, size_t to, RecordBatch *batch) {
    batch->records[to] = batch->records[from];
    if (!batch->ordinals.empty()) batch->ordinals[to] = batch->ordinals[from];
    for (RecordBatch::Column &column : batch->fields) column[to] = column[from];
  }

  const std::unique_ptr<RecordReader> reader_;
  const std::vector<RunningPlace> places_;
};

}  // namespace

std::vector<FieldName> without_running(std::vector<FieldName> wanted) {
  for (FieldName &name : wanted) {
    if (is_running(name)) name = {.text = "", .number = 0};
  }
  return wanted;
}

std::unique_ptr<RecordReader> make_running_reader(std::unique_ptr<RecordReader> reader,
                                                  const std::vector<FieldName> &wanted,
                                                  const std::vector<FieldName> &fields) {
  std::vector<RunningPlace> places;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!is_running(wanted[i])) continue;
    const auto found = std::ranges::find(fields, wanted[i]);
    places.push_back({i, static_cast<size_t>(found - fields.begin())});
  }
  return std::make_unique<RunningReader>(std::move(reader), std::move(places));
}

}  // namespace mrc
