// Reads binary records by columns: a loop for each field writes the numbers of a batch as decimal
// text, so that all stages see them as they see the fields of any format.
#include "fields/binary.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

namespace mrc {
namespace {

using Type = BinaryField::Type;

constexpr const char *kIncomplete = "the last record is incomplete";

// One field of records that follow one another.
struct Cells {
  const char *first;
  size_t stride;  // bytes from one record to the next
  size_t size;    // number of records
};

template <typename Number, typename Word>
Number number_at(const char *at, bool is_big_endian) {
  static_assert(std::endian::native == std::endian::little);
  Word word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (sizeof word == 2) word = is_big_endian ? __builtin_bswap16(word) : word;
  if constexpr (sizeof word == 4) word = is_big_endian ? __builtin_bswap32(word) : word;
  if constexpr (sizeof word == 8) word = is_big_endian ? __builtin_bswap64(word) : word;
  return std::bit_cast<Number>(word);
}

// Writes the shortest text that reads back as the same number.
template <typename Number, typename Word>
void write_numbers(const Cells &cells, bool is_big_endian, Arena *arena, Bytes *column) {
  constexpr size_t kLongest = 32;
  auto *to =
      reinterpret_cast<char *>(arena->alloc(static_cast<i64>(cells.size * kLongest) + kPadding));
  for (size_t i = 0; i < cells.size; ++i) {
    const auto number = number_at<Number, Word>(cells.first + i * cells.stride, is_big_endian);
    char *const end = std::to_chars(to, to + kLongest, number).ptr;
    column[i] = Bytes(to, static_cast<size_t>(end - to));
    to = end;
  }
}

// Puts text without the blanks and zero bytes that fill its place.
void put_texts(const Cells &cells, size_t bytes, Bytes *column) {
  for (size_t i = 0; i < cells.size; ++i) {
    const char *begin = cells.first + i * cells.stride, *end = begin + bytes;
    while (end > begin && (end[-1] == '\0' || end[-1] == ' ')) --end;
    column[i] = Bytes(begin, static_cast<size_t>(end - begin));
  }
}

void put_bytes(const Cells &cells, size_t bytes, Bytes *column) {
  for (size_t i = 0; i < cells.size; ++i) {
    column[i] = Bytes(cells.first + i * cells.stride, bytes);
  }
}

void put_cells(const BinaryField &field, const Cells &cells, Arena *arena, Bytes *column) {
  const bool big = field.is_big_endian;
  const auto bytes = static_cast<size_t>(field.place.end - field.place.begin);
  switch (field.type) {
    case Type::int8: return write_numbers<int8_t, u8>(cells, big, arena, column);
    case Type::uint8: return write_numbers<u8, u8>(cells, big, arena, column);
    case Type::int16: return write_numbers<int16_t, u16>(cells, big, arena, column);
    case Type::uint16: return write_numbers<u16, u16>(cells, big, arena, column);
    case Type::int32: return write_numbers<int32_t, u32>(cells, big, arena, column);
    case Type::uint32: return write_numbers<u32, u32>(cells, big, arena, column);
    case Type::int64: return write_numbers<i64, u64>(cells, big, arena, column);
    case Type::uint64: return write_numbers<u64, u64>(cells, big, arena, column);
    case Type::float32: return write_numbers<float, u32>(cells, big, arena, column);
    case Type::float64: return write_numbers<double, u64>(cells, big, arena, column);
    case Type::text: return put_texts(cells, bytes, column);
    case Type::bytes: return put_bytes(cells, bytes, column);
  }
}

// A field, and its column in the batch.
struct WantedCell {
  BinaryField field;
  i64 column;
};

class BinaryReader : public RecordReader {
 public:
  BinaryReader(i64 record_bytes, std::vector<WantedCell> cells, Projection projection)
      : record_bytes_(static_cast<size_t>(record_bytes)),
        cells_(std::move(cells)),
        projection_(std::move(projection)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *const begin = *next, *const end = chunk.bytes.data() + chunk.bytes.size();
    const size_t left = static_cast<size_t>(end - begin) / record_bytes_;
    const size_t size = std::min(left, static_cast<size_t>(batch->capacity));
    put_bytes({begin, record_bytes_, size}, record_bytes_, batch->records.data());
    batch->size = static_cast<i64>(size);
    for (const WantedCell &cell : cells_) {
      put_cells(cell.field, {begin + cell.field.place.begin, record_bytes_, size},
                &batch->unescaped, batch->fields[static_cast<size_t>(cell.column)].data());
    }
    *next = begin + size * record_bytes_;
    if (size == left && *next < end) {
      batch->bad.push_back({Bytes(*next, static_cast<size_t>(end - *next)), kIncomplete});
      *next = end;
    }
    projection_.finish(batch);
  }

 private:
  const size_t record_bytes_;
  const std::vector<WantedCell> cells_;
  const Projection projection_;
};

Status no_field(const Dialect &dialect, const FieldName &name, i64 most) {
  if (most > 0) return unknown_field(dialect, name, most);
  return Status::error(
      fmt::format("no field {}: fields of records that have only a size are ranges of their bytes, "
                  "such as 0:10, and $\"0:10\" in expressions",
                  name.text));
}

// Returns the field that is called so, or the range of bytes.
Result<BinaryField> find_field(const BinaryLayout &layout, const Dialect &dialect,
                               const WantedField &wanted) {
  if (wanted.field >= 0) return layout.fields[static_cast<size_t>(wanted.field)];
  const auto found = std::ranges::find(layout.fields, wanted.name, &BinaryField::name);
  if (found != layout.fields.end()) return *found;
  Result<ByteRange> range = parse_byte_range(wanted.name);
  if (!range.is_ok()) return no_field(dialect, {wanted.name, -1}, std::ssize(layout.fields));
  if (range->end > layout.record_bytes) {
    return Status::error(
        fmt::format("{} extends past the {} bytes of a record", wanted.name, layout.record_bytes));
  }
  return BinaryField{.place = *range, .name = wanted.name};
}

Result<std::unique_ptr<RecordReader>> make_binary_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  const Result<BinaryLayout> layout = BinaryLayout::parse(dialect.layout);
  if (!layout.is_ok()) return layout.status();
  const i64 most = std::ssize(layout->fields);
  for (const FieldName &name : wanted) {
    if (name.number > most) return no_field(dialect, name, most);
  }
  Dialect open = dialect;  // ranges of bytes are names that no list has
  open.open = true;
  Result<Projection> projection = Projection::resolve(open, wanted, most);
  if (!projection.is_ok()) return projection.status();
  std::vector<WantedCell> cells;
  for (const WantedField &one : projection->fields()) {
    Result<BinaryField> field = find_field(*layout, dialect, one);
    if (!field.is_ok()) return field.status();
    cells.push_back({std::move(*field), one.column});
  }
  return std::make_unique<BinaryReader>(layout->record_bytes, std::move(cells),
                                        std::move(*projection));
}

Status complete_binary(const InputHead &input, Dialect *dialect) {
  const Result<BinaryLayout> layout = BinaryLayout::parse(input.spec.binary);
  if (!layout.is_ok()) return layout.status();
  dialect->layout = input.spec.binary;
  for (const BinaryField &field : layout->fields) dialect->names.push_back(field.name);
  dialect->reason = fmt::format("as asked: records of {} bytes", layout->record_bytes);
  return Status::ok();
}

}  // namespace

constinit const LineFormat LineFormat::binary = {
    .name = "binary",
    .make_reader = make_binary_reader,
    .complete = complete_binary,
};

}  // namespace mrc
