// Many lines are indexed at once. No string continues past its line, because a line end is a
// control character there. So if the index of many lines has no error, each line's part of it is
// the same as if it were indexed alone. If there is an error, lines are indexed one by one, to find
// the line that has it. Records that are not lines are found first, and then treated in the same
// way.
#include "fields/json.h"

#include "base/text.h"
#include "fields/found_fields.h"
#include "fields/inner/json_record.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"
#include "scan/scan.h"

#include <fmt/format.h>

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

void take_record(Bytes line, JsonRecord *walker, RecordBatch *batch) {
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
  take_record(record, walker, batch);
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
      together ? take_record(record, &walker, batch) : take_alone(record, &index, &walker, batch);
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

// Detects JSON lines, and collects the names in the first ones.

constexpr size_t kMostJsonLines = 100;
constexpr size_t kMostNames = 200;

// Collects the paths of a valid record.
class PathList {
 public:
  explicit PathList(std::vector<std::string> *names) : names_(names) {}

  void add(Bytes record, const JsonIndex &index, const std::string &path = "") {
    base_ = record.data();
    place_ = index.places();
    index_ = &index;
    object(path);
  }

 private:
  void object(const std::string &path) {
    for (++place_; token() != '}';) {
      const std::string member = json_path(path, name());
      place_ += 2;
      if (token() == '{') {
        object(member);
      } else {
        if (names_->size() < kMostNames && std::ranges::find(*names_, member) == names_->end()) {
          names_->push_back(member);
        }
        place_ = place_after_value(base_, place_);
      }
      if (token() == ',') ++place_;
    }
    ++place_;
  }
  std::string name() const {
    std::string name(static_cast<size_t>(place_[1] - place_[0] + kPadding), '\0');
    name.resize(
        static_cast<size_t>(index_->unescape(base_ + *place_ + 1, name.data()) - name.data()));
    return name;
  }
  char token() const { return base_[*place_]; }

  std::vector<std::string> *names_;
  const JsonIndex *index_ = nullptr;
  const char *base_ = nullptr;
  const u32 *place_ = nullptr;
};

// Returns the number of lines that are objects, and adds the paths in them.
i64 count_objects(const std::vector<Bytes> &lines, std::vector<std::string> *names) {
  const JsonPaths none = *JsonPaths::of({});
  JsonIndex index;
  RecordBatch batch;
  JsonRecord walker(none, &index, &batch);
  PathList paths(names);
  i64 objects = 0;
  for (Bytes line : lines) {
    if (index.build(line) != nullptr) continue;
    walker.begin(line);
    if (!walker.move_to(line) || walker.walk() != nullptr) continue;
    paths.add(line, index);
    ++objects;
  }
  return objects;
}

bool begins_with_brace(Bytes record) {
  return record.substr(record.find_first_not_of(" \t")).starts_with('{');
}

Status complete_json(const InputHead &input, Dialect *dialect) {
  *dialect = *sniff_json(input.spec, input.head, input.whole);
  return Status::ok();
}

std::optional<Dialect> recognize_json(const InputHead &input, const std::vector<Bytes> &records) {
  const i64 braces = std::ranges::count_if(records, begins_with_brace);
  if (braces == 0 || braces * 3 < std::ssize(records) * 2) return std::nullopt;
  return sniff_json(input.spec, input.head, input.whole);
}

}  // namespace

void add_json_paths(Bytes object, const JsonIndex &index, const std::string &path,
                    std::vector<std::string> *names) {
  PathList(names).add(object, index, path);
}

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

constinit const LineFormat LineFormat::json = {
    .name = "json",
    .make_reader = make_json_reader,
    .complete = complete_json,
    .recognize = recognize_json,
    .paths = true,
    .make_finder = make_json_finder,
};

std::optional<Dialect> sniff_json(const FormatSpec &spec, Bytes head, bool whole) {
  if (spec.format != nullptr && spec.format != &LineFormat::json) return std::nullopt;
  // Strings are over-read, so the text needs padding.
  std::string padded(head);
  padded.append(kPadding, '\0');
  head = Bytes(padded).substr(0, head.size());
  std::vector<Bytes> lines = first_lines({spec, head, whole}, kMostJsonLines);
  const Bytes only = without_spaces_around(without_byte_order_mark(head));
  if (lines.empty() && !only.empty()) lines = {only};
  Dialect dialect;
  const i64 objects = count_objects(lines, &dialect.names), all = std::ssize(lines);
  // A single line that is longer than the head cannot be checked past its beginning.
  const bool only_begins = all == 1 && !whole && lines[0].starts_with("{\"");
  if (spec.format == nullptr && 2 * objects <= all && !only_begins) return std::nullopt;
  dialect.format = &LineFormat::json;
  dialect.terminator = spec.terminator;
  dialect.open = true;
  dialect.reason = fmt::format("{} of the first {} records are JSON objects", objects, all);
  return dialect;
}

}  // namespace mrc
