// output: writes rows in order, formatted by all workers.
#pragma once

#include "base/status.h"
#include "combine/combine.h"
#include "combine/histogram.h"
#include "map/key_parts.h"
#include "rows/row_source.h"
#include "sched/sched.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace mrc {

struct Dialect;

struct RowShape;
struct FillSpec;
class Formatter;

// Writes a key, or text that may contain any bytes, like a key.
using AppendKey = void (*)(Bytes key, std::string *out);

// The properties of an output format.
struct OutputFormat {
  const char *name;  // the name in options
  // Implements make_formatter() for this format.
  std::unique_ptr<Formatter> (*make)(const RowShape &shape, const StateLayout &layout,
                                     const RowLayout &rows);
  bool header = false;       // column names come first by default
  bool for_people = false;   // numbers may be written as 12.3M
  bool may_be_raw = false;   // has escapes that the user may switch off
  bool draws = false;        // draws one column of numbers; a total would dwarf the others
  bool has_summary = false;  // shows the figures of a histogram after its bins
  bool spreads = false;      // draws a row for each key without its last part, along an axis
  // For records in input order: writes a field. Null: the format needs all rows first. `separator`
  // precedes the next field; '\0': fields have labels, as in JSON.
  AppendKey (*field_text)(const RowShape &shape) = nullptr;
  char separator = '\0';

  // The formats of the table.
#define OUTPUT_FORMAT(name) static const OutputFormat name;
#include "output/output_formats.inc"

  // The format for the next stage of a chain (LineFormat::rows). It is not in the table, since
  // users cannot name it.
  static const OutputFormat rows;
  // JSON without names, for programs whose answers become parts of a text. Not in the table, too.
  static const OutputFormat arrays;
};

inline constexpr const OutputFormat *kOutputFormats[] = {
#define OUTPUT_FORMAT(name) &OutputFormat::name,
#include "output/output_formats.inc"
};

// A row for each key without its last part.
struct PivotSpec {
  std::string number;  // result of numbers for keys that no record has; empty: missing
};

// The form of a row: a column for each part of the key, then those of the aggregation.
struct RowShape {
  const OutputFormat *format = &OutputFormat::tsv;
  KeyShape key = {{KeyPart{}}};  // one part, plain
  bool header = false;           // print column names first
  bool raw = false;              // tsv without escapes
  bool terminal = false;         // escape control characters, for terminals
  bool key_only = false;         // print no other columns
  std::string progress = {};     // json: the value of a last member "progress"; empty: none
  bool line_keys = true;         // a plain key is a record, without line ends
  char terminator = '\n';
  bool terminated = true;   // records are followed by the terminator
  bool transposed = false;  // rows become columns (engine/inner/transposed_text.h)

  // Prints the records that this part keeps (combine/first_records.h) in place of columns, after
  // the header of the input; -1: prints columns.
  i64 records_part = -1;
  std::string record_header = {};

  // If set, there is one row, whose state begins with a histogram. It is printed as a row for each
  // bin, with the columns from, to and count. Tables and bars print the columns of the aggregation
  // after them.
  std::optional<HistogramSpec> histogram = {};

  // Prints rows for buckets that no record has, and has the axis of a format that spreads
  // (output/fill.h); null: neither.
  std::shared_ptr<const FillSpec> fill = {};

  // If set, the last part of the key has a column for each of its values (output/inner/pivot.h).
  std::optional<PivotSpec> pivot = {};

  // For table, markdown and bars:
  bool human = false;  // numbers as 12.3M, except in keys
  // For table and drawings:
  bool color = false;
  // For drawings:
  i64 width = 80;      // of lines, in characters
  bool ascii = false;  // draw with ASCII, as bars with #
};

// Turns rows into text. Thread safe.
class Formatter {
 public:
  virtual ~Formatter() = default;
  // Appends the text before the rows; may be empty.
  virtual void header(std::string *out) const = 0;
  virtual void rows(std::span<const Row> rows, std::string *out) const = 0;
  // Like rows(), for rows that may be longer than memory: `drain` takes the text in pieces.
  virtual void stream(std::span<const Row> rows, std::string *out, Drain *drain) const {
    static_cast<void>(drain);
    this->rows(rows, out);
  }
  // Looks at all rows, in order, before the others are called, and may keep `memory_bytes` of them.
  // Returns the rows to print, which may be others, and are shown only while the formatter exists.
  // Not thread safe.
  virtual Result<std::unique_ptr<RowSource>> survey(std::unique_ptr<RowSource> rows,
                                                    i64 /*memory_bytes*/) {
    return rows;
  }
  // For formats that align: widens columns for these rows. Not thread safe.
  virtual void measure(std::span<const Row>) {}
  virtual bool measures() const { return false; }
  // True if rows may take long, because they are computed from all values of their keys.
  virtual bool is_costly() const { return false; }
  // Returns for how many rows nothing was printed.
  virtual i64 dropped() const { return 0; }
  // Returns a note to the user about measured rows; may be empty.
  virtual std::string note() const { return {}; }
};

