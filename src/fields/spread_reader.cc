// Records are read a batch at a time. Those made of a batch may fill several batches: the caller's
// batch keeps what is left, and resumes. A read ends with the records of one batch, so that all
// values live as long as the reader promises.
#include "fields/inner/spread_reader.h"

#include "fields/inner/json_record.h"
#include "fields/json.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {

// One of the records that are made of a record.
struct SpreadPart {
  Bytes value;
  size_t column = 0;         // for columns
  bool has_members = false;  // an object or array, in the array whose tokens are listed
};

// The records that were read last, and what is left of them.
struct SpreadRecords {
  RecordBatch from;
  const char *next = nullptr;  // the end of these records in the chunk
  size_t record = 0;           // the first one that is not done
  bool is_split = false;       // its parts are listed
  std::vector<SpreadPart> parts;
  size_t part = 0;  // the first one that is not done
  Bytes array;      // the array of which `index` lists the tokens
  JsonIndex index;
  RecordBatch members;  // wanted members of one element

  SpreadRecords() { members.capacity = 1; }
};

namespace {

using By = Spread::By;

// Lists the elements of a valid array whose tokens are listed.
void list_elements(Bytes array, const JsonIndex &index, std::vector<Bytes> *elements) {
  elements->clear();
  i64 depth = 0;
  const char *begin = nullptr;
  for (const u32 *place = index.places() + 1;; ++place) {
    const char *at = array.data() + *place;
    const bool ends = depth == 0 && (*at == ',' || *at == ']');
    if (ends && begin != nullptr) {
      const Bytes element(begin, static_cast<size_t>(at - begin));
      elements->push_back(element.substr(0, element.find_last_not_of(" \t\r\n") + 1));
      begin = nullptr;
    }
    if (ends && *at == ']') return;
    if (ends) continue;
    if (begin == nullptr) begin = at;
    depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
  }
}

// Returns memory for a string of JSON, after a quote: see is_json_string().
char *room_for_string(size_t size, Arena *arena) {
  char *room = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(size) + 1 + kPadding));
  *room = '"';
  return room + 1;
}

Bytes as_json_string(Bytes text, Arena *arena) {
  char *copy = room_for_string(text.size(), arena);
  std::memset(std::ranges::copy(text, copy).out, 0, kPadding);
  return {copy, text.size()};
}

// Returns the value of an element as make_json_reader() has it.
Bytes value_of_element(Bytes element, const JsonIndex &index, Arena *arena) {
  if (element == "null") return {};
  if (element[0] != '"') return element;
  const Bytes inner = element.substr(1, element.size() - 2);
  if (inner.find('\\') == Bytes::npos) return inner;
  char *to = room_for_string(inner.size(), arena);
  return {to, static_cast<size_t>(index.unescape(inner.data(), to) - to)};
}

// Makes the parts of a record.
class Splitter {
 public:
  explicit Splitter(const Dialect &dialect)
      : spread_(dialect.spread),
        json_(dialect.format->paths || dialect.format == &LineFormat::row_objects),
        no_array_(spread_.fields[0].text + " is not an array"),
        is_array_(spread_.fields[0].text + " is not text; leave out the separator"),
        no_members_(*JsonPaths::of({})) {}

  // Lists the parts of the next record, whose values are in the columns from `column` on. Returns
  // nullptr, or the reason why it is malformed.
  const char *split(size_t column, SpreadRecords *of) const {
    of->parts.clear();
    if (spread_.by == By::columns) return list_columns(column, of);
    const Bytes value = of->from.fields[column][of->record];
    if (value.data() != nullptr && value.empty()) return nullptr;
    const bool is_whole = value.data() == nullptr || value == "-";
    if (is_whole) return of->parts.push_back({value}), nullptr;
    return spread_.by == By::pieces ? list_pieces(value, of) : list_elements_of(value, of);
  }

 private:
  const char *list_columns(size_t column, SpreadRecords *of) const {
    for (size_t i = 0; i < spread_.fields.size(); ++i) {
      const Bytes value = of->from.fields[column + i][of->record];
      if (value.data() != nullptr) of->parts.push_back({value, i});
    }
    return nullptr;
  }

  const char *list_pieces(Bytes value, SpreadRecords *of) const {
    const bool is_text = !json_ || is_json_string(value);
    if (!is_text && (value[0] == '[' || value[0] == '{')) return is_array_.c_str();
    size_t end = value.find(spread_.separator);
    if (end == Bytes::npos) return of->parts.push_back({value}), nullptr;
    for (;; end = value.find(spread_.separator)) {
      const Bytes piece = value.substr(0, end);
      of->parts.push_back({json_ ? as_json_string(piece, &of->from.unescaped) : piece});
      if (end == Bytes::npos) return nullptr;
      value.remove_prefix(end + spread_.separator.size());
    }
  }

  const char *list_elements_of(Bytes value, SpreadRecords *of) const {
    const bool is_array = value[0] == '[' && !(json_ && is_json_string(value));
    if (!is_array || !is_listed(value, of)) return no_array_.c_str();
    std::vector<Bytes> elements;
    list_elements(value, of->index, &elements);
    for (const Bytes element : elements) {
      of->parts.push_back({value_of_element(element, of->index, &of->from.unescaped), 0,
                           element[0] == '{' || element[0] == '['});
    }
    of->array = value;
    return nullptr;
  }

