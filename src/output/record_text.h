// The text of `mrc grep` and `mrc select`.
#pragma once

#include "kinds/kind.h"
#include "map/line_matcher.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/file_names.h"
#include "output/output.h"

#include <memory>

namespace mrc {

// The text of `mrc grep`, which prints lines that match.
struct GrepSpec {
  PatternSpec pattern;
  bool invert = false;         // select lines that do not match
  bool numbers = false;        // line numbers, from 1
  bool only_matching = false;  // print each match instead of its line
  bool names = false;          // print the name of the input before each line
  bool late_names = false;     // leave names to the writer of the text, which may be kept

  // Prints the lines, their count in each input, the names of inputs with such lines, or nothing if
  // only the exit status is wanted.
  enum class Answer { lines, counts, inputs, nothing } answer = Answer::lines;
  i64 of_each = INT64_MAX;  // limit for the lines of each input
  i64 of_all = INT64_MAX;   // limit for all lines
  bool json = false;        // print one object per line
  bool color = false;
  bool visible = false;    // escape control characters, for terminals
  LineGroups groups = {};  // lines that form one record, which matches if one of them does
  // Unless negative: so many lines before and after each selected line are printed, too. REQUIRES:
  // no groups, and not only_matching
  i64 before = -1, after = -1;
  bool separates = true;  // print "--" between lines that are not adjacent
};

// The error names the pattern. The scanner must outlive the result.
Result<std::unique_ptr<Transformer>> make_grep(const GrepSpec &spec, const Scanner &scanner);

// The text of `mrc select`: prints selected records.

// The kind of a key, which decides how JSON shows its values.
struct SelectedKey {
  ValueKind kind = ValueKind::unknown;  // numbers and booleans are not strings
  bool is_read = false;  // a field of the record: not computed or a bucket, not of a table
};

struct SelectSpec {
  // The keys are the fields to print; none: the whole record, unchanged. There are no values.
  FieldsSpec fields;
  // Uses format (with field_text), header, raw, terminal and terminator. The header of whole
  // records is that of the first input, if it has one.
  RowShape shape;
  std::vector<SelectedKey> known = {};  // of the keys; may be shorter
  bool all_text = false;                // print all values as strings in JSON
  bool nests = false;                   // JSON: dotted names become objects in objects
  i64 of_all = INT64_MAX;               // limit: the first records
  i64 skipped = 0;                      // the first of those, which are not printed
  i64 last = INT64_MAX;                 // limit: the last of those
  bool reversed = false;                // print the last one first
  // Draws records at random: so many of them (draw.h), or those of at most this rank.
  i64 drawn = INT64_MAX;
  u64 most_rank = ~u64{0};
  u64 seed = 0;
  // Names of the files to which records go; null: all go to one. If set, the text is what
  // NamedFiles takes.
  std::shared_ptr<const FileNames> files = {};
};

std::unique_ptr<Transformer> make_select(SelectSpec spec);

// Writes records as `mrc select` does, into the caller's text. Thread safe.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  // Appends the names of the fields; nothing if these are labels of each record, or if records are
  // written whole.
  virtual void append_header(std::string *out) const = 0;
  // Appends a record of a batch of the chunk. Values that do not fit their bucket are passed to
  // `bad`. `json`: the records are JSON. *value is scratch.
  virtual void append(const Chunk &chunk, const SelectedRecords &batch, size_t record, bool json,
                      BadRecordSink *bad, std::string *value, std::string *out) const = 0;
};
std::unique_ptr<RecordWriter> make_record_writer(const SelectSpec &spec);
// True if records of the dialect are JSON, whose values tell their own types.
bool has_json_values(const Dialect &dialect);

}  // namespace mrc
