// Reads CSV. The iterator over records is used to recognize it, too.
#include "fields/csv.h"

#include "base/name_index.h"
#include "base/text.h"
#include "fields/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// The kernel finds many records in one pass. It lists all delimiters, and which of them end
// records. So the number of fields is a difference, and a field is found by its number without a
// walk over those before it.
//
// The list is as large as a part of the first-level cache. A record that is cut off at the end of
// the list is listed again from its beginning; a record with more fields than the list takes gets a
// longer list.

// The place before the first of a scan; adding one to it gives zero.
constexpr u32 kBeforeAll = ~u32{0};

class CsvReader : public RecordReader {
 public:
  // `wanted` has the numbers of fields from 1, and 0 for the record.
  CsvReader(const Dialect &dialect, std::vector<i64> wanted)
      : bytes_(csv_bytes(dialect)),
        header_(dialect.header),
        most_(dialect.names.empty() ? dialect.most_fields : std::ssize(dialect.names)),
        wanted_(std::move(wanted)) {
    const char *others = dialect.names.empty() ? "the first records have" : "the header has";
    for (i64 fields = most_ + 1; most_ > 0 && fields < most_ + kCounted; ++fields) {
      too_many_.push_back(fmt::format("{} fields, {} {}", fields, others, most_));
    }
    too_many_.push_back(
        fmt::format("more than {} fields, {} {}", most_ + kCounted - 1, others, most_));
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override;

 private:
  static constexpr i64 kCounted = 100;  // excess fields up to which a message gives their number

  void put(const CsvRecord &record, RecordBatch *batch) const;
  const char *too_many(i64 fields) const {
    const i64 last = std::ssize(too_many_) - 1;
    return too_many_[static_cast<size_t>(std::min(fields - most_ - 1, last))].c_str();
  }

  CsvBytes bytes_;
  bool header_;
  i64 most_;  // 0: no limit
  std::vector<i64> wanted_;
  std::vector<std::string> too_many_;
};

void CsvReader::read(const Chunk &chunk, const char **next, RecordBatch *batch) const {
  batch->set_columns(wanted_.size());
  const char *end = chunk.bytes.data() + chunk.bytes.size();
  Bytes text(*next, static_cast<size_t>(end - *next));
  const bool first = chunk.offset == 0 && *next == chunk.bytes.data();
  if (first) text = without_byte_order_mark(text);
  CsvRecords records(text, bytes_, batch->capacity + 1);
  CsvRecord record;
  if (first && header_) {
    batch->ends_in_quotes = records.next(&record) == CsvRecords::Next::unclosed;
  }
  while (batch->size < batch->capacity) {
    const CsvRecords::Next found = records.next(&record);
    if (found == CsvRecords::Next::none) break;
    if (found == CsvRecords::Next::unclosed) {
      batch->ends_in_quotes = true;
      batch->bad.push_back({record.text, kUnclosedQuote});
    } else if (most_ > 0 && record.fields > most_) {
      batch->bad.push_back({record.text, too_many(record.fields)});
    } else {
      put(record, batch);
    }
  }
  *next = records.position();
}

void CsvReader::put(const CsvRecord &record, RecordBatch *batch) const {
  const size_t row = static_cast<size_t>(batch->size++);
  batch->records[row] = record.text;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const i64 number = wanted_[i];
    Bytes value;
    if (number == 0) {
      value = record.text;
    } else if (number <= record.fields) {
      value = csv_value(record.raw(number - 1), &batch->unescaped);
    }
    batch->fields[i][row] = value;
  }
}

Result<i64> number_of_column(const Dialect &dialect, const NameIndex &known,
                             const FieldName &field) {
  const i64 names = std::ssize(dialect.names);
  if (field.number >= 0) {
    if (names == 0 || field.number <= names) return field.number;
    return unknown_field(dialect, field, names);
  }
  const i64 found = known.find(field.text);
  return found < 0 ? Result<i64>(unknown_field(dialect, field, names)) : found + 1;
}

}  // namespace

