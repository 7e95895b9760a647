// engine: the only layer that sees every stage. It plans a program for this machine and these
// inputs, and runs it.
#pragma once

#include "base/status.h"
#include "engine/inner/plan.h"
#include "engine/inner/program.h"
#include "engine/inner/report.h"
#include "engine/inner/stage.h"
#include "input/input.h"
#include "kept/unit_list.h"
#include "output/output.h"
#include "store/store.h"

#include <memory>
#include <string>

namespace mrc {

class StageRecords;

// Bytes after which the input may be cut.
CutBytes cuts_of(const Program &program, const Stage &stage);

// Bytes that end a whole record, for inputs whose last record may still be written. In contrast to
// cuts_of(), a word does not end a record.
CutBytes ends_of_records(const Program &program, const Stage &stage);

// True if the program looks at whole records. Rows are JSON objects then.
bool wants_whole_records(const Program &program);

// Directory for the program's temporary files.
std::string tmpdir_of(const Program &program);

// Examines the inputs and the machine, or takes `topology` instead of the machine's. Reads a sample
// of large files (sample.h), and nothing from streams. `records`: output of the stage before, which
// replaces the inputs or, in a join, standard input.
Plan make_plan(const Program &program, const Topology *topology = nullptr,
               const StageRecords *records = nullptr);

// Runs the program, from opening the output to committing it. A run that fails leaves no output
// file. `output`: an open file that replaces the program's output.
Result<Report> run(const Program &program, const Plan &plan, Observer *observer,
                   std::unique_ptr<OutputFile> output = nullptr);

// Explains the plan and its reasons, and what happened in a run, as text for people.
std::string explain(const Program &program, const Plan &plan);
std::string describe(const Report &report);

// Cuts the inputs of a job into units that processes on any machines can map. Examines all inputs
// and cuts each at ends of records into units of about `unit_bytes`. A compressed input is one
// unit. If quotes may contain line ends, it reads the whole input. If the program has a condition,
// units consist of the pages that range indexes leave to be read. The list lacks the job and the
// time of the newest input. Fails if an input cannot be read or is not a file. `ranges`: partials
// of a job that puts records in order divide them into at most this number.
// `notes` is set to notes about the inputs, for the user.
Result<UnitList> list_units(const Program &program, i64 unit_bytes, i64 ranges,
                            std::vector<std::string> *notes);

// The records that one stage of a chain hands to the next, in memory or, if they are too many, in a
// file. One run writes it as its output, then the next one reads it as its only input.
class StageRecords : public OutputTarget {
 public:
  // `name`: for messages. `answer`: the output of the last stage, which may lose its reader
  // meanwhile. It outlives the records.
  StageRecords(std::string name, OutputFile *answer) : name_(std::move(name)), answer_(answer) {}

  // Sets how many bytes may stay in memory, and the directory for larger records. Call it before
  // the first write.
  void keep_within(i64 memory, const std::string &tmpdir);

  Status write(Bytes bytes) override;
  bool reader_left() override { return answer_ != nullptr && answer_->reader_left(); }

  // Returns the input of the next stage, which is valid while the records live. Call it when all is
  // written.
  Source source() const;
  i64 bytes_in_memory() const { return spilled_ ? 0 : size_; }

  // How records with a header are read, which a header alone does not show; nothing: they have
  // none.
  const std::optional<Dialect> &with_header() const { return with_header_; }
  void set_header(std::optional<Dialect> dialect) { with_header_ = std::move(dialect); }

 private:
  Status make_file();
  Status spill();

  const std::string name_;
  OutputFile *answer_;
  i64 most_in_memory_ = 0;
  std::string tmpdir_;
  std::unique_ptr<RunFile> file_;  // null: nothing is written
  bool spilled_ = false;           // the file is on disk, not in memory
  i64 size_ = 0;
  std::optional<Dialect> with_header_ = {};
};

}  // namespace mrc
