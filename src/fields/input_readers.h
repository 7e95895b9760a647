// Readers of inputs, and the tables whose fields they look up.
#pragma once

#include "base/arena.h"
#include "fields/fields.h"
#include "fields/inner/lookup_table.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// A table and the fields that it provides.
struct Lookup {
  std::string name;                               // its fields are called name.COLUMN
  FieldName field;                                // field of the record that is the key
  std::vector<std::string> columns = {};          // columns of the table, as field names have them
  std::shared_ptr<const LookupTable> table = {};  // null: not read yet

  // True if the field is name.COLUMN. A quoted name never is.
  bool has(const FieldName &name_of_field) const;
  // Returns the part after the dot. REQUIRES: has()
  std::string column_of(const FieldName &name_of_field) const;
};

// Returns the fields that records must have for these lookups: the key replaces each field of a
// table. Later tables may be looked up by fields of earlier ones.
std::vector<FieldName> read_fields(std::vector<FieldName> wanted, std::span<const Lookup> lookups);

// Fields that all records of an input have because of the folders that its file is in, and the name
// of the input. A field of the record itself has priority. Immutable, thread safe.
class FolderFields {
 public:
  // A missing value has no data().
  struct Field {
    std::string name;
    Bytes value;
  };

  // Adds the next input. Values are copied.
  void add(const std::string &input,
           const std::vector<std::pair<std::string, std::optional<std::string>>> &fields);
  // Returns the field of an input; null: it has no such field.
  const Field *find(i64 source, const FieldName &name) const;

 private:
  Bytes keep(const std::string &value, char before);

  std::vector<std::vector<Field>> by_source_;  // the name of the input is the first
  Arena values_;                               // which may be over-read
};

// Makes a reader for fields of records and of tables. The tables must have been read; `lookups`
// must outlive the reader. `folders` has the fields of the folders of inputs like `source`; null:
// there are none.
Result<std::unique_ptr<RecordReader>> make_lookup_reader(
    const Dialect &dialect, std::vector<FieldName> wanted, std::span<const Lookup> lookups,
    std::shared_ptr<const FolderFields> folders = nullptr, i64 source = 0);

// Whole records of several inputs may follow one header. has_other_columns() is true if an input
// has other columns than another one, or if only one of them has a header. columns_text() is for
// messages.
bool has_other_columns(const Dialect &dialect, const Dialect &other);
std::string columns_text(const Dialect &dialect);

// The readers of a job's inputs, one for each dialect.

// A plan has the readers of inputs that can be examined beforehand. Each run has a copy, to which
// workers add the readers of streams.
class InputReaders {
 public:
  // All readers get the same fields, unless want() says otherwise. The lookup tables must outlive
  // the readers.
  InputReaders(i64 sources, std::vector<FieldName> wanted, std::span<const Lookup> lookups = {},
               std::shared_ptr<const FolderFields> folders = nullptr, Spread spread = {});
  InputReaders(const InputReaders &planned);
  InputReaders &operator=(const InputReaders &) = delete;

  // Sets the fields of one input. A record with more than `most_fields` fields is malformed; 0: no
  // limit. REQUIRES: called before set()
  void want(i64 source, std::vector<FieldName> names, i64 most_fields) {
    others_[source] = {std::move(names), most_fields};
  }
  // Refuses inputs whose columns differ if one has a header, because the next stage reads whole
  // records of all after that header.
  void share_header() { shares_header_ = true; }
  // Makes readers of the first pass over each chunk, which have other fields, and lets the readers
  // take these running fields from chunks. REQUIRES: called before set()
  void read_first(std::vector<FieldName> wanted, std::vector<FieldName> running);
  // Returns the readers of the first pass; null: there is none.
  const InputReaders *first() const { return first_.get(); }
  // Gives all inputs one reader, whatever their dialects are. REQUIRES: set() is not called
  void set_all(std::unique_ptr<const RecordReader> reader);
  // Sets the dialect of an input, once; the spread is added to it. Any thread may call it.
  Status set(i64 source, const Dialect &dialect);
  // Returns the reader of an input; null if there is none.
  const RecordReader *of(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : entry->reader.get();
  }
  // Returns the dialect of an input; null if there is none.
  const Dialect *dialect(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : &entry->dialect;
  }

  // Returns the fields of folders; null: there are none.
  const FolderFields *folders() const { return folders_.get(); }
  // Says if a field comes from the folder of its input: never, for records that do not have it, or
  // for all records. Never if the input has no reader.
  enum class FromFolder : u8 { never, if_missing, always };
  FromFolder from_folder_of(i64 source, const FieldName &name) const;

  // Returns the first known input that has a header; -1: none.
  i64 first_with_header() const;

  // Returns all distinct dialects, in the order in which they were set.
  std::vector<Dialect> dialects() const;

 private:
  struct Entry {
    Dialect dialect;
    std::vector<FieldName> wanted;
    std::vector<FieldName> read;   // the fields that the record's reader provides for these
    std::vector<FromFolder> from;  // ... and which of them come from folders
    std::shared_ptr<const RecordReader> reader;
  };

  Status check_header(const Dialect &dialect) const;

  std::vector<FieldName> wanted_;
  std::span<const Lookup> lookups_;
  std::shared_ptr<const FolderFields> folders_;
  Spread spread_;
  struct Own {
    std::vector<FieldName> wanted;
    i64 most_fields;
  };
  std::map<i64, Own> others_;  // by source
  std::unique_ptr<InputReaders> first_;
  std::vector<FieldName> running_;  // in the order of RunningValues::columns
  bool shares_header_ = false;
  std::vector<std::atomic<const Entry *>> by_source_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // a deque, so that entries never move
};

}  // namespace mrc
