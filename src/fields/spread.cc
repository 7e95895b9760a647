// Records are read a batch at a time. Those made of a batch may fill several batches: the caller's
// batch keeps what is left, and resumes. A read ends with the records of one batch, so that all
// values live as long as the reader promises.
#include "fields/spread.h"

#include "base/setting_name.h"
#include "base/typed_text.h"
#include "fields/inner/json_record.h"
#include "fields/json.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
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
};

namespace {

using By = Spread::By;

std::string path_of(const FieldName &field) {
  return field.whole ? in_double_quotes(field.text) : field.text;
}

bool is_member(const FieldName &name, const FieldName &of) {
  return name.number < 0 && !name.whole && name.text.starts_with(path_of(of) + ".");
}

// Returns the position of a field, from 0; -1: it has none that is known.
i64 place_of(const std::vector<std::string> &names, const FieldName &name) {
  if (name.number >= 0) return name.number - 1;
  const auto found = std::ranges::find(names, name.text);
  return found == names.end() ? -1 : found - names.begin();
}

bool is_same(const Dialect &dialect, const FieldName &a, const FieldName &b) {
  if (a == b) return true;
  const i64 place = place_of(dialect.names, a);
  return !dialect.open && place >= 0 && place == place_of(dialect.names, b);
}

bool has_text(const std::vector<FieldName> &fields, Bytes text) {
  return std::ranges::find(fields, text, &FieldName::text) != fields.end();
}

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

// Where a field of the new records comes from.
struct SpreadField {
  enum class From { record, key, value, member, nowhere } from = From::record;
  size_t column = 0;  // of the records, or of the members
};

class SpreadReader : public RecordReader {
 public:
  // `first` is the first column of the records for what is split.
  SpreadReader(const Dialect &dialect, std::unique_ptr<RecordReader> reader,
               std::vector<SpreadField> fields, size_t first, JsonPaths members,
               size_t members_wanted)
      : reader_(std::move(reader)),
        splitter_(dialect),
        fields_(std::move(fields)),
        first_(first),
        members_(std::move(members)),
        members_wanted_(members_wanted) {
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
  const size_t first_;
  const JsonPaths members_;
  const size_t members_wanted_;
  std::vector<std::string> labels_;  // names of the columns, padded
  std::vector<Bytes> keys_;
};

// Finds where wanted fields come from.
class Sources {
 public:
  explicit Sources(const Dialect &dialect) : dialect_(dialect), spread_(dialect.spread) {}

  Result<SpreadField> find(const FieldName &name) {
    return spread_.by == By::columns ? find_beside_columns(name) : find_in_field(name);
  }

  std::vector<FieldName> of_records, of_members;

 private:
  using From = SpreadField::From;

  Result<SpreadField> find_in_field(const FieldName &name) {
    const FieldName &field = spread_.fields[0];
    if (is_same(dialect_, name, field)) return SpreadField{From::value};
    const bool is_column = !dialect_.open && has_name(dialect_.names, name.text);
    if (spread_.by != By::elements || is_column || !is_member(name, field)) return of_record(name);
    of_members.push_back({name.text.substr(path_of(field).size() + 1)});
    return SpreadField{From::member, of_members.size() - 1};
  }

  // Numbers of fields count the new ones.
  Result<SpreadField> find_beside_columns(const FieldName &name) {
    const i64 columns = std::ssize(dialect_.names), place = place_of(dialect_.names, name);
    if (name.number == 0) return of_record(name);
    if (name.number > 0 && (dialect_.open || place >= columns)) {
      return unknown_field(dialect_, name, columns);
    }
    const std::string &text =
        name.number > 0 ? dialect_.names[static_cast<size_t>(place)] : name.text;
    if (text == spread_.key) return SpreadField{From::key};
    if (text == spread_.value) return SpreadField{From::value};
    if (dialect_.open && has_text(spread_.fields, text)) return SpreadField{From::nowhere};
    if (dialect_.open) return of_record(name);
    if (place < 0 && dialect_.around.empty()) return unknown_field(dialect_, name, columns);
    return of_record(name.number > 0 ? number_before(name.number) : name);
  }

  // Returns the number that a field has in the input.
  FieldName number_before(i64 number) const {
    for (size_t i = 0; i < spread_.names.size(); ++i) {
      if (has_text(spread_.fields, spread_.names[i])) continue;
      if (--number == 0) return {std::to_string(i + 1), static_cast<i64>(i) + 1};
    }
    return {};
  }

