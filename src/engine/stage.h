// engine: what is done to the records of one scan.
#pragma once

#include "engine/scan.h"
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

// What a stage has made of its input: rows in order, and how they are written; or text.
struct Answer {
  std::unique_ptr<RowSource> rows = {};  // null: the text is all there is
  std::function<i64()> unsorted = {};    // how many blocks of rows are not in order yet; if any
  std::vector<std::unique_ptr<RowStep>> steps = {};
  std::unique_ptr<Formatter> formatter = {};
  std::string text = {};
  std::function<Status(OutputFile *to)> write = {};  // in place of all that; empty: it is not
};

// The sink of a stage: after the scan, it makes rows of what hands have handed over.
class StageSink : public Sink {
 public:
  // Before the first scan.
  virtual Status open() { return Status::ok(); }
  // Whether the next scan is of this input, as far as it is of the plan's inputs.
  virtual bool reads(i64 /*source*/) const { return true; }
  // What is scanned in place of the plan's inputs; null: nothing. For each round.
  virtual Result<ChunkSource *> own_source() { return nullptr; }

  // From what hands handed over to states of which each key has one.
  virtual Status reduce() { return Status::ok(); }
  // Whether the input is to be scanned once more. What was made of it then goes.
  virtual Result<bool> end_round(i64 /*round*/) { return false; }
  // Whether there is anything to write.
  virtual bool answers() const { return true; }
  // The sink outlives the answer.
  virtual Result<Answer> finish() { return Answer{}; }
  // When the answer is written: an error of what was needed for it.
  virtual Status close() { return Status::ok(); }
};

// Immutable: all workers share it. Each is in the file of its sink, in sinks/.
class Stage {
 public:
  virtual ~Stage() = default;

  // The size of records, if all have the same one; 0: they end in a terminator.
  virtual i64 record_bytes() const = 0;
  // Takes the decisions of the plan that depend on what becomes of records. All others have
  // been taken.
  virtual void plan(Plan *plan) const = 0;
  // Notes in the sample what it shows of the keys of records. Null: a sample shows nothing.
  virtual std::unique_ptr<Hand> make_sampler(const Plan &, Sample *, BadRecordSink *) const {
    return nullptr;
  }
  // How many units there are is not known before the run.
  virtual bool makes_units() const { return false; }
  // Whether a chunk shows how many records it has.
  virtual bool counts_records() const { return true; }
  // Whether records may turn out bad that have no fields.
  virtual bool may_reject() const { return false; }
  // Whether a part of the input may be enough.
  virtual bool is_limited() const { return false; }

  // For one run, which outlives the sink.
  virtual Result<std::unique_ptr<StageSink>> make_sink(Run *run) const = 0;
};

// A row of the table of stages.
struct StageType {
  const char *name;
  std::unique_ptr<const Stage> (*make)(const Program &program);  // the program outlives it
};
template <typename TheStage>
constexpr StageType make_stage_type(const char *name) {
  return {name, [](const Program &program) -> std::unique_ptr<const Stage> {
            return std::make_unique<TheStage>(program);
          }};
}
// Keys are grouped and combined, and each becomes a row.
extern const StageType kGroupStage;
// The same, with what a plugin puts in the place of mrc's map, order, rounds or format.
extern const StageType kPluginStage;
// Records become rows with sort keys.
extern const StageType kSortStage;
// Whether records are in order already.
extern const StageType kCheckStage;
// Chunks become text, in the order of the input.
extern const StageType kTextStage;
// Records of two inputs become rows of both.
extern const StageType kJoinStage;
// About how many keys there are, by a sketch.
extern const StageType kSketchStage;

}  // namespace mrc
