// engine: the only layer that sees every stage. A job is compiled to a program, planned for
// this machine and these inputs, and run.
#pragma once

#include "base/status.h"
#include "engine/job.h"
#include "engine/plan.h"
#include "engine/report.h"
#include "engine/stage.h"

#include <memory>
#include <string>

namespace mrc {

// A job whose stage has been made. Immutable; several runs may share it.
struct Program {
  Program(Job the_job);  // NOLINT(google-explicit-constructor): a job is a program, compiled

  const Job job;
  const std::unique_ptr<const Stage> stage;  // refers to the job
};

// After which bytes the input may be cut.
CutBytes cuts_of(const Job &job, const Stage &stage);

// Looks at the inputs and the machine, or the topology that is to take its place. Of
// much input in files it reads a sample (sample.h); from streams it takes nothing.
Plan make_plan(const Program &program, const Topology *topology = nullptr);

// Runs the program, from opening the output to committing it. No output file is left
// when it fails.
Result<Report> run(const Program &program, const Plan &plan, Observer *observer);

// For people: the plan and its reasons; what happened.
std::string explain(const Job &job, const Plan &plan);
std::string describe(const Report &report);

}  // namespace mrc
