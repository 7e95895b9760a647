// fields: a chunk of records becomes columns of views, by the format of its input.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "fields/timestamp.h"
#include "record.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct Dialect;
struct FieldName;
struct InputHead;
struct NamedFormat;
class RecordReader;

// How records of one format are recognized and read.
struct LineFormat {
  enum class Header { never, asked, sniffed };
  using MakeReader = Result<std::unique_ptr<RecordReader>>(const Dialect &dialect,
                                                           std::span<const FieldName> wanted);

  const char *name;         // as users write it
  MakeReader *make_reader;  // see below
  // Adds what an input's first bytes say to the dialect that the user has asked for.
  Status (*complete)(const InputHead &input, Dialect *dialect);
  // The dialect of an input, if its first records have the shape of this format; see input_head.h.
  std::optional<Dialect> (*recognize)(const InputHead &input,
                                      const std::vector<Bytes> &records) = nullptr;
  Header header = Header::never;  // whether the first record may be names
  char delimiter = '\0';          // of fields, unless the user sets another; none: '\0'
  bool one_field = false;
  bool quoted = false;       // quotes may enclose delimiters and line ends (RFC 4180)
  bool paths = false;        // names of fields are paths (json_paths.h)
  bool takes_regex = false;  // the user's regular expression finds the fields
  bool one_line = false;     // each record is a line, whatever the user says
  // It is recognized only for jobs that name a field (FormatSpec::names_fields): to all others its
  // records stay lines, or what else they are.
  bool by_name = false;
  const char *kinds = "";            // of its fields, as NamedFormat::kinds
  const NamedFormat *row = nullptr;  // of formats that are rows of a table (named_formats.h)

  // The table, but for those rows.
#define LINE_FORMAT(name, turn) static const LineFormat name;
#include "fields/formats.inc"

  // Not in the table, since no user can name them: rows of the stage before, as values
  // (stage_rows.h), and as JSON objects, for stages that look at whole records. Fields are the
  // spec's columns.
  static const LineFormat rows, row_objects;
};

// All formats that users can name, in the order of the help.
std::span<const LineFormat *const> line_formats();

// What the user says of the input.
struct FormatSpec {
  const LineFormat *format = nullptr;     // null: what others imply, or each input is sniffed
  std::optional<char> delimiter = {};     // of formats that have one
  char terminator = '\n';                 // of records; CR LF counts as LF
  std::string regex = {};                 // of formats that take one
  std::string pattern = {};               // the same
  std::string pattern_name = {};          // under which the user keeps it, and where
  std::string record_start = {};          // matches lines that begin a record; empty: each does
  std::optional<bool> header = {};        // whether the first record names the fields
  std::vector<std::string> columns = {};  // the fields' names, in place of a header

  // The order of day and month in dates such as 03/11/2026, if the user says it.
  DateOrder dates = DateOrder::unknown;

  // Whether fields are looked at by their names, so that formats which are `by_name` are tried,
  // and the names, as far as they are known.
  bool names_fields = false;
  std::vector<std::string> named = {};

  bool joins_lines = true;  // whether a record may have several lines, or share one

  // Whether Dialect::reason says what lines are to jobs that name a field, which takes time.
  bool wants_hint = false;
};

// How the records of one input are to be read, as far as its first bytes tell.
struct Dialect {
  const LineFormat *format = &LineFormat::lines;
  std::optional<char> delimiter = {};  // unset: runs of blanks (fields), or of no meaning
  char terminator = '\n';
  std::string regex = {};
  std::string pattern = {};
  i64 wrapper = -1;               // in what lines the records are: a row of wrappers(); -1: in none
  std::string layout = {};        // of lines of a log (log_layout.h), of JSON (json_values.h)
  bool joins_lines = false;       // of a format that may: lines go on with the record before
  std::string record_start = {};  // if the user says which lines do not
  bool header = false;            // the first record is names
  std::vector<std::string> names = {};  // of fields, in their order; those without are numbers
  i64 most_fields = 0;                  // a record with more is bad; 0: any number is right
  bool open = false;                    // records may have fields of any other name
  bool empty = false;                   // the input has no byte: any field may be asked for
  bool joins_time = false;              // `time` is the fields date and time together
  std::string reason = {};              // why, for --explain

  bool operator==(const Dialect &) const = default;
};

// The dialect of an input that begins with `head` and, if `whole`, ends there. Without
// a format in the spec it is found out: the first records decide. Errors are those of
// the spec, such as a regular expression that does not compile. An input without a byte
// is open: logs that were just rotated are no reason to fail.
Result<Dialect> sniff(const FormatSpec &spec, Bytes head, bool whole);
// Whether sniff() has to see bytes of the input; otherwise the spec says all.
bool needs_head(const FormatSpec &spec);
// What sniff() is to see of an input: so many bytes, but all of the first three lines if these
// are longer, up to a limit, which is another for a first record that has to be known because it
// may be the header of the format that the user has chosen.
constexpr i64 kSniffedBytes = i64{64} << 10;
constexpr i64 kMostSniffedBytes = i64{4} << 20;
constexpr i64 kMostHeaderBytes = i64{64} << 20;
struct SniffedHead {
  Bytes bytes;
  bool whole = false;  // the input has no more
};
// As much as that of what an input begins with, and ends with if `whole`. Nothing if more bytes
// have to be read.
std::optional<SniffedHead> sniffed_head(Bytes begin, bool whole, const FormatSpec &spec);

