// Stored records, both ways. What is written is what is read; and any bytes that pass
// check_records() are just what writing again gives. The first two bytes are the sizes
// of the fixed parts, the rest is taken as a list of records and as a payload.
#include "support/run_bytes.h"

namespace {

using namespace mrc;

// Cuts fields from the input; what is missing is zero.
class Input {
 public:
  explicit Input(Bytes bytes) : left_(bytes) {}
  bool is_empty() const { return left_.empty(); }
  u64 number() { return is_empty() ? 0 : static_cast<u8>(text(1)[0]); }
  Bytes text(u64 bytes) {
    const Bytes front = left_.substr(0, bytes);
    left_.remove_prefix(front.size());
    return front;
  }

 private:
  Bytes left_;
};

void expect(bool holds) {
  if (!holds) std::abort();
}

Bytes fixed_bytes(const StoredRecord &record, RecordShape shape) {
  return {reinterpret_cast<const char *>(record.fixed),
          static_cast<size_t>(shape.fixed_bytes(record.is_state))};
}

void write_and_read(Input input, RecordShape shape) {
  const std::string fixed(256, 'f');
  std::vector<StoredRecord> records;
  Payload payload(shape);
  while (!input.is_empty()) {
    const u64 kind = input.number();
    const Bytes key = input.text(input.number());
    records.push_back({.hash = kind << 56,
                       .key = key,
                       .is_state = (kind & 1) != 0,
                       .fixed = reinterpret_cast<const std::byte *>(fixed.data()),
                       .var = kind & 2 ? input.text(input.number()) : Bytes()});
    payload.add(records.back());
  }
  expect(check_records(payload.bytes(), shape, payload.info().records).is_ok());
  const auto *at = reinterpret_cast<const std::byte *>(payload.bytes().data());
  for (const StoredRecord &record : records) {
    StoredRecord read;
    at = read_record(at, shape, &read);
    expect(read.hash == record.hash && read.key == record.key && read.var == record.var &&
           read.is_state == record.is_state);
    expect(fixed_bytes(read, shape) == fixed_bytes(record, shape));
  }
}

void check_and_rewrite(Bytes bytes, RecordShape shape) {
  i64 records = 0;
  while (!check_records(bytes, shape, records).is_ok()) {
    if (++records > static_cast<i64>(bytes.size()) / kRecordHead) return;
  }
  // A copy with its slack, as all buffers have.
  const std::string buffer = std::string(bytes) + std::string(kRecordSlack, '#');
  Payload again(shape);
  const auto *at = reinterpret_cast<const std::byte *>(buffer.data());
  for (i64 i = 0; i < records; ++i) {
    StoredRecord record;
    at = read_record(at, shape, &record);
    again.add(record);
  }
  expect(again.bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  const RecordShape shape = {data[0] & ~3, data[1] & ~3};
  const Bytes rest(reinterpret_cast<const char *>(data) + 2, size - 2);
  write_and_read(Input(rest), shape);
  check_and_rewrite(rest, shape);
  return 0;
}
