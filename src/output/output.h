// output: rows leave the program, formatted by all workers, written in order.
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
class Formatter;

// How a key, or text that can hold any bytes as keys do, is written.
using AppendKey = void (*)(Bytes key, std::string *out);

// What can be written in one format, and how.
struct OutputFormat {
  const char *name;  // as users write it
  // make_formatter(), for this format.
  std::unique_ptr<Formatter> (*make)(const RowShape &shape, const StateLayout &layout,
                                     const RowLayout &rows);
  bool header = false;       // column names come first unless the user says otherwise
  bool for_people = false;   // numbers may be written as 12.3M
  bool may_be_raw = false;   // has escapes that the user may switch off
  bool draws = false;        // draws a column of numbers; a total would dwarf the others
  bool has_summary = false;  // shows the figures of a histogram below its bins
  // Of records as they come: how a field is written, and what separates it from the next one;
  // '\0': it has a label, as in JSON. Null: the format needs all rows at once.
  AppendKey (*field_text)(const RowShape &shape) = nullptr;
  char separator = '\0';

  // The table.
#define OUTPUT_FORMAT(name) static const OutputFormat name;
#include "output/formats.inc"

  // Not in the table, since no user can name it: for the next stage (LineFormat::rows).
  static const OutputFormat rows;
};

inline constexpr const OutputFormat *kOutputFormats[] = {
#define OUTPUT_FORMAT(name) &OutputFormat::name,
#include "output/formats.inc"
};

// What a row looks like: a column for each part of the key, then those of the aggregation.
struct RowShape {
  const OutputFormat *format = &OutputFormat::tsv;
  KeyShape key = {{KeyPart{}}};  // a plain one
  bool header = false;           // a first line of column names
  bool raw = false;              // tsv without escapes
  bool terminal = false;         // escape what a terminal would act on
  bool key_only = false;         // no other columns
  std::string progress = {};     // json: the value of a last member of that name; empty: none
  bool line_keys = true;         // a plain key is a record: there is no line end in it
  char terminator = '\n';
  bool terminated = true;  // records are followed by the terminator

  // What is written of each row is the records that this part keeps (combine/first_records.h),
  // after the header of the input; -1: columns.
  i64 records_part = -1;
  std::string record_header = {};

  // There is one row, whose state begins with a histogram: it becomes a row for each bin,
  // with the columns from, to and count. The columns of the aggregation are below them in
  // a table and bars.
  std::optional<HistogramSpec> histogram = {};

  // Of table, markdown and bars.
  bool human = false;  // numbers as 12.3M, but for those of keys
  // Of table and bars.
  bool color = false;
  // Of bars.
  i64 width = 80;      // of lines, in characters
  bool ascii = false;  // bars of #
};

// Turns rows into text. Thread safe.
class Formatter {
 public:
  virtual ~Formatter() = default;
  // What precedes the rows; may be empty.
  virtual void header(std::string *out) const = 0;
  virtual void rows(std::span<const Row> rows, std::string *out) const = 0;
  // The same of rows that may be longer than memory: `drain` takes what comes first of the text.
  virtual void stream(std::span<const Row> rows, std::string *out, Drain *drain) const {
    static_cast<void>(drain);
    this->rows(rows, out);
  }
  // For formats that align: makes room for these rows too. Not thread safe.
  virtual void measure(std::span<const Row>) {}
  virtual bool measures() const { return false; }
  // Whether a row may take long, as it is computed from all values of its key.
  virtual bool is_costly() const { return false; }
  // For how many of the rows nothing was printed.
  virtual i64 dropped() const { return 0; }
  // What to tell the user of rows that were measured; may be empty.
  virtual std::string note() const { return {}; }
};

// What measures() must be shown all rows before the first is formatted. The layout of
// the states must outlive the formatter. REQUIRES for bars: a column that is no text
std::unique_ptr<Formatter> make_formatter(const RowShape &shape, const StateLayout &layout,
                                          const RowLayout &rows);

// For rows whose shape has a part that keeps records.
std::unique_ptr<Formatter> make_record_group_formatter(const RowShape &shape,
                                                       const StateLayout &layout,
                                                       const RowLayout &rows);

// For rows of records: as they were. The header is text, with its terminator.
std::unique_ptr<Formatter> make_record_formatter(const RowShape &shape, const RowLayout &layout,
                                                 std::string header = "");

// Takes what is written, in place of a file.
class OutputTarget {
 public:
  virtual ~OutputTarget() = default;
  virtual Status write(Bytes bytes) = 0;
  // As OutputFile has it.
  virtual bool reader_left() = 0;
};

// Standard output, or a file that appears whole or not at all: it is written under
// a temporary name beside its place, and moved there by commit(). Devices and fifos
// are written to directly; a symbolic link stays, its target is replaced. Signals that
// end the process remove the temporary file. Opened and committed by one thread.
class OutputFile {
 public:
  // `path`: "-" is standard output. Fails at once where nothing can be written.
  static Result<std::unique_ptr<OutputFile>> open(const std::string &path);
  // A file at `place` that outlives the process, until commit() moves it to `path`, or copies it
  // to another file system. Fails as above, and if `path` is no place for a regular file.
  static Result<std::unique_ptr<OutputFile>> open_at(const std::string &place,
                                                     const std::string &path);
  // Everything goes to the target, which outlives it.
  static std::unique_ptr<OutputFile> to(OutputTarget *target);
  ~OutputFile();  // without commit(), leaves no file
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  Status write(Bytes bytes);
  // Forces the file to disk and moves it to its place.
  Status commit();

  // Of open_at(): goes on after so many bytes of what there is.
  Status go_on_after(i64 bytes);
  i64 bytes() const { return bytes_; }
  // What has been written so far is on the disk. Any thread, while others write.
  Status sync() const;

  // Whether the output has lost its reader (a closed pipe). Writing then does nothing.
  bool abandoned() const { return abandoned_; }
  // The same, found out without writing; for looking up now and then.
  bool reader_left();

 private:
  OutputFile() = default;
  Status create_temporary();
  Status give_name();
  Status move_from_place();
  Status copy_from_place() const;
  bool link_to(const std::string &path) const;

  OutputTarget *taker_ = nullptr;  // in place of a file
  int fd_ = -1;
  std::string name_;                    // for messages
  std::string target_;                  // where the file belongs; empty when written directly
  std::string temporary_;               // where it is until commit(), or a pattern for that name
  bool has_name_ = false;               // else it has none yet: it goes with the process
  std::string place_;                   // of a file that outlives the process; else empty
  i64 bytes_ = 0;                       // written
  std::atomic<bool> abandoned_{false};  // any thread asks
};

// Whether the output is a regular file, or can become one.
bool is_output_file(const std::string &path);

// For handlers of other signals that end the process.
void remove_temporary_outputs();

// How many rows a block of a source in memory should have, so that all workers get some.
i64 rows_of_block(const Formatter &formatter, i64 rows, i64 workers);

// What became of rows.
struct WrittenRows {
  i64 shown = 0;
  i64 early_bytes = 0;  // of text, written while other rows were not in order yet
};
// Writes the header and all rows, which are formatted by all workers. A formatter that measures
// sees all of them before. `unsorted`: how many blocks are not in order yet; may be empty.
Result<WrittenRows> write_rows(RowSource *rows, Formatter *formatter, OutputFile *file,
                               WorkerPool *pool, const std::function<i64()> &unsorted = {});

// Appends the header of records that are printed as they were: the names of the dialect's fields
// in its own format, with quotes only where they are needed, and its terminator.
void append_record_header(const Dialect &dialect, const RowShape &shape, std::string *out);

}  // namespace mrc
