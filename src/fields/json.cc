// Many lines are indexed at once. No string continues past its line, because a line end is a
// control character there. So if the index of many lines has no error, each line's part of it is
// the same as if it were indexed alone. If there is an error, lines are indexed one by one, to find
// the line that has it. Records that are not lines are found first, and then treated in the same
// way.
#include "fields/json.h"

#include "base/text.h"
#include "fields/inner/json_record.h"
#include "fields/json_values.h"
#include "scan/scan.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// Bytes that are indexed at a time: text and index stay in the second-level cache.
constexpr i64 kIndexed = i64{32} << 10;

// Maximum number of records in a piece of values.
constexpr i64 kMostOfPiece = 2;

// A range of text, and the number of records in it.
struct Records {
  Bytes text;
  i64 size = 0;
};

class JsonReader : public RecordReader {
 public:
  JsonReader(const Dialect &dialect, size_t columns, JsonPaths paths)
      : terminator_(dialect.terminator),
        layout_(json_layout(dialect)),
        columns_(columns),
        paths_(std::move(paths)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override;

 private:
  Records next_lines(const char *begin, const char *end, i64 most, Bytes *lines) const;
  Records next_values(JsonValues *values, i64 most, Bytes *found) const;

  char terminator_;
  JsonLayout layout_;
  size_t columns_;
  JsonPaths paths_;
};

void take(Bytes line, JsonRecord *walker, RecordBatch *batch) {
  if (!walker->move_to(line)) return;
  if (const char *reason = walker->walk()) {
    batch->bad.push_back({line, reason});
    return;
  }
  batch->records[static_cast<size_t>(batch->size++)] = line;
}

// Takes a record that is indexed alone.
void take_alone(Bytes record, JsonIndex *index, JsonRecord *walker, RecordBatch *batch) {
  if (const char *reason = index->build(record)) {
    batch->bad.push_back({record, reason});
    return;
  }
  walker->begin(record);
  take(record, walker, batch);
}

void JsonReader::read(const Chunk &chunk, const char **next, RecordBatch *batch) const {
  thread_local JsonIndex index;
  batch->set_columns(columns_);
  JsonRecord walker(paths_, &index, batch);
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  const bool begins = chunk.offset == 0 && *next == chunk.bytes.data();
  if (begins && chunk.bytes.starts_with(kByteOrderMark)) *next += kByteOrderMark.size();
  JsonValues values(Bytes(*next, end), layout_, begins);
  std::array<Bytes, RecordBatch::kCapacity> found;
  const i64 least = layout_ == JsonLayout::lines ? 1 : kMostOfPiece;
  while (batch->size + least <= batch->capacity && *next < end) {
    const i64 most = batch->capacity - batch->size;
    const Records records = layout_ == JsonLayout::lines
                                ? next_lines(*next, end, most, found.data())
                                : next_values(&values, most, found.data());
    const bool together = index.build(records.text) == nullptr;
    if (together) walker.begin(records.text);
    for (i64 i = 0; i < records.size; ++i) {
      const Bytes record = found[static_cast<size_t>(i)];
      together ? take(record, &walker, batch) : take_alone(record, &index, &walker, batch);
    }
    *next += records.text.size();
  }
}

// Returns the lines that begin in the next kIndexed bytes: at least one, and at most `most`.
Records JsonReader::next_lines(const char *begin, const char *end, i64 most, Bytes *lines) const {
  const char *near = std::min(begin + kIndexed, end), *at = begin;
  ScanCursor cursor{begin, near};
  Bounds bounds;
  best_scanner().lines(&cursor, terminator_, &bounds);
  Records taken{{}, std::min(most, bounds.size)};
  for (i64 i = 0; i < taken.size; ++i) {
    const char *found = begin + bounds.at[static_cast<size_t>(i)];
    lines[i] = ended_line(at, found, terminator_);
    at = found + 1;
  }
  if (taken.size == 0) {
    const void *found = std::memchr(near, terminator_, static_cast<size_t>(end - near));
    const char *stop = found == nullptr ? end : static_cast<const char *>(found);
    lines[taken.size++] = line_of(begin, stop, end, terminator_);
    at = std::min(stop + 1, end);
  }
  taken.text = Bytes(begin, static_cast<size_t>(at - begin));
  return taken;
}

// Takes whole pieces, up to about kIndexed bytes and `most` records.
Records JsonReader::next_values(JsonValues *values, i64 most, Bytes *found) const {
  const char *begin = values->at();
  Records taken;
  const auto take = [&](Bytes value) {
    if (!value.empty()) found[taken.size++] = value;
  };
  JsonPiece piece;
  while (taken.size + kMostOfPiece <= most && values->at() - begin < kIndexed &&
         values->next(&piece)) {
    take(piece.other);
    take(piece.record);
  }
  taken.text = Bytes(begin, static_cast<size_t>(values->at() - begin));
  return taken;
}

}  // namespace

Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted) {
  return make_json_reader(dialect, wanted, {});
}

Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted,
                                                       std::span<const JsonAlias> aliases) {
  Result<JsonPaths> paths = JsonPaths::of(wanted, aliases);
  if (!paths.is_ok()) return paths.status();
  return std::make_unique<JsonReader>(dialect, wanted.size(), std::move(*paths));
}

}  // namespace mrc