  SpreadField of_record(const FieldName &name) {
    of_records.push_back(name);
    return {From::record, of_records.size() - 1};
  }

  const Dialect &dialect_;
  const Spread &spread_;
};

// Returns an error if the record has fields of the new names already.
Status check_names(const Dialect &dialect) {
  const Spread &spread = dialect.spread;
  for (const std::string &name : {spread.key, spread.value}) {
    if (spread.by != By::columns || std::ranges::count(dialect.names, name) < 2) continue;
    return Status::error(
        fmt::format("there is a field \"{}\" already; {} KEY,VALUE=FIELDS names "
                    "the new ones",
                    name, setting_name("stack")));
  }
  return Status::ok();
}

}  // namespace

Dialect with_spread(Dialect dialect, const Spread &spread) {
  dialect.spread = spread;
  if (spread.by != By::columns) return dialect;
  dialect.spread.names = dialect.names;
  std::erase_if(dialect.names,
                [&](const std::string &name) { return has_text(spread.fields, name); });
  const bool has_names = !dialect.spread.names.empty() || dialect.open;
  if (has_names) dialect.names.insert(dialect.names.end(), {spread.key, spread.value});
  return dialect;
}

Dialect without_spread(Dialect dialect) {
  const Spread spread = std::exchange(dialect.spread, {});
  if (spread.by == By::columns) dialect.names = spread.names;
  return dialect;
}

std::vector<FieldName> fields_before(const Spread &spread, const std::vector<FieldName> &wanted) {
  if (!spread.is_wanted()) return wanted;
  std::vector<FieldName> fields;
  for (const FieldName &name : wanted) {
    if (!is_changed_by(spread, name)) fields.push_back(name);
  }
  fields.insert(fields.end(), spread.fields.begin(), spread.fields.end());
  return fields;
}

bool is_changed_by(const Spread &spread, const FieldName &field) {
  switch (spread.by) {
    case By::nothing: return false;
    case By::pieces: return field == spread.fields[0];
    case By::elements: return field == spread.fields[0] || is_member(field, spread.fields[0]);
    case By::columns: break;
  }
  return field.number < 0 && (field.text == spread.key || field.text == spread.value);
}

std::string describe(const Spread &spread) {
  std::vector<std::string> names;
  for (const FieldName &field : spread.fields) names.push_back(field.text);
  switch (spread.by) {
    case By::nothing: break;
    case By::elements: return "each element of " + names[0];
    case By::pieces: return fmt::format("each piece of {} at \"{}\"", names[0], spread.separator);
    case By::columns: return fmt::format("each of {}", fmt::join(names, ", "));
  }
  return "";
}

void add_element_names(Bytes head, Dialect *dialect) {
  const Spread &spread = dialect->spread;
  if (spread.by != By::elements || !dialect->format->paths) return;
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const FormatSpec spec;
  const Bytes text = Bytes(padded).substr(0, head.size());
  const auto batch = first_records(*dialect, spread.fields, {spec, text, true});
  if (batch == nullptr) return;
  JsonIndex index;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes value = batch->fields[0][i];
    const bool is_object = value.starts_with('{') && !is_json_string(value);
    if (is_object && index.build(value) == nullptr) {
      add_json_paths(value, index, path_of(spread.fields[0]), &dialect->names);
    }
  }
}

Result<std::unique_ptr<RecordReader>> make_spread_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  if (Status status = check_names(dialect); !status.is_ok()) return status;
  Sources sources(dialect);
  std::vector<SpreadField> fields;
  for (const FieldName &name : wanted) {
    Result<SpreadField> field = sources.find(name);
    if (!field.is_ok()) return field.status();
    fields.push_back(*field);
  }
  std::vector<FieldName> read = sources.of_records;
  read.insert(read.end(), dialect.spread.fields.begin(), dialect.spread.fields.end());
  Result<std::unique_ptr<RecordReader>> reader = make_reader(without_spread(dialect), read);
  if (!reader.is_ok()) return reader;
  Result<JsonPaths> members = JsonPaths::of(sources.of_members);
  if (!members.is_ok()) return members.status();
  return std::unique_ptr<RecordReader>(std::make_unique<SpreadReader>(
      dialect, std::move(*reader), std::move(fields), sources.of_records.size(),
      std::move(*members), sources.of_members.size()));
}

}  // namespace mrc
