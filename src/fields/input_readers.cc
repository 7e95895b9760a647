// The record's reader puts the key in the place of each field that is looked up. Then the values
// replace the keys, a batch at a time.
#include "fields/input_readers.h"

#include "base/json_text.h"
#include "base/setting_name.h"
#include "fields/running_values.h"
#include "fields/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace mrc {

bool Lookup::has(const FieldName &name_of_field) const {
  const Bytes text = name_of_field.text;
  return name_of_field.number < 0 && name_of_field.number != kComputedNumber &&
         !name_of_field.whole && text.size() > name.size() + 1 && text.starts_with(name) &&
         text[name.size()] == '.';
}

std::string Lookup::column_of(const FieldName &name_of_field) const {
  return name_of_field.text.substr(name.size() + 1);
}

namespace {

class LookupReader : public RecordReader {
 public:
  struct Place {
    size_t field, column;  // columns of the batch and of the table
  };

  LookupReader(std::unique_ptr<RecordReader> reader, std::shared_ptr<const LookupTable> table,
               std::vector<Place> places)
      : reader_(std::move(reader)), table_(std::move(table)), places_(std::move(places)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    reader_->read(chunk, next, batch);
    const size_t records = static_cast<size_t>(batch->size);
    std::array<u32, RecordBatch::kCapacity> rows;
    table_->find(std::span(batch->fields[places_[0].field].data(), records), rows.data());
    for (const Place &place : places_) {
      RecordBatch::Column &values = batch->fields[place.field];
      for (size_t i = 0; i < records; ++i) values[i] = table_->value(rows[i], place.column);
    }
  }

 private:
  const std::unique_ptr<RecordReader> reader_;
  const std::shared_ptr<const LookupTable> table_;
  const std::vector<Place> places_;  // at least one; the reader puts the key into each
};

}  // namespace

std::vector<FieldName> read_fields(std::vector<FieldName> wanted, std::span<const Lookup> lookups) {
  for (; !lookups.empty(); lookups = lookups.first(lookups.size() - 1)) {
    for (FieldName &name : wanted) {
      if (lookups.back().has(name)) name = lookups.back().field;
    }
  }
  return wanted;
}

namespace {

using FromFolder = InputReaders::FromFolder;

// Takes fields from the folder of the input that records do not have.
class FolderReader : public RecordReader {
 public:
  FolderReader(std::unique_ptr<RecordReader> reader, std::vector<FieldName> wanted,
               std::vector<FromFolder> from, std::shared_ptr<const FolderFields> folders)
      : reader_(std::move(reader)),
        wanted_(std::move(wanted)),
        from_(std::move(from)),
        folders_(std::move(folders)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    reader_->read(chunk, next, batch);
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (from_[i] == FromFolder::never) continue;
      const FolderFields::Field *field = folders_->find(chunk.source, wanted_[i]);
      const Bytes value = field == nullptr ? Bytes() : field->value;
      RecordBatch::Column &column = batch->fields[i];
      for (size_t k = 0; k < static_cast<size_t>(batch->size); ++k) {
        if (from_[i] == FromFolder::always || column[k].data() == nullptr) column[k] = value;
      }
    }
  }
  bool joins_lines() const override { return reader_->joins_lines(); }
  bool begins(Bytes head) const override { return reader_->begins(head); }

 private:
  const std::unique_ptr<RecordReader> reader_;
  const std::vector<FieldName> wanted_;
  const std::vector<FromFolder> from_;  // by wanted field
  const std::shared_ptr<const FolderFields> folders_;
};

// Says which of the fields come from the folder of an input.
std::vector<FromFolder> from_folder(const Dialect &dialect, const std::vector<FieldName> &names,
                                    const FolderFields *folders, i64 source) {
  std::vector<FromFolder> from(names.size(), FromFolder::never);
  for (size_t i = 0; folders != nullptr && i < names.size(); ++i) {
    if (folders->find(source, names[i]) == nullptr) continue;
    if (names[i].number == kInputNumber) {
      from[i] = FromFolder::always;
      continue;
    }
    const bool has_it = !dialect.open && make_reader(dialect, {&names[i], 1}).is_ok();
    if (!has_it) from[i] = dialect.open ? FromFolder::if_missing : FromFolder::always;
  }
  return from;
}

