// The lines of a batch are read by the first dialect, those that it rejects by the second, and so
// on. A line that none takes may continue the record before it: then all lines of that record are
// read again, by a reader of its dialect that joins lines.
#include "base/text.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/mixed.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr const char *kReason = "it has none of the formats of the first records";

// One of the dialects, for the wanted fields.
struct MixedPart {
  std::unique_ptr<RecordReader> lines;   // reads records of one line
  std::unique_ptr<RecordReader> joined;  // null unless records may have several lines
  std::vector<bool> is_whole, is_there;  // by column: the whole record; a field of this dialect
};

struct MixedLine {
  Bytes text;
  i64 part = -1;        // the dialect that it matches; -1: none
  size_t record = 0;    // its number in the batch of the part
  bool begins = false;  // it continues no record
};

// Lines in a text of their own, in order.
struct GatheredLines {
  Bytes text;
  std::vector<const char *> begins;  // begin of each line in the text
  std::vector<size_t> lines;         // its number among all lines
};

std::unique_ptr<RecordBatch> make_batch(i64 capacity) {
  auto batch = std::make_unique<RecordBatch>();
  batch->capacity = std::max<i64>(capacity, 1);
  return batch;
}

class MixedReader : public RecordReader {
 public:
  MixedReader(char terminator, size_t columns, std::vector<MixedPart> parts)
      : terminator_(terminator), columns_(columns), parts_(std::move(parts)) {
    const auto joins = [](const MixedPart &part) { return part.joined != nullptr; };
    joins_lines_ = std::ranges::any_of(parts_, joins);
    has_single_lines_ = !std::ranges::all_of(parts_, joins);
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override;
  bool joins_lines() const override { return joins_lines_; }
  bool begins(Bytes head) const override { return begins(head, make_batch(1).get()); }

 private:
  std::vector<MixedLine> take_lines(const char **next, const char *end, i64 most) const;
  GatheredLines gather(const std::vector<MixedLine> &lines, Arena *arena) const;
  void read_rest(const Chunk &chunk, size_t part, std::vector<MixedLine> *lines, RecordBatch *batch,
                 Arena *arena) const;
  void find_begins(std::vector<MixedLine> *lines) const;
  size_t put_record(const Chunk &chunk, const std::vector<MixedLine> &lines, size_t line,
                    const RecordBatch &from, const char **next, RecordBatch *spare,
                    RecordBatch *batch) const;
  void put(const MixedLine &line, const RecordBatch &from, RecordBatch *batch) const;
  void put_joined(const Chunk &chunk, const MixedPart &part, Bytes text, RecordBatch *spare,
                  RecordBatch *batch) const;
  const char *end_of_record(const char *at, const char *end, RecordBatch *spare) const;
  // `spare` is for one record.
  bool begins(Bytes head, RecordBatch *spare) const;

  char terminator_;
  size_t columns_;
  std::vector<MixedPart> parts_;
  bool joins_lines_, has_single_lines_;
};

bool is_long(Bytes line) { return std::ssize(line) >= kHeadOfRecord; }
Bytes head_of(Bytes line) { return line.substr(0, kHeadOfRecord); }

// Takes the lines that are not blank, as many as fit in a batch.
std::vector<MixedLine> MixedReader::take_lines(const char **next, const char *end, i64 most) const {
  std::vector<MixedLine> lines;
  lines.reserve(static_cast<size_t>(most));
  while (*next < end && std::ssize(lines) < most) {
    const void *found = std::memchr(*next, terminator_, static_cast<size_t>(end - *next));
    const char *at = found == nullptr ? end : static_cast<const char *>(found);
    const Bytes line = line_of(*next, at, end, terminator_);
    if (!is_blank_line(line)) lines.push_back({line});
    *next = at == end ? end : at + 1;
  }
  return lines;
}

// Gathers the lines that no part has taken. All lines together are where they were.
GatheredLines MixedReader::gather(const std::vector<MixedLine> &lines, Arena *arena) const {
  GatheredLines gathered;
  size_t size = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].part >= 0) continue;
    gathered.lines.push_back(i);
    size += lines[i].text.size() + 1;
  }
  char *begin = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(size) + kPadding)),
       *to = begin;
  for (const size_t i : gathered.lines) {
    gathered.begins.push_back(to);
    std::memcpy(to, lines[i].text.data(), lines[i].text.size());
    to += lines[i].text.size();
    *to++ = terminator_;
  }
  std::memset(to, 0, kPadding);
  gathered.text = {begin, size};
  return gathered;
}

