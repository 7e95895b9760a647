// Binary records of any layout and any bytes: the first line is a layout, and what follows are
// records. The reader finds as many as there are bytes for, whatever batches it fills, and whole
// records are those bytes.
#include "fields/binary.h"
#include "unit/map/padded_text.h"

#include <cstdlib>

namespace {

using namespace mrc;

void expect(bool holds) {
  if (!holds) std::abort();
}

std::vector<FieldName> all_fields(const BinaryLayout &layout) {
  std::vector<FieldName> wanted = {{"", 0}, {"0:1", -1}};
  for (i64 i = 1; i <= std::ssize(layout.fields) && i <= 20; ++i) wanted.push_back({"", i});
  return wanted;
}

void expect_records(const RecordReader &reader, Bytes text, i64 record_bytes) {
  const PaddedText padded(text);
  const Chunk chunk{padded.text(), 0, 0};
  RecordBatch batch;
  const char *begin = chunk.bytes.data(), *next = begin, *end = next + text.size();
  i64 records = 0, bad = 0;
  while (next < end) {
    batch.clear();
    const char *before = next;
    reader.read(chunk, &next, &batch);
    expect(next > before);
    for (i64 i = 0; i < batch.size; ++i) {
      const auto row = static_cast<size_t>(i);
      expect(batch.records[row].data() == begin + records++ * record_bytes);
      expect(std::ssize(batch.records[row]) == record_bytes);
      expect(batch.fields[0][row] == batch.records[row]);
      expect(batch.fields[1][row] == batch.records[row].substr(0, 1));
      for (const RecordBatch::Column &column : batch.fields) expect(column[row].data() != nullptr);
    }
    bad += std::ssize(batch.bad);
  }
  expect(records == std::ssize(text) / record_bytes);
  expect(bad == (std::ssize(text) % record_bytes != 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Bytes all(reinterpret_cast<const char *>(data), size);
  const size_t end = std::min(all.find('\n'), size);
  const std::string text(all.substr(0, end));
  const Result<BinaryLayout> layout = BinaryLayout::parse(text);
  with_quoted_ranges(text);
  if (!layout.is_ok() || layout->record_bytes > 4096) return 0;
  const Result<Dialect> dialect = sniff({.binary = text}, "x", false);
  expect(dialect.is_ok());
  const std::vector<FieldName> wanted = all_fields(*layout);
  const auto reader = make_reader(*dialect, wanted);
  expect(reader.is_ok());
  expect_records(**reader, all.substr(std::min(end + 1, size)), layout->record_bytes);
  return 0;
}