// The record's reader puts the whole record in the place of fields that only folders have.
Result<std::unique_ptr<RecordReader>> make_folder_reader(
    const Dialect &dialect, std::vector<FieldName> wanted,
    const std::shared_ptr<const FolderFields> &folders, i64 source) {
  std::vector<FromFolder> from = from_folder(dialect, wanted, folders.get(), source);
  std::vector<FieldName> read = wanted;
  for (size_t i = 0; i < read.size(); ++i) {
    if (from[i] == FromFolder::always) read[i] = {.text = "", .number = 0};
  }
  Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, read);
  const bool takes_any =
      std::ranges::any_of(from, [](FromFolder each) { return each != FromFolder::never; });
  if (!reader.is_ok() || !takes_any) return reader;
  return std::unique_ptr<RecordReader>(std::make_unique<FolderReader>(
      std::move(*reader), std::move(wanted), std::move(from), folders));
}

}  // namespace

Result<std::unique_ptr<RecordReader>> make_lookup_reader(
    const Dialect &dialect, std::vector<FieldName> wanted, std::span<const Lookup> lookups,
    std::shared_ptr<const FolderFields> folders, i64 source) {
  if (lookups.empty()) return make_folder_reader(dialect, std::move(wanted), folders, source);
  const Lookup &last = lookups.back();
  std::vector<LookupReader::Place> places;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!last.has(wanted[i])) continue;
    const auto column = std::ranges::find(last.columns, last.column_of(wanted[i]));
    places.push_back({i, static_cast<size_t>(column - last.columns.begin())});
    wanted[i] = last.field;
  }
  auto reader = make_lookup_reader(dialect, std::move(wanted), lookups.first(lookups.size() - 1),
                                   std::move(folders), source);
  if (!reader.is_ok() || places.empty()) return reader;
  return std::unique_ptr<RecordReader>(
      std::make_unique<LookupReader>(std::move(*reader), last.table, std::move(places)));
}

// The byte before a value says whether it is a JSON string: see is_json_string().
Bytes FolderFields::keep(const std::string &value, char before) {
  char *copy = reinterpret_cast<char *>(values_.alloc(std::ssize(value) + 1 + kPadding));
  *copy++ = before;
  std::ranges::copy(value, copy);
  return {copy, value.size()};
}

void FolderFields::add(
    const std::string &input,
    const std::vector<std::pair<std::string, std::optional<std::string>>> &fields) {
  std::vector<Field> &own = by_source_.emplace_back();
  own.push_back({input_name().text, keep(input, '"')});
  for (const auto &[name, value] : fields) {
    own.push_back({name, {}});
    if (value) own.back().value = keep(*value, is_json_number(*value) ? ' ' : '"');
  }
}

const FolderFields::Field *FolderFields::find(i64 source, const FieldName &name) const {
  if (name.number >= 0 || name.number == kComputedNumber) return nullptr;
  const std::span<const Field> fields = by_source_[static_cast<size_t>(source)];
  if (name.number == kInputNumber) return &fields[0];
  const auto folders = fields.subspan(1);
  const auto found = std::ranges::find(folders, name.text, &Field::name);
  return found == folders.end() ? nullptr : &*found;
}

InputReaders::InputReaders(i64 sources, std::vector<FieldName> wanted,
                           std::span<const Lookup> lookups,
                           std::shared_ptr<const FolderFields> folders, Spread spread)
    : wanted_(std::move(wanted)),
      lookups_(lookups),
      folders_(std::move(folders)),
      spread_(std::move(spread)),
      by_source_(static_cast<size_t>(sources)) {}

InputReaders::InputReaders(const InputReaders &planned)
    : InputReaders(std::ssize(planned.by_source_), planned.wanted_, planned.lookups_,
                   planned.folders_, planned.spread_) {
  std::lock_guard lock(planned.mutex_);
  others_ = planned.others_;
  running_ = planned.running_;
  if (planned.first_) first_ = std::make_unique<InputReaders>(*planned.first_);
  shares_header_ = planned.shares_header_;
  std::unordered_map<const Entry *, const Entry *> copies;
  for (const Entry &entry : planned.entries_) copies[&entry] = &entries_.emplace_back(entry);
  for (size_t source = 0; source < by_source_.size(); ++source) {
    if (const Entry *entry = planned.by_source_[source]) by_source_[source] = copies[entry];
  }
}