// Reads the lines that no part before has taken.
void MixedReader::read_rest(const Chunk &chunk, size_t part, std::vector<MixedLine> *lines,
                            RecordBatch *batch, Arena *arena) const {
  const GatheredLines gathered = gather(*lines, arena);
  if (gathered.lines.empty()) return;
  Chunk rest = chunk;
  rest.bytes = gathered.text;
  const char *next = rest.bytes.data();
  parts_[part].lines->read(rest, &next, batch);
  size_t line = 0;
  for (size_t record = 0; record < static_cast<size_t>(batch->size); ++record) {
    const char *at = batch->records[record].data();
    while (line + 1 < gathered.begins.size() && gathered.begins[line + 1] <= at) ++line;
    MixedLine &of = (*lines)[gathered.lines[line]];
    of.part = static_cast<i64>(part);
    of.record = record;
  }
}

// Finds out which lines continue no record. The first bytes of a long line decide, as where chunks
// are cut.
void MixedReader::find_begins(std::vector<MixedLine> *lines) const {
  for (MixedLine &line : *lines) {
    line.begins = is_long(line.text) ? begins(head_of(line.text)) : line.part >= 0;
    if (!line.begins) line.part = -1;
  }
}

void MixedReader::put(const MixedLine &line, const RecordBatch &from, RecordBatch *batch) const {
  const MixedPart &part = parts_[static_cast<size_t>(line.part)];
  const auto to = static_cast<size_t>(batch->size++);
  batch->records[to] = line.text;
  for (size_t i = 0; i < columns_; ++i) {
    Bytes &value = batch->fields[i][to];
    value = part.is_whole[i] ? line.text : part.is_there[i] ? from.fields[i][line.record] : Bytes();
  }
}

// Reads a record and the lines after it.
void MixedReader::put_joined(const Chunk &chunk, const MixedPart &part, Bytes text,
                             RecordBatch *spare, RecordBatch *batch) const {
  Chunk lines = chunk;
  lines.offset += text.data() - chunk.bytes.data();
  lines.bytes = text;
  for (const char *next = text.data(), *end = next + text.size(); next < end;) {
    spare->clear();
    part.joined->read(lines, &next, spare);
    if (spare->size > 0) put({spare->records[0], &part - parts_.data(), 0}, *spare, batch);
    batch->bad.insert(batch->bad.end(), spare->bad.begin(), spare->bad.end());
    batch->unescaped.adopt(&spare->unescaped);
  }
}

// Returns the beginning of the first line from `at` on that begins a record.
const char *MixedReader::end_of_record(const char *at, const char *end, RecordBatch *spare) const {
  while (at < end) {
    const void *found = std::memchr(at, terminator_, static_cast<size_t>(end - at));
    const char *stop = found == nullptr ? end : static_cast<const char *>(found);
    if (begins(head_of(line_of(at, stop, end, terminator_)), spare)) return at;
    at = stop == end ? end : stop + 1;
  }
  return end;
}

// Returns true if a line begins a record, by its head. A short head is all of the line.
bool MixedReader::begins(Bytes head, RecordBatch *spare) const {
  if (!joins_lines_) return true;
  if (head.ends_with('\r') && terminator_ == '\n') head.remove_suffix(1);
  if (is_blank_line(head)) return false;
  if (is_long(head)) {
    const auto begins_joined = [&](const MixedPart &part) {
      return part.joined != nullptr && part.joined->begins(head);
    };
    return (has_single_lines_ && !goes_on(head)) || std::ranges::any_of(parts_, begins_joined);
  }
  return std::ranges::any_of(parts_, [&](const MixedPart &part) {
    spare->clear();
    const char *next = head.data();
    part.lines->read(Chunk{head, 0, kHeadOfRecord}, &next, spare);
    return spare->size > 0;
  });
}