  // Lists the tokens of an array. Returns false if it is malformed, which only text of other
  // formats may be.
  bool is_listed(Bytes array, SpreadRecords *of) const {
    if (of->index.build(array) != nullptr) return false;
    if (json_) return true;
    JsonRecord walker(no_members_, &of->index, &of->members);
    walker.begin(array);
    return walker.move_to(array) && walker.walk_value() == nullptr;
  }

  const Spread spread_;
  const bool json_;
  const std::string no_array_, is_array_;
  const JsonPaths no_members_;
};

class SpreadReader : public RecordReader {
 public:
  SpreadReader(const Dialect &dialect, std::unique_ptr<RecordReader> reader, SpreadFields fields,
               JsonPaths members)
      : reader_(std::move(reader)),
        splitter_(dialect),
        fields_(std::move(fields.wanted)),
        first_(fields.of_records.size()),
        members_(std::move(members)),
        members_wanted_(fields.of_members.size()) {
    labels_.reserve(dialect.spread.fields.size());  // the keys point into them
    for (const FieldName &column : dialect.spread.fields) {
      labels_.push_back("\"" + column.text + std::string(kPadding, '\0'));
      keys_.push_back(Bytes(labels_.back()).substr(1, column.text.size()));
    }
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    if (batch->spread == nullptr) batch->spread = std::make_shared<SpreadRecords>();
    SpreadRecords *of = batch->spread.get();
    batch->set_columns(fields_.size());
    if (!batch->resumes) read_records(chunk, *next, batch);
    of->members.clear();
    of->members.set_columns(members_wanted_);
    JsonRecord walker(members_, &of->index, &of->members);
    if (of->is_split && members_wanted_ > 0) walker.begin(of->array);
    while (of->record < static_cast<size_t>(of->from.size) && batch->size < batch->capacity) {
      take_record(of, &walker, batch);
    }
    batch->resumes = of->record < static_cast<size_t>(of->from.size);
    if (!batch->resumes) *next = of->next;
  }
  bool joins_lines() const override { return reader_->joins_lines(); }
  bool begins(Bytes head) const override { return reader_->begins(head); }

 private:
  void read_records(const Chunk &chunk, const char *next, RecordBatch *batch) const {
    SpreadRecords *of = batch->spread.get();
    of->from.clear();
    of->from.capacity = batch->capacity;
    of->next = next;
    of->record = 0;
    of->is_split = false;
    reader_->read(chunk, &of->next, &of->from);
    batch->bad = of->from.bad;
    batch->ends_in_quotes = of->from.ends_in_quotes;
  }

  // Puts the parts of a record, as far as the batch has room.
  void take_record(SpreadRecords *of, JsonRecord *walker, RecordBatch *batch) const {
    if (!of->is_split) {
      const char *reason = splitter_.split(first_, of);
      if (reason != nullptr) batch->bad.push_back({of->from.records[of->record], reason});
      if (reason != nullptr) of->parts.clear();
      of->is_split = true;
      of->part = 0;
      if (members_wanted_ > 0 && !of->parts.empty()) walker->begin(of->array);
    }
    for (; of->part < of->parts.size() && batch->size < batch->capacity; ++of->part) {
      put(*of, walker, batch);
    }
    if (of->part < of->parts.size()) return;
    of->is_split = false;
    ++of->record;
  }

  void put(const SpreadRecords &of, JsonRecord *walker, RecordBatch *batch) const {
    const SpreadPart &part = of.parts[of.part];
    const size_t row = static_cast<size_t>(batch->size++);
    batch->records[row] = of.from.records[of.record];
    batch->ordinals.push_back(static_cast<u32>(of.part));
    if (members_wanted_ > 0 && part.has_members && walker->move_to(part.value)) {
      walker->walk_value();
    }
    for (size_t i = 0; i < fields_.size(); ++i) {
      batch->fields[i][row] = value_of(fields_[i], of, part);
    }
  }

  Bytes value_of(const SpreadField &field, const SpreadRecords &of, const SpreadPart &part) const {
    using From = SpreadField::From;
    switch (field.from) {
      case From::record: return of.from.fields[field.column][of.record];
      case From::key: return keys_[part.column];
      case From::value: return part.value;
      case From::member: return part.has_members ? of.members.fields[field.column][0] : Bytes();
      case From::nowhere: break;
    }
    return {};
  }

  const std::unique_ptr<RecordReader> reader_;
  const Splitter splitter_;
  const std::vector<SpreadField> fields_;
  const size_t first_;  // first column of the records for what is split
  const JsonPaths members_;
  const size_t members_wanted_;
  std::vector<std::string> labels_;  // names of the columns, padded
  std::vector<Bytes> keys_;
};

}  // namespace

Result<std::unique_ptr<RecordReader>> make_spread_reader(const Dialect &dialect,
                                                         std::unique_ptr<RecordReader> reader,
                                                         SpreadFields fields) {
  Result<JsonPaths> members = JsonPaths::of(fields.of_members);
  if (!members.is_ok()) return members.status();
  return std::unique_ptr<RecordReader>(std::make_unique<SpreadReader>(
      dialect, std::move(reader), std::move(fields), std::move(*members)));
}

}  // namespace mrc