// The number of a field that no input has: it is computed.
inline constexpr i64 kComputedNumber = -2;

// A field as users name it.
struct FieldName {
  std::string text;
  // By position, from 1; 0 is the whole record; -1: by name. A quoted name is a name even
  // if it looks like a number.
  i64 number = -1;
  // Of text that could be a path (json_paths.h): it is the name of one member.
  bool whole = false;

  bool operator==(const FieldName &) const = default;
};

// What the user says of the input, for a job that looks at these fields.
FormatSpec format_for(FormatSpec spec, const std::vector<FieldName> &names);

// A record that does not have the shape of its format. Borrowed from the chunk.
struct BadRecord {
  Bytes record;        // without its terminator
  const char *reason;  // a constant, e.g. "no closing quote"
};

// A value that does not fit what is computed of it. Borrowed.
struct BadField {
  Bytes record, value;
  const char *reason;  // e.g. "ms is not a number"
};

// Takes what is wrong with the input. Implemented by engine.
class BadRecordSink {
 public:
  virtual ~BadRecordSink() = default;
  // A record that is left out: it does not have the shape of its format, or a field of its
  // key does not fit its bucket.
  virtual void take(const Chunk &chunk, const BadRecord &bad) = 0;
  // A value that counts as missing; its record is used.
  virtual void take_value(const Chunk &, const BadField &) {}
  // Records were read, of which one has the field of this name, or none.
  virtual void take_field(const FieldName &, bool /*is_there*/) {}
  // So many records were used.
  virtual void count_used(i64 /*records*/) {}
};

// Records by columns.
struct RecordBatch {
  static constexpr i64 kCapacity = 512;
  // Values of one field.
  class Column {
   public:
    explicit Column(i64 capacity = kCapacity)
        : values_(std::make_unique<Bytes[]>(static_cast<size_t>(capacity))) {}
    MRC_INLINE Bytes &operator[](size_t record) { return values_[record]; }
    MRC_INLINE const Bytes &operator[](size_t record) const { return values_[record]; }
    Bytes *data() { return values_.get(); }
    const Bytes *data() const { return values_.get(); }

   private:
    std::unique_ptr<Bytes[]> values_;
  };

  i64 capacity = kCapacity;  // how many records a reader may append; kFewestTogether at least
  i64 size = 0;              // records, all of them good
  std::array<Bytes, kCapacity> records;  // each as a whole, without its terminator (or CR LF)
  std::vector<Column> fields;            // of those that the reader was asked for, in that order;
                                         // a field that the record lacks has a null data()
  std::vector<BadRecord> bad;            // found on the way
  Arena unescaped;                       // bytes of fields that are not in the chunk as they stand

  void set_columns(size_t columns) {
    fields.reserve(columns);
    while (fields.size() < columns) fields.emplace_back(capacity);
    while (fields.size() > columns) fields.pop_back();
  }
  void clear() {
    size = 0;
    bad.clear();
    unescaped.clear();
  }
};

// Single-byte-delimited records, for callers that split and consume in one pass.
struct SeparatedFields {
  Dialect dialect;             // its delimiter is set
  std::vector<i64> positions;  // of the fields wanted, from 0
};

inline constexpr i64 kHeadOfRecord = 1024;

// Reads the records of one dialect. Immutable: one is shared by all workers. All bytes
// in a batch live as long as the chunk and until batch->clear(); all may be over-read
// by kPadding bytes.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Appends to a cleared batch the records from *next on, batch->capacity at most, and moves
  // *next past them. When all is read, *next is the end of the chunk. REQUIRES: *next is where
  // a record of the chunk begins. The first record of an input (chunk.offset == 0 and *next
  // at its begin) may be a header and begin with a byte order mark: both are passed over.
  virtual void read(const Chunk &chunk, const char **next, RecordBatch *batch) const = 0;

  // Whether records may have several lines, so that chunks are cut where one begins; and whether
  // one begins with a line, as its first kHeadOfRecord bytes tell, or all if it is shorter.
  virtual bool joins_lines() const { return false; }
  virtual bool begins(Bytes /*head*/) const { return true; }

  // What it takes to do without the reader; null if it is not so simple.
  virtual const SeparatedFields *separated() const { return nullptr; }
};

// A reader for these fields, in this order; one may be wanted twice. A name that the
// dialect cannot have is an error that names the nearest ones.
Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted);

}  // namespace mrc