bool has_other_columns(const Dialect &dialect, const Dialect &other) {
  if (dialect.empty || other.empty) return false;
  return dialect.header != other.header || (dialect.header && dialect.names != other.names);
}

std::string columns_text(const Dialect &dialect) {
  return dialect.header ? fmt::format("{}", fmt::join(dialect.names, ",")) : "not named";
}

Status InputReaders::check_header(const Dialect &dialect) const {
  if (!shares_header_) return Status::ok();
  const auto other = std::ranges::find_if(
      entries_, [&](const Entry &entry) { return has_other_columns(dialect, entry.dialect); });
  if (other == entries_.end()) return Status::ok();
  return Status::error(
      fmt::format("its columns are {}, and those of another input are {}; whole records need the "
                  "same columns; name those that are printed by {}",
                  columns_text(dialect), columns_text(other->dialect), setting_name("key")));
}

void InputReaders::read_first(std::vector<FieldName> wanted, std::vector<FieldName> running) {
  running_ = std::move(running);
  first_ = std::make_unique<InputReaders>(std::ssize(by_source_), std::move(wanted), lookups_,
                                          folders_, spread_);
}

void InputReaders::set_all(std::unique_ptr<const RecordReader> reader) {
  entries_.push_back({{}, wanted_, wanted_, {}, std::move(reader)});
  for (auto &entry : by_source_) entry.store(&entries_.back(), std::memory_order_release);
}

Status InputReaders::set(i64 source, const Dialect &as_found) {
  if (first_) {
    if (Status status = first_->set(source, as_found); !status.is_ok()) return status;
  }
  std::lock_guard lock(mutex_);
  const auto own = others_.find(source);
  const std::vector<FieldName> &wanted = own == others_.end() ? wanted_ : own->second.wanted;
  Dialect dialect = with_spread(as_found, spread_);
  if (own != others_.end()) dialect.most_fields = own->second.most_fields;
  if (Status status = check_header(dialect); !status.is_ok()) return status;
  const std::vector<FieldName> plain = without_running(wanted);
  const std::vector<FieldName> read = read_fields(plain, lookups_);
  const std::vector<FromFolder> from = from_folder(dialect, read, folders_.get(), source);
  // Dialects that differ only in `reason` share a reader.
  auto same = [&](const Entry &entry) {
    Dialect other = dialect;
    other.reason = entry.dialect.reason;
    return entry.dialect == other && entry.wanted == wanted && entry.from == from;
  };
  auto found = std::find_if(entries_.begin(), entries_.end(), same);
  if (found == entries_.end()) {
    Result<std::unique_ptr<RecordReader>> reader =
        make_lookup_reader(dialect, plain, lookups_, folders_, source);
    if (!reader.is_ok()) return reader.status();
    if (first_) *reader = make_running_reader(std::move(*reader), wanted, running_);
    entries_.push_back({dialect, wanted, read, from, std::move(*reader)});
    found = std::prev(entries_.end());
  }
  by_source_[static_cast<size_t>(source)].store(&*found, std::memory_order_release);
  return Status::ok();
}

InputReaders::FromFolder InputReaders::from_folder_of(i64 source, const FieldName &name) const {
  const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
  if (entry == nullptr) return FromFolder::never;
  const auto found = std::ranges::find(entry->read, name);
  return found == entry->read.end() ? FromFolder::never
                                    : entry->from[static_cast<size_t>(found - entry->read.begin())];
}

i64 InputReaders::first_with_header() const {
  const i64 sources = std::ssize(by_source_);
  for (i64 source = 0; source < sources; ++source) {
    const Dialect *of_source = dialect(source);
    if (of_source != nullptr && of_source->header) return source;
  }
  return -1;
}

std::vector<Dialect> InputReaders::dialects() const {
  std::lock_guard lock(mutex_);
  std::vector<Dialect> all;
  for (const Entry &entry : entries_) all.push_back(entry.dialect);
  return all;
}

}  // namespace mrc