Bytes unquote_csv(Bytes raw, Arena *copies) {
  const Bytes inner = raw.substr(1);
  const size_t quote = inner.find('"');
  if (quote == inner.size() - 1) return inner.substr(0, quote);
  char *to = reinterpret_cast<char *>(copies->alloc(std::ssize(inner) + kPadding));
  const char *begin = to;
  // Copies pieces up to quotes. A quote that another one follows stands for itself.
  for (size_t at = 0; at < inner.size();) {
    const size_t found = inner.find('"', at), end = std::min(found, inner.size());
    std::memcpy(to, inner.data() + at, end - at);
    to += end - at;
    at = end + 1;
    if (found == Bytes::npos) break;
    if (at < inner.size() && inner[at] == '"') {
      *to++ = inner[at++];
      continue;
    }
    const Bytes tail = inner.substr(std::min(at, inner.size()));
    std::memcpy(to, tail.data(), tail.size());
    to += tail.size();
    break;
  }
  return {begin, static_cast<size_t>(to - begin)};
}

CsvRecords::CsvRecords(Bytes text, CsvBytes bytes, i64 most)
    : scanner_(best_csv_scanner()),
      bytes_(bytes),
      position_(text.data()),
      end_(text.data() + text.size()),
      base_(position_),
      left_(most),
      bounds_{places_ + 1, ends_, kMostPlaces, 0} {
  places_[0] = kBeforeAll;
}

CsvRecords::Next CsvRecords::next(CsvRecord *record) {
  for (;;) {
    while (record_ < bounds_.records) {
      const i64 last = bounds_.ends[record_++];
      const char *end = base_ + bounds_.at[last];
      record->places = bounds_.at + place_;
      record->fields = last + 1 - place_;
      place_ = last + 1;
      const Next found = take(end, record);
      position_ = end + 1;
      if (found != Next::none) return found;
    }
    if (position_ >= end_) return Next::none;
    if (!scan()) return last_record(record);
  }
}

// Lists the records from position_ on. Returns false if there is only a last one without an end.
bool CsvRecords::scan() {
  base_ = position_;
  record_ = place_ = 0;
  bounds_.most_records = std::clamp<i64>(left_, 1, kMostRecords);
  for (;;) {
    scanner_.bounds(position_, end_, bytes_, &bounds_);
    left_ -= bounds_.records;
    if (bounds_.records > 0) return true;
    if (bounds_.next == end_) return false;
    bounds_.most *= 4;
    u32 *longer = reinterpret_cast<u32 *>(wide_.alloc(4 * (1 + bounds_.most + CsvBounds::kSlack)));
    longer[0] = kBeforeAll;
    bounds_.at = longer + 1;
  }
}

// Takes the record that ends with the text.
CsvRecords::Next CsvRecords::last_record(CsvRecord *record) {
  if (bounds_.state == CsvState::quoted) return unclosed_line(record);
  record->places = bounds_.at;
  record->fields = bounds_.size + 1;
  record->base = base_;
  record->text = {position_, static_cast<size_t>(end_ - position_)};
  position_ = end_;
  bounds_.size = 0;
  return Next::record;
}

// The record ends with the line of its unclosed quote. No later quote closes it, so all later
// quotes are doubled. Therefore the next lines have no unclosed quote, and this is done once.
CsvRecords::Next CsvRecords::unclosed_line(CsvRecord *record) {
  const CsvSkim skim = scanner_.skim(CsvState::field, position_, end_, bytes_);
  const size_t left = static_cast<size_t>(end_ - skim.last_open);
  const void *found = std::memchr(skim.last_open, bytes_.terminator, left);
  const char *end = found == nullptr ? end_ : static_cast<const char *>(found);
  take(end, record);
  position_ = std::min(end + 1, end_);
  return Next::unclosed;
}

// Sets the text of a record. Returns `none` for an empty line.
CsvRecords::Next CsvRecords::take(const char *end, CsvRecord *record) {
  record->base = base_;
  record->text = line_of(position_, end, end_, bytes_.terminator);
  return record->text.empty() ? Next::none : Next::record;
}

CsvBytes csv_bytes(const Dialect &dialect) {
  return {dialect.delimiter.value_or(dialect.format->delimiter), dialect.terminator};
}

Result<std::unique_ptr<RecordReader>> make_csv_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted) {
  if (!can_separate(csv_bytes(dialect))) {
    return Status::error("fields of CSV are not separated by a quote or by a line end");
  }
  const NameIndex names(dialect.names);
  std::vector<i64> numbers;
  for (const FieldName &field : wanted) {
    Result<i64> number = number_of_column(dialect, names, field);
    if (!number.is_ok()) return number.status();
    numbers.push_back(*number);
  }
  return std::make_unique<CsvReader>(dialect, std::move(numbers));
}

}  // namespace mrc
