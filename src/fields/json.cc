// Many lines are indexed at once. No string goes on past its line, because a line end is a
// control character there: so if the index of many lines is without an error, each line's
// part of it is what it would be alone. If there is an error, lines are indexed one by
// one, and the error is that of its line.
#include "fields/json.h"

#include "base/text.h"
#include "fields/json_record.h"
#include "scan/scan.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// Text that is indexed at a time: it and its index stay in the second-level cache.
constexpr i64 kIndexed = i64{32} << 10;

// Some lines in a row, without their terminators.
struct Lines {
  Bytes text;
  i64 size = 0;
};

class JsonReader : public RecordReader {
 public:
  JsonReader(char terminator, size_t columns, JsonPaths paths)
      : terminator_(terminator), columns_(columns), paths_(std::move(paths)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override;

 private:
  Lines next_lines(const char *begin, const char *end, i64 most, RecordBatch::Column *lines) const;

  char terminator_;
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

void JsonReader::read(const Chunk &chunk, const char **next, RecordBatch *batch) const {
  thread_local JsonIndex index;
  batch->fields.resize(columns_);
  JsonRecord walker(paths_, &index, batch);
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  if (chunk.offset == 0 && *next == chunk.bytes.data() && chunk.bytes.starts_with(kByteOrderMark)) {
    *next += kByteOrderMark.size();
  }
  RecordBatch::Column column;
  while (batch->size < RecordBatch::kCapacity && *next < end) {
    const Lines lines = next_lines(*next, end, RecordBatch::kCapacity - batch->size, &column);
    const bool together = index.build(lines.text) == nullptr;
    if (together) walker.begin(lines.text);
    for (i64 i = 0; i < lines.size; ++i) {
      const Bytes line = column[static_cast<size_t>(i)];
      if (!together) {
        if (const char *reason = index.build(line)) {
          batch->bad.push_back({line, reason});
          continue;
        }
        walker.begin(line);
      }
      take(line, &walker, batch);
    }
    *next += lines.text.size();
  }
}

// The lines that begin in the next kIndexed bytes, `most` at most, and one at least.
Lines JsonReader::next_lines(const char *begin, const char *end, i64 most,
                             RecordBatch::Column *lines) const {
  const char *near = std::min(begin + kIndexed, end), *at = begin;
  ScanCursor cursor{begin, near};
  Bounds bounds;
  best_scanner().lines(&cursor, terminator_, &bounds);
  Lines taken{{}, std::min(most, bounds.size)};
  for (i64 i = 0; i < taken.size; ++i) {
    const char *found = begin + bounds.at[static_cast<size_t>(i)];
    (*lines)[static_cast<size_t>(i)] = ended_line(at, found, terminator_);
    at = found + 1;
  }
  if (taken.size == 0) {
    const void *found = std::memchr(near, terminator_, static_cast<size_t>(end - near));
    const char *stop = found == nullptr ? end : static_cast<const char *>(found);
    (*lines)[static_cast<size_t>(taken.size++)] = line_of(begin, stop, end, terminator_);
    at = std::min(stop + 1, end);
  }
  taken.text = Bytes(begin, static_cast<size_t>(at - begin));
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
  return std::make_unique<JsonReader>(dialect.terminator, wanted.size(), std::move(*paths));
}

}  // namespace mrc
