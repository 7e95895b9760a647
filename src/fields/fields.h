// fields: turns a chunk of records into columns of views, by the format of its input.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "kinds/kind.h"
#include "record.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct Dialect;
class FieldFinder;
struct InputHead;
struct NamedFormat;
class RecordReader;
struct SpreadRecords;

// The number of computed fields, which no input has.
inline constexpr i64 kComputedNumber = -2;
// A field with this number is the name of the record's input; readers of inputs provide it.
inline constexpr i64 kInputNumber = -3;
// The number of running fields (running_values.h), which no input has either.
inline constexpr i64 kRunningNumber = -4;

// A field as users name it.
struct FieldName {
  std::string text;
  // Position from 1; 0 is the whole record; -1: by name. A quoted name is a name even if it looks
  // like a number.
  i64 number = -1;
  // True if text that could be a path (json_record.h) is the name of one member.
  bool whole = false;
  // For a column that was found in records (found_fields.h): the path to it, as users write it, in
  // formats with paths, else the field's label. Nothing else is the field: in JSON, neither an
  // alias, nor a name with dots, nor an object or array with members. Empty: `text` says what is.
  std::string path = {};

  bool operator==(const FieldName &) const = default;
  // True if every record has it.
  bool is_everywhere() const {
    return number == 0 || number == kInputNumber || number == kRunningNumber;
  }
};
inline FieldName input_name() { return {"file()", kInputNumber, true}; }

// How several records are made of each record of an input (spread.h).
struct Spread {
  enum class By : u8 { nothing, elements, pieces, columns } by = By::nothing;
  // The field whose elements or pieces are the records; or the columns that are stacked.
  std::vector<FieldName> fields = {};
  std::string separator = {};        // for pieces
  std::string key = {}, value = {};  // for columns: the new fields
  // For columns, in a dialect: the names of the fields of the input.
  std::vector<std::string> names = {};

  bool is_wanted() const { return by != By::nothing; }
  bool operator==(const Spread &) const = default;
};

// Describes how records of one format are recognized and read.
struct LineFormat {
  enum class Header { never, asked, sniffed };
  using MakeReader = Result<std::unique_ptr<RecordReader>>(const Dialect &dialect,
                                                           std::span<const FieldName> wanted);

  const char *name;         // as users write it
  MakeReader *make_reader;  // see make_reader()
  // Completes a dialect that the user has chosen, from the first bytes of an input.
  Status (*complete)(const InputHead &input, Dialect *dialect);
  // Returns the dialect of an input whose first records have the shape of this format; see
  // recognize.h.
  std::optional<Dialect> (*recognize)(const InputHead &input,
                                      const std::vector<Bytes> &records) = nullptr;
  Header header = Header::never;  // whether the first record may be names
  char delimiter = '\0';          // default delimiter of fields; '\0': none
  bool one_field = false;
  bool quoted = false;       // quotes may enclose delimiters and line ends (RFC 4180)
  bool paths = false;        // names of fields are paths (json_record.h)
  bool takes_regex = false;  // the user's regular expression finds the fields
  bool one_line = false;     // each record is a line, whatever the user says
  // Recognized only for jobs that name a field (FormatSpec::names_fields). Other jobs read such
  // records as lines, or in another format.
  bool by_name = false;
  const char *kinds = "";            // kinds of its fields, as NamedFormat::kinds
  const NamedFormat *row = nullptr;  // null, or the row of named_formats.h that describes it
  // Makes what finds the fields of records, for formats whose records may have any; null: nothing
  // does. See found_fields.h.
  std::unique_ptr<FieldFinder> (*make_finder)(const Dialect &dialect) = nullptr;

  // The table of formats, without the rows of named_formats.h.
#define LINE_FORMAT(name, weight) static const LineFormat name;
#include "fields/formats.inc"

  // Not in the table, because users cannot name them: rows of the previous stage of a chain, as
  // values (stage_rows.h), and as JSON objects for stages that look at whole records. The spec's
  // columns are the fields.
  static const LineFormat rows, row_objects;
  // Records of several formats: see Dialect::mixed.
  static const LineFormat mixed;
};

// Returns all formats that users can name, in the order of the help.
std::span<const LineFormat *const> line_formats();

