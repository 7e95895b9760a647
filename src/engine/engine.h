// engine: the only layer that sees every stage. It plans a program for this machine and these
// inputs, and runs it.
#pragma once

#include "base/status.h"
#include "engine/inner/plan.h"
#include "engine/inner/program.h"
#include "engine/inner/report.h"
#include "engine/inner/stage.h"

#include <string>

namespace mrc {

class StageRecords;

// Bytes after which the input may be cut.
CutBytes cuts_of(const Program &program, const Stage &stage);

// Bytes that end a whole record, for inputs whose last record may still be written. In contrast to
// cuts_of(), a word does not end a record.
CutBytes ends_of_records(const Program &program, const Stage &stage);

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

}  // namespace mrc
