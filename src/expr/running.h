// expr: running fields, whose value for a record depends on the records before it in its group,
// such as lag(x) and cumsum(x). running_table.cc has all functions.
//
// Each chunk is read twice. The first pass reads what the functions need of each record
// (RunningInput); workers do so for several chunks at a time. Then each chunk, in the order of the
// input, has its turn: RunningGroups computes its values. The second pass is the job's own, for
// which the values are fields (fields/running_values.h).
#pragma once

#include "base/key_numbers.h"
#include "base/number.h"
#include "expr/expression.h"
#include "expr/record_scan.h"
#include "fields/running_values.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct RunningFunction;

// The unit in which a function counts the place of a record in its input.
enum class PlaceIn : u8 { nothing, records, lines };

// A call of a function.
struct RunningField {
  const RunningFunction *function;
  FieldName name;    // the call as typed
  FieldKind kind;    // of the results
  FieldExpr value;   // the first argument; no text: the function has none
  FieldExpr time;    // for functions of the records within a time
  i64 records = 0;   // parameter: a number of records
  std::string span;  // parameter: a number of seconds, as text; empty: none
  // The value is that of all records of the group, which are read before the first one has it.
  bool is_of_all = false;
};

// All running fields of a job, and the groups and records that they see. Constant once compiled.
struct RunningFields {
  std::vector<FieldExpr> keys = {};  // of groups; empty: all records are one group
  std::vector<RunningField> fields = {};
  // Selects the records that the functions see, and so does the job; null: all.
  std::shared_ptr<const Filter> filter = {};
  // The records of each group follow one another, which is checked.
  bool has_stretches = false;

  // Returns how many records after the own one the functions look at.
  i64 ahead() const;
  // Returns the first field whose value is that of all records of the group; null: there is none.
  const RunningField *of_all() const;

  // Returns the fields that the first pass reads.
  WantedFields wanted() const;
  std::vector<FieldName> names() const;
  // Returns the first field that numbers records, or lines, of each input by itself; null: none
  // does.
  const RunningField *place(PlaceIn what) const;
  // Returns group(), if it is the only field and there are groups; else null.
  const RunningField *only_group() const;
};

// True if a function has this name.
bool is_running_function(std::string_view name);
// Returns the value of a call: a field, which is added to the clock's running fields unless they
// have it, or the number that it holds. The error says how the function is called, or why it cannot
// be used here.
Result<Expression> running_value(const Expression &call, const Clock &clock);
// Makes fields for RunningFields::keys.
Result<std::vector<FieldExpr>> parse_running_keys(std::string_view text, const Clock &clock);

// The values of a chunk that the functions need.
struct RunningInput {
  struct Argument {
    std::vector<Number> numbers = {};
    std::vector<Bytes> texts = {};
    std::vector<char> marks = {};  // of texts: a quote if JSON writes the value in quotes
  };
  // The records, or lines, of the chunk: how many are before each record, and how many there are.
  struct Places {
    std::vector<i64> before = {};
    i64 in_all = 0;
  };
  Chunk chunk;
  std::vector<Bytes> records;
  std::vector<const char *> begins;
  std::vector<Bytes> keys;                 // of groups; empty if all records are one
  std::vector<Argument> values;            // by running field
  std::vector<std::vector<Number>> times;  // by running field
  Places record_places, line_places;       // empty unless functions need them
  Arena arena;                             // for what does not lie in the chunk
  // Records after the chunk, whose keys, values and times follow those of the chunk.
  i64 later = 0;

  void clear();
  void drop_later();
};

// Counts the records and lines of a chunk while its records are read.
class PlaceCounter {
 public:
  explicit PlaceCounter(const RunningFields &fields);

  void begin(const Chunk &chunk, char terminator);
  // Takes the next batch of the chunk.
  void add(const SelectedRecords &batch, RunningInput *input);
  void end(RunningInput *input);

 private:
  void count_records(const SelectedRecords &batch, RunningInput::Places *places);
  void count_lines(const SelectedRecords &batch, RunningInput::Places *places);

  const bool wants_records_, wants_lines_;
  char terminator_ = '\n';
  Bytes rest_;  // bytes of the chunk whose lines are not counted yet
  i64 records_ = 0, lines_ = 0;
};

// Reads chunks for the first pass. For one worker; not thread safe.
class RunningScan {
 public:
  // Values that do not fit are reported to `bad`; malformed records are not, as the second pass
  // reports them. All arguments outlive the scan.
  RunningScan(const RunningFields &fields, const InputReaders &readers, BadRecordSink *bad);
  ~RunningScan();

  void read(const Chunk &chunk, RunningInput *input);
  // Reads the records of a chunk that follows, up to `records` or a few more, as later ones of the
  // input. Nothing about them is reported. Their last record may be cut.
  void read_later(const Chunk &chunk, i64 records, RunningInput *input);

 private:
  class ValuesOnly;
  void take_batch(RunningInput *input);
  void take_text(size_t field, Bytes text, RunningInput *input);
  Bytes key_of(const SelectedRecords &batch, size_t record, RunningInput *input);

  const RunningFields &fields_;
  std::unique_ptr<ValuesOnly> bad_;
  PlaceCounter places_;
  RecordScan scan_;
  std::vector<size_t> keys_;  // columns
  struct Columns {
    i64 text = -1, number = -1, time = -1;  // -1: not needed
    bool is_plain = false;                  // the text is that of a field of the record
  };
  std::vector<Columns> columns_;  // by running field
  std::string key_;
  const InputReaders &readers_;
  bool is_json_ = false;  // the records of the chunk
};

class RunningState;
struct RunningRecords;

// The groups and what is kept of their records. One thread at a time, chunks in the order of the
// input. If a field is of all records, all chunks are first gathered, and then computed.
class RunningGroups {
 public:
  explicit RunningGroups(const RunningFields &fields);
  ~RunningGroups();

  Status gather(const RunningInput &input);
  // Called when all chunks are gathered.
  void begin_again() { last_group_ = 0; }
  // Computes the values of a chunk. Values that do not fit are reported to `bad`. `arena` gets the
  // texts of the values. Fails if the records of a group do not follow one another, but should.
  Status compute(const RunningInput &input, BadRecordSink *bad, RunningValues *values,
                 Arena *arena);

  i64 groups() const { return keys_.size(); }
  // Memory of the groups.
  i64 used_bytes() const;

 private:
  Status find_groups(const RunningInput &input);
  RunningRecords records_of(const RunningInput &input, size_t field) const;

  const RunningFields &fields_;
  KeyNumbers keys_{Seed::random()};  // of groups
  std::vector<u32> group_of_record_;
  u32 last_group_ = 0;
  std::vector<std::unique_ptr<RunningState>> states_;  // by running field
};

}  // namespace mrc