// Puts a record and the lines that continue it. `line` is the number of its first line. Returns the
// number of the next one, and moves *next past lines after the last one.
size_t MixedReader::put_record(const Chunk &chunk, const std::vector<MixedLine> &lines, size_t line,
                               const RecordBatch &from, const char **next, RecordBatch *spare,
                               RecordBatch *batch) const {
  const MixedPart &part = parts_[static_cast<size_t>(lines[line].part)];
  size_t after = line + 1;
  if (part.joined != nullptr) {
    while (after < lines.size() && !lines[after].begins) ++after;
  }
  const char *begin = lines[line].text.data(), *stop = *next;
  if (after < lines.size()) {
    stop = lines[after].text.data();
  } else if (part.joined != nullptr) {
    stop = end_of_record(*next, chunk.bytes.data() + chunk.bytes.size(), spare);
  }
  const bool is_joined = after > line + 1 || (after == lines.size() && stop != *next);
  if (after == lines.size()) *next = stop;
  if (is_joined) {
    put_joined(chunk, part, {begin, static_cast<size_t>(stop - begin)}, spare, batch);
  } else {
    put(lines[line], from, batch);
  }
  return after;
}

void MixedReader::read(const Chunk &chunk, const char **next, RecordBatch *batch) const {
  batch->set_columns(columns_);
  const bool is_first = chunk.offset == 0 && *next == chunk.bytes.data();
  if (is_first && chunk.bytes.starts_with(kByteOrderMark)) *next += kByteOrderMark.size();
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  std::vector<MixedLine> lines = take_lines(next, end, batch->capacity);
  std::vector<std::unique_ptr<RecordBatch>> batches;
  for (size_t part = 0; part < parts_.size(); ++part) {
    batches.push_back(make_batch(std::ssize(lines)));
    read_rest(chunk, part, &lines, batches[part].get(), &batch->unescaped);
  }
  find_begins(&lines);
  const auto spare = make_batch(1);
  for (size_t i = 0; i < lines.size();) {
    const MixedLine &line = lines[i];
    if (line.part >= 0) {
      const RecordBatch &from = *batches[static_cast<size_t>(line.part)];
      i = put_record(chunk, lines, i, from, next, spare.get(), batch);
    } else {
      batch->bad.push_back({line.text, kReason});
      ++i;
    }
  }
  for (const auto &each : batches) batch->unescaped.adopt(&each->unescaped);
}

// Makes the readers of one dialect. Other fields than its own are read as whole records, and are
// missing then.
Result<MixedPart> make_part(const Dialect &dialect, bool joins, std::span<const FieldName> wanted) {
  MixedPart part;
  std::vector<FieldName> own(wanted.begin(), wanted.end());
  for (FieldName &field : own) {
    part.is_whole.push_back(field.number == 0);
    part.is_there.push_back(field.number == 0 || dialect.open || has_field(dialect, field.text));
    if (!part.is_there.back()) field = {.text = "", .number = 0};
  }
  Dialect of_lines = dialect;
  of_lines.joins_lines = false;
  Result<std::unique_ptr<RecordReader>> lines = make_reader(of_lines, own);
  if (!lines.is_ok()) return lines.status();
  part.lines = std::move(*lines);
  if (!joins || !dialect.joins_lines) return part;
  Dialect of_records = dialect;
  of_records.whole_layout = false;  // the first line is known to match
  Result<std::unique_ptr<RecordReader>> joined = make_reader(of_records, own);
  if (!joined.is_ok()) return joined.status();
  part.joined = std::move(*joined);
  return part;
}

Result<std::unique_ptr<RecordReader>> make_mixed_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  const std::vector<FieldName> named = by_names(dialect, wanted);
  for (const FieldName &field : named) {
    const bool is_there =
        field.number == 0 ||
        (field.number == -1 && (dialect.open || has_name(dialect.names, field.text)));
    if (!is_there) return unknown_field(dialect, field, std::ssize(dialect.names));
  }
  std::vector<MixedPart> parts;
  for (const MixedTrial &trial : trials_of(dialect.mixed)) {
    Result<MixedPart> part = make_part(trial.dialect, dialect.joins_lines, named);
    if (!part.is_ok()) return part.status();
    parts.push_back(std::move(*part));
  }
  return std::unique_ptr<RecordReader>(
      std::make_unique<MixedReader>(dialect.terminator, wanted.size(), std::move(parts)));
}

}  // namespace

constinit const LineFormat LineFormat::mixed = {
    .name = "mixed", .make_reader = make_mixed_reader, .complete = nullptr};

}  // namespace mrc