// A formatter that measures() must get all rows before the first is formatted. The layout of the
// states must outlive the formatter. REQUIRES for bars: a column that is not text
std::unique_ptr<Formatter> make_formatter(const RowShape &shape, const StateLayout &layout,
                                          const RowLayout &rows);

// Makes the formatter for shapes with a part that keeps records.
std::unique_ptr<Formatter> make_record_group_formatter(const RowShape &shape,
                                                       const StateLayout &layout,
                                                       const RowLayout &rows);

// Prints rows of records unchanged. `header` is printed first and includes its terminator.
std::unique_ptr<Formatter> make_record_formatter(const RowShape &shape, const RowLayout &layout,
                                                 std::string header = "");

// Receives the output instead of a file.
class OutputTarget {
 public:
  virtual ~OutputTarget() = default;
  virtual Status write(Bytes bytes) = 0;
  // See OutputFile::reader_left().
  virtual bool reader_left() = 0;
};

// Standard output, or a file that appears complete or not at all: it is written under a temporary
// name in the same directory, and renamed by commit(). Devices and FIFOs are written directly. A
// symbolic link stays, and its target is replaced. Signals that end the process remove the
// temporary file. Opened and committed by one thread.
class OutputFile {
 public:
  // `path`: "-" is standard output. Fails at once if nothing can be written.
  static Result<std::unique_ptr<OutputFile>> open(const std::string &path);
  // Opens a file at `place` that outlives the process, until commit() moves it to `path`, or copies
  // it if that is on another file system. Fails like open(), and if `path` cannot be a regular
  // file.
  static Result<std::unique_ptr<OutputFile>> open_at(const std::string &place,
                                                     const std::string &path);
  // Writes to the target, which must outlive the file.
  static std::unique_ptr<OutputFile> to(OutputTarget *target);
  ~OutputFile();  // without commit(), leaves no file
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  // From now on, what is written becomes frames of Zstandard, each of the same size of text.
  // REQUIRES: nothing is written yet; open() made the file
  void compress() { compresses_ = true; }
  // Takes over the permissions of an open file and, as far as that is permitted, its owner.
  Status resemble(int fd);
  Status write(Bytes bytes);
  // Forces the file to disk and renames it to its path.
  Status commit();
  // Only renames it: the caller forces the file and its folder to disk (file_set.h). REQUIRES: it
  // has a path, and open() made it
  Status appear();

  // For open_at(): continues after the first `bytes` bytes and drops the rest.
  Status go_on_after(i64 bytes);
  i64 bytes() const { return bytes_; }
  // Forces all that was written to disk. Any thread, while others write.
  Status sync() const;

  // True if the output has lost its reader (a closed pipe). write() then does nothing.
  bool abandoned() const { return abandoned_; }
  // Checks for a lost reader without writing; call it now and then.
  bool reader_left();

 private:
  OutputFile() = default;
  Status create_temporary();
  Status write_bytes(Bytes bytes);
  Status write_frames(bool all);
  Status give_name();
  Status move_from_place();
  Status copy_from_place() const;
  bool link_to(const std::string &path) const;

  OutputTarget *taker_ = nullptr;  // instead of a file
  int fd_ = -1;
  std::string name_;       // for messages
  std::string target_;     // path of the file; empty: written directly
  std::string temporary_;  // its path until commit(), or a pattern for that
  bool has_name_ = false;  // false: it has no name, and disappears with the process
  std::string place_;      // of a file that outlives the process; else empty
  i64 bytes_ = 0;          // written
  bool compresses_ = false;
  bool has_frame_ = false;
  std::string text_;                    // that is not in a frame yet
  std::atomic<bool> abandoned_{false};  // any thread may ask
};

// True if the name says that the file is compressed by Zstandard.
inline bool is_zstd_name(std::string_view path) { return path.ends_with(".zst"); }

// True if the output is a regular file, or can become one.
bool is_output_file(const std::string &path);

// Removes the temporary files, for handlers of other signals that end the process.
void remove_temporary_outputs();

// Returns how many rows each block should have, so that all workers get some.
i64 rows_of_block(const Formatter &formatter, i64 rows, i64 workers);

// Counts of written rows.
struct WrittenRows {
  i64 shown = 0;
  i64 early_bytes = 0;  // of text, written while other rows were not sorted yet
};
// Writes the header and all rows, which all workers format. A formatter that measures gets all rows
// first. Each worker may hold about `memory_bytes` of the text of a row until its turn. `unsorted`
// returns how many blocks are not sorted yet; may be empty.
Result<WrittenRows> write_rows(RowSource *rows, Formatter *formatter, OutputFile *file,
                               WorkerPool *pool, i64 memory_bytes,
                               const std::function<i64()> &unsorted = {});

// Appends the header of records that are printed unchanged: the names of the dialect's fields in
// its own format, with quotes only if needed, and its terminator.
void append_record_header(const Dialect &dialect, const RowShape &shape, std::string *out);

}  // namespace mrc
