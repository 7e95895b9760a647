// CSV of any bytes: the reader finds what the naive one finds, and so does one that gets
// the text in two parts, cut where the state of quoting says that it may be. The first
// byte is the separator, the second says where to cut.
#include "fields/csv.h"
#include "split/scanned_cuts.h"
#include "unit/fields/naive_csv_records.h"
#include "unit/map/padded_text.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace mrc;

constexpr i64 kFields = 4;

void expect(bool holds) {
  if (!holds) std::abort();
}

std::unique_ptr<RecordReader> reader_of(CsvBytes bytes) {
  Dialect dialect;
  dialect.format = &LineFormat::csv;
  dialect.delimiter = bytes.separator;
  std::vector<FieldName> wanted;
  for (i64 k = 1; k <= kFields; ++k) wanted.push_back({"", k});
  return std::move(*make_csv_reader(dialect, wanted));
}

// What the naive reader gives, in the order in which a batch has it.
struct Naive {
  std::vector<NaiveRecord> good, bad;
};

Naive naive(Bytes text, CsvBytes bytes) {
  Naive all;
  for (NaiveRecord &record : naive_records(text, bytes)) {
    (record.unclosed ? all.bad : all.good).push_back(std::move(record));
  }
  return all;
}

void expect_row(const RecordBatch &batch, size_t row, const NaiveRecord &record) {
  expect(batch.records[row] == record.text);
  for (size_t k = 0; k < kFields; ++k) {
    const Bytes field = batch.fields[k][row];
    expect((field.data() != nullptr) == (k < record.fields.size()));
    expect(field.data() == nullptr || field == record.fields[k]);
  }
}

void expect_read(Bytes text, i64 offset, CsvBytes bytes, const Naive &all, size_t *good,
                 size_t *bad) {
  const PaddedText padded(text, '"');
  const Chunk chunk{padded.text(), 0, offset};
  const auto reader = reader_of(bytes);
  RecordBatch batch;
  const char *next = chunk.bytes.data(), *end = next + text.size();
  while (next < end) {
    batch.clear();
    reader->read(chunk, &next, &batch);
    for (size_t row = 0; row < static_cast<size_t>(batch.size); ++row) {
      expect(*good < all.good.size());
      expect_row(batch, row, all.good[(*good)++]);
    }
    for (const BadRecord &record : batch.bad) {
      expect(*bad < all.bad.size());
      expect(record.record == all.bad[(*bad)++].text);
    }
  }
  expect(next == end);
}

// Where the first record begins that begins at or after `from`, but for the first of all.
size_t cut_behind(Bytes text, size_t from, CsvBytes bytes) {
  const PaddedText padded(text);
  const size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (from <= mark || from >= text.size()) return 0;
  const CutRule rule = CutRule::csv(bytes);
  CutTransfer transfer;
  transfer.append(padded.text().substr(mark, from - mark), 0, rule);
  const char *end = padded.text().data() + text.size();
  const CutSkim skim = rule.first(transfer.to[0], end - (text.size() - from), end);
  return skim.end == nullptr ? 0 : static_cast<size_t>(skim.end + 1 - padded.text().data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || data[0] == '"' || data[0] == '\r' || data[0] == '\n') return 0;
  const CsvBytes bytes{static_cast<char>(data[0]), '\n'};
  const Bytes text(reinterpret_cast<const char *>(data) + 2, size - 2);
  const Naive all = naive(text, bytes);
  size_t good = 0, bad = 0;
  const size_t cut = cut_behind(text, data[1], bytes);
  expect_read(text.substr(0, cut), 0, bytes, all, &good, &bad);
  expect_read(text.substr(cut), static_cast<i64>(cut), bytes, all, &good, &bad);
  expect(good == all.good.size() && bad == all.bad.size());
  sniff_csv({}, text, data[1] & 1);
  return 0;
}
