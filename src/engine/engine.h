// engine: the only layer that sees every stage. A program is planned for this machine and these
// inputs, and run.
#pragma once

#include "base/status.h"
#include "engine/plan.h"
#include "engine/program.h"
#include "engine/report.h"
#include "engine/stage.h"

#include <string>

namespace mrc {

class StageRecords;

// After which bytes the input may be cut.
CutBytes cuts_of(const Program &program, const Stage &stage);

// The same, where a record may still be being written: a part of it is none. Its words have ends.
CutBytes ends_of_records(const Program &program, const Stage &stage);

// Where the program's temporary files go.
std::string tmpdir_of(const Program &program);

// Looks at the inputs and the machine, or the topology that is to take its place. Of
// much input in files it reads a sample (sample.h); from streams it takes nothing. `records`:
// those of the stage before, in place of inputs, or, of a join, in place of standard input.
Plan make_plan(const Program &program, const Topology *topology = nullptr,
               const StageRecords *records = nullptr);

// Runs the program, from opening the output to committing it. No output file is left
// when it fails. `output`: one that is open already, in place of the program's.
Result<Report> run(const Program &program, const Plan &plan, Observer *observer,
                   std::unique_ptr<OutputFile> output = nullptr);

// The plan and its reasons, and what happened, as text for people.
std::string explain(const Program &program, const Plan &plan);
std::string describe(const Report &report);

}  // namespace mrc