// The user's description of an input.
struct FormatSpec {
  const LineFormat *format = nullptr;     // null: implied by other options, or detected per input
  std::optional<char> delimiter = {};     // for formats with a delimiter
  char terminator = '\n';                 // terminator of records; CR LF counts as LF
  std::string regex = {};                 // for formats with a regular expression
  std::string pattern = {};               // for formats with a pattern
  std::string pattern_name = {};          // the user's name for the pattern, and its place
  std::string record_start = {};          // regular expression for lines that begin a record; or ""
  std::string binary = {};                // for binary records: their layout (binary.h)
  i64 record_bytes = 0;                   // for binary records: their size
  std::optional<bool> header = {};        // whether the first record names the fields
  std::vector<std::string> columns = {};  // names of the fields, in place of a header

  // Order of day and month in dates such as 03/11/2026, if the user sets it.
  DateOrder dates = DateOrder::unknown;

  // True if the job uses fields by name, so that `by_name` formats are tried; `named` has the
  // names, as far as they are known.
  bool names_fields = false;
  std::vector<std::string> named = {};
  // The largest number of a field that the job uses; 0: it uses none by number. Text of no other
  // format then has the fields that blanks separate.
  i64 largest_number = 0;

  bool joins_lines = true;  // whether a record may have several lines, or share one

  // True if Dialect::reason should say how a job that names a field would read the lines. Finding
  // out takes time.
  bool wants_hint = false;

  Spread spread = {};
};

// How the records of one input are read, as far as its first bytes tell.
struct Dialect {
  const LineFormat *format = &LineFormat::lines;
  std::optional<char> delimiter = {};  // unset: runs of blanks (fields), or without meaning
  char terminator = '\n';
  std::string regex = {};
  std::string pattern = {};
  i64 wrapper = -1;               // row of wrappers() for records inside other lines; -1: none
  std::string layout = {};        // layout of JSON (json.h) or of binary records (binary.h)
  bool joins_lines = false;       // lines may continue the record before, if the format allows it
  std::string record_start = {};  // regular expression for the first lines of records
  // For a layout of a log (pattern.h): the form of its times, unless the shape is none. If the
  // layout is one of several dialects, a line with a date of another form is no record. If
  // `whole_layout`, a line that lacks values is no record either.
  TimeForm time_form = {};
  bool one_form = false, whole_layout = false;
  bool header = false;  // the first record is a header
  i64 preamble = 0;     // bytes before the first record of an input, which are no records
  std::vector<std::string> names = {};  // names of fields, in order; "" for those without a name
  std::vector<FieldKind> kinds = {};    // their kinds, if the input tells; unknown: values tell
  i64 most_fields = 0;                  // a record with more is bad; 0: no limit
  bool open = false;                    // records may have fields of any other name
  bool empty = false;                   // the input is empty: any field may be asked for
  bool joins_time = false;              // `time` joins the fields date and time
  std::string zone = {};                // field whose value is the zone of `time`; "": none
  // At most one: the dialect of the lines around the records, whose fields the records have, too,
  // unless they have fields of these names themselves.
  std::vector<Dialect> around = {};
  // The dialects of an input whose format is `mixed`: a record is read by the first that it
  // matches. The names are those of all.
  std::vector<Dialect> mixed = {};
  std::string reason = {};  // explanation for --explain
  Spread spread = {};

  bool operator==(const Dialect &) const = default;
};

// Returns the dialect of an input that begins with `head` and, if `whole`, ends there. Without a
// format in the spec, the first records decide. Errors are those of the spec, such as an invalid
// regular expression. An empty input is open, because a log that was just rotated is no reason to
// fail.
Result<Dialect> sniff(const FormatSpec &spec, Bytes head, bool whole);
// True if the dialect is `fields` only because the job uses fields by number, and some line has
// several.
bool is_by_numbers(const Dialect &dialect);
// True if sniff() needs bytes of the input; otherwise the spec is enough.
bool needs_head(const FormatSpec &spec);
// Number of bytes that sniff() needs of an input: kSniffedBytes, but all of the first three lines
// if these are longer, up to a limit. The limit is higher for a first record that may be the header
// of the format that the user has chosen.
constexpr i64 kSniffedBytes = i64{64} << 10;
constexpr i64 kMostSniffedBytes = i64{4} << 20;
constexpr i64 kMostHeaderBytes = i64{64} << 20;
struct SniffedHead {
  Bytes bytes;
  bool whole = false;  // the input ends here
};
// Returns the head for sniff() from the first bytes of an input, which are all bytes if `whole`;
// nothing if more bytes have to be read.
std::optional<SniffedHead> sniffed_head(Bytes begin, bool whole, const FormatSpec &spec);

