// Prints the records that a part keeps of each group, unchanged.
#include "combine/first_records.h"
#include "output/inner/columns.h"

namespace mrc {
namespace {

constexpr size_t kLongText = size_t{64} << 10;  // the drain takes longer text

class RecordGroupFormatter : public Formatter {
 public:
  RecordGroupFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : shape_(shape),
        part_(layout.aggregation().parts[static_cast<size_t>(shape.records_part)]),
        rows_(rows),
        visible_(shape.terminal && !shape.raw) {}

  bool is_costly() const override { return true; }
  void header(std::string *out) const override { out->append(shape_.record_header); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override {
    for (const Row &row : rows) {
      each_record(part_, rows_.state(row), [&](Bytes record) {
        visible_ ? append_visible(record, out) : void(out->append(record));
        out->push_back(shape_.terminator);
        if (drain != nullptr && out->size() >= kLongText) drain->take(out);
      });
    }
  }

 private:
  const RowShape shape_;
  const Part &part_;
  const RowLayout rows_;
  const bool visible_;
};

}  // namespace

std::unique_ptr<Formatter> make_record_group_formatter(const RowShape &shape,
                                                       const StateLayout &layout,
                                                       const RowLayout &rows) {
  return std::make_unique<RecordGroupFormatter>(shape, layout, rows);
}

}  // namespace mrc
