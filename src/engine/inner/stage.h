// engine: what a program does with the records of one scan.
#pragma once

#include "engine/inner/input_scan.h"
#include "output/output.h"
#include "rows/row_source.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct Program;
struct Plan;
struct Run;
struct Sample;

// The result of a stage: ordered rows and the way to write them, or text.
struct Answer {
  std::unique_ptr<RowSource> rows = {};  // null: there is only text
  std::function<i64()> unsorted = {};    // number of blocks of rows that are not sorted yet
  std::vector<std::unique_ptr<RowStep>> steps = {};
  std::unique_ptr<Formatter> formatter = {};
  std::string text = {};
  std::function<Status(OutputFile *to)> write = {};  // replaces rows and formatter; empty: unused
};

// The sink of a stage. After the scan, it makes rows of the results of its hands.
class StageSink : public Sink {
 public:
  // Called before the first scan.
  virtual Status open() { return Status::ok(); }
  // True if the next scan reads this input of the plan.
  virtual bool reads(i64 /*source*/) const { return true; }
  // Returns the source to scan instead of the plan's inputs; null: none. Called in each round.
  virtual Result<ChunkSource *> own_source() { return nullptr; }

  // Merges the results of the hands, so that each key has one state.
  virtual Status reduce() { return Status::ok(); }
  // True if the input must be scanned again. Then the results of this round are dropped.
  virtual Result<bool> end_round(i64 /*round*/) { return false; }
  // True if there is an answer to write.
  virtual bool answers() const { return true; }
  // Makes the answer. The sink outlives it.
  virtual Result<Answer> finish() { return Answer{}; }
  // Called when the answer is written. Returns an error of data that it needed.
  virtual Status close() { return Status::ok(); }
};

// Immutable: all workers share it. Each stage is in the file of its sink, in sinks/.
class Stage {
 public:
  virtual ~Stage() = default;

  // The size of records if all have the same size; 0: they end with a terminator.
  virtual i64 record_bytes() const = 0;
  // Decides what depends on the stage. All other decisions of the plan have been taken.
  virtual void plan(Plan *plan) const = 0;
  // Makes a hand that adds the keys of records to the sample. Null: a sample would show nothing.
  virtual std::unique_ptr<Hand> make_sampler(const Plan &, Sample *, BadRecordSink *) const {
    return nullptr;
  }
  // True if the stage makes its own units, whose number is unknown before the run.
  virtual bool makes_units() const { return false; }
  // True if hands count the records of chunks.
  virtual bool counts_records() const { return true; }
  // True if records without fields may turn out malformed.
  virtual bool may_reject() const { return false; }
  // True if a sink may be dropped after a scan, in place of ending it, and another one made.
  virtual bool can_start_over() const { return false; }
  // True if a part of the input may be enough.
  virtual bool is_limited() const { return false; }

  // Makes the sink of one run, which outlives it.
  virtual Result<std::unique_ptr<StageSink>> make_sink(Run *run) const = 0;
};

// The result of a stage.
enum class Makes {
  groups,    // a row for each key
  records,   // the records, in order
  verdict,   // no rows: whether the records are in order, or an index
  files,     // no rows: files of a directory
  text,      // text of chunks, in the order of the input
  pairs,     // rows of two inputs
  estimate,  // about how many keys there are
  report,    // rows of several programs, as one text
};

// A row of the table of stages.
struct StageType {
  const char *name;
  Makes makes;
  std::unique_ptr<const Stage> (*make)(const Program &program);  // the program outlives it
};
template <typename TheStage>
constexpr StageType make_stage_type(const char *name, Makes makes) {
  return {name, makes, [](const Program &program) -> std::unique_ptr<const Stage> {
            return std::make_unique<TheStage>(program);
          }};
}
// Groups and combines keys, and makes a row of each.
extern const StageType kGroupStage;
// Like kGroupStage, with a plugin's own map, order, rounds or format.
extern const StageType kPluginStage;
// Makes rows with sort keys of records.
extern const StageType kSortStage;
// Checks if records are in order already.
extern const StageType kCheckStage;
// Writes records to files of a directory, in order, and by their folders.
extern const StageType kLoadStage;
// Indexes between which values some fields are, in each page of each file.
extern const StageType kRangeStage;
// Makes text of chunks, in the order of the input.
extern const StageType kTextStage;
// Joins records of two inputs to rows of both.
extern const StageType kJoinStage;
// Runs several programs, whose records are read and decoded once.
extern const StageType kSharedStage;
// Estimates the number of keys by a sketch.
extern const StageType kSketchStage;
// Lists the fields of records that may have any.
extern const StageType kFieldListStage;

}  // namespace mrc