// Returns the spec for a job that uses these fields.
FormatSpec format_for(FormatSpec spec, const std::vector<FieldName> &names);

// A record that does not have the shape of its format. Borrowed from the chunk.
struct BadRecord {
  Bytes record;        // without its terminator
  const char *reason;  // a constant, e.g. "no closing quote"
};

// A value that does not fit the computation. Borrowed.
struct BadField {
  Bytes record, value;
  const char *reason;  // e.g. "ms is not a number"
};

// Takes reports of bad input. Implemented by engine.
class BadRecordSink {
 public:
  virtual ~BadRecordSink() = default;
  // Takes a record that is left out: it does not have the shape of its format, or a field of its
  // key does not fit its bucket.
  virtual void take(const Chunk &chunk, const BadRecord &bad) = 0;
  // Takes a value that counts as missing; its record is used.
  virtual void take_value(const Chunk &, const BadField &) {}
  // Says that records were read, and if one of them has the field of this name.
  virtual void take_field(const FieldName &, bool /*is_there*/) {}
  // Counts records that were used.
  virtual void count_used(i64 /*records*/) {}
  // Says that a chunk ends inside quotes.
  virtual void take_open_quote() {}
};

// Records, stored by column.
struct RecordBatch {
  static constexpr i64 kCapacity = 512;
  // The values of one field.
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

  i64 capacity = kCapacity;  // records that a reader may append; at least kFewestTogether
  i64 size = 0;              // number of records, all of them good
  std::array<Bytes, kCapacity> records;  // whole records, without terminators (or CR LF)
  std::vector<Column> fields;            // wanted fields, in order; missing values have no data()
  std::vector<BadRecord> bad;            // malformed records
  Arena unescaped;                       // values that differ from the bytes in the chunk
  // For readers that make several records of one: numbers of the records among those of one, and
  // what is left of a record. `resumes`: the next read() goes on with that.
  std::vector<u32> ordinals = {};
  std::shared_ptr<SpreadRecords> spread = {};
  bool resumes = false;
  // For CSV: the text of the last read() ends inside quotes.
  bool ends_in_quotes = false;
  // For readers of decoded records: how many of these were read.
  size_t taken = 0;

  // Returns where a record begins. Several records of one begin at different bytes of it.
  const char *begin_of(size_t record) const {
    const Bytes text = records[record];
    return text.data() + (ordinals.empty() ? 0 : std::min<size_t>(ordinals[record], text.size()));
  }
  void set_columns(size_t columns) {
    fields.reserve(columns);
    while (fields.size() < columns) fields.emplace_back(capacity);
    while (fields.size() > columns) fields.pop_back();
  }
  void clear() {
    size = 0;
    bad.clear();
    unescaped.clear();
    ordinals.clear();
    ends_in_quotes = false;
  }
};

// Single-byte-delimited records, for callers that split and consume in one pass.
struct SeparatedFields {
  Dialect dialect;             // its delimiter is set
  std::vector<i64> positions;  // positions of the wanted fields, from 0
};

inline constexpr i64 kHeadOfRecord = 1024;

// Reads the records of one dialect. Immutable: all workers share one. All bytes in a batch live as
// long as the chunk and until batch->clear(), and may be over-read by kPadding bytes.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Appends at most batch->capacity records from *next on to a cleared batch, and moves *next past
  // them. After the last record, *next is the end of the chunk. REQUIRES: a record of the chunk
  // begins at *next, or the batch resumes. At the beginning of an input (chunk.offset == 0 and
  // *next at its begin), a byte order mark and a header are skipped.
  virtual void read(const Chunk &chunk, const char **next, RecordBatch *batch) const = 0;

  // True if records may have several lines, so that chunks are cut where a record begins. begins()
  // is true if a line begins a record, by its first kHeadOfRecord bytes, or all of a shorter line.
  virtual bool joins_lines() const { return false; }
  virtual bool begins(Bytes /*head*/) const { return true; }

  // Returns what a caller needs to do without the reader; null if the format is not that simple.
  virtual const SeparatedFields *separated() const { return nullptr; }
};

// Makes a reader for these fields, in this order; a field may be wanted twice. A name that the
// dialect cannot have is an error that suggests the nearest ones.
Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted);

}  // namespace mrc
