// The way of a record, from top to bottom: the stages of src/README.md in their order, and what
// holds after each. Examine and plan come before, in planner.cc.
#include "engine/inner/aligned_text.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/run.h"
#include "engine/inner/transposed_text.h"
#include "output/named_files.h"
#include "plugin/call.h"
#include "sched/topology.h"

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

Result<std::unique_ptr<OutputFile>> open_new(const std::string &name, bool compresses) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::open(name);
  if (file.is_ok() && compresses) (*file)->compress();
  return file;
}

// Opens the output. Text that a later run may continue is written to the kept directory.
Result<std::unique_ptr<OutputFile>> open_output(const Run &run) {
  const std::string &name = run.program.output;
  if (!run.plan.checkpoint || !run.program.keep.of_text) {
    return open_new(name, is_zstd_name(name) && !run.program.partial.is_wanted);
  }
  return OutputFile::open_at(run.plan.checkpoint->directory().text_path(), name);
}

// Opens both outputs before any work is done, so that an error comes at once.
Status open_outputs(Run *run) {
  run->timer.begin("open");
  if (!run->output) {
    Result<std::unique_ptr<OutputFile>> output = open_output(*run);
    if (!output.is_ok()) return output.status();
    run->output = std::move(*output);
  }
  if (run->program.bad_path.empty()) return Status::ok();
  const std::string &bad_path = run->program.bad_path;
  Result<std::unique_ptr<OutputFile>> bad = open_new(bad_path, is_zstd_name(bad_path));
  if (!bad.is_ok()) return bad.status();
  run->bad_output = std::move(*bad);
  return Status::ok();
}

// Writes the rows. The formatter's note is complete when it has seen all rows.
Status write_rows_of(Answer *answer, Run *run) {
  for (const auto &step : answer->steps) answer->rows = step->apply(std::move(answer->rows));
  Result<std::unique_ptr<RowSource>> surveyed =
      answer->formatter->survey(std::move(answer->rows), run->plan.memory / 4);
  if (!surveyed.is_ok()) return surveyed.status();
  answer->rows = std::move(*surveyed);
  const Result<WrittenRows> written =
      write_rows(answer->rows.get(), answer->formatter.get(), run->output.get(), &run->pool,
                 run->worker_share() / 16, answer->unsorted);
  if (!written.is_ok()) return written.status();
  run->report.early_bytes = written->early_bytes;
  run->report.note = answer->formatter->note();
  run->report.rows = written->shown - answer->formatter->dropped();
  return Status::ok();
}

}  // namespace

Status write_answer(Run *run, StageSink *sink) {
  run->observer->writing();
  if (Status status = flush_plugin_prints(); !status.is_ok()) return status;
  Result<Answer> answer = sink->finish();
  if (!answer.is_ok()) return answer.status();
  // Beyond this point, rows are in order.

  if (!sink->in_order()) run->timer.begin("write");
  Status status = run->output->write(answer->text);
  if (status.is_ok() && answer->write) status = answer->write(run->output.get());
  if (status.is_ok() && answer->rows) status = write_rows_of(&*answer, run);
  if (status.is_ok()) status = run->plugins.status();
  if (status.is_ok()) status = sink->close();
  if (status.is_ok()) status = run->output->commit();
  run->report.abandoned |= run->output->abandoned();
  return status;
}

namespace {

// The places where the text of all records waits before it is written to the output.
struct WaitingText {
  std::optional<AlignedText> aligned;
  std::optional<TransposedText> transposed;  // comes before `aligned`
  std::unique_ptr<NamedFiles> files;
};

// Puts what waits for all rows before the output, if the text becomes a table or columns, or in its
// place, if the text goes to several files.
Status hold_output(Run *run, WaitingText *waiting) {
  constexpr i64 kShare = 8;            // of the memory, for rows of a table
  constexpr i64 kTransposedShare = 4;  // ... and for rows that become columns
  const Program &program = run->program;
  if (aligns_text(program)) {
    waiting->aligned.emplace(std::move(run->output), program.shape, run->plan.memory / kShare,
                             run->plan.tmpdir);
    run->output = OutputFile::to(&*waiting->aligned);
  }
  if (program.shape.transposed) {
    waiting->transposed.emplace(std::move(run->output), program.shape,
                                std::ssize(program.map.fields.keys),
                                run->plan.memory / kTransposedShare);
    run->output = OutputFile::to(&*waiting->transposed);
  }
  if (!program.files) return Status::ok();
  Result<std::unique_ptr<NamedFiles>> files =
      NamedFiles::open(*program.files, run->plan.memory / kShare);
  if (!files.is_ok()) return files.status();
  waiting->files = std::move(*files);
  run->output = OutputFile::to(waiting->files.get());
  return Status::ok();
}

// Writes what has waited for all rows, unless there is none.
Status finish_waiting(Run *run, WaitingText *waiting) {
  Status status = waiting->transposed ? waiting->transposed->finish() : Status::ok();
  if (waiting->transposed) run->report.abandoned |= waiting->transposed->abandoned();
  if (waiting->files) {
    status = waiting->files->finish(&run->pool);
    run->report.named_files = waiting->files->size();
  }
  if (!status.is_ok() || !waiting->aligned) return status;
  status = waiting->aligned->finish();
  run->report.abandoned |= waiting->aligned->abandoned();
  return status;
}

Result<std::unique_ptr<StageSink>> open_sink(Run *run) {
  Result<std::unique_ptr<StageSink>> sink = run->stage->make_sink(run);
  if (!sink.is_ok()) return sink;
  if (Status status = (*sink)->open(); !status.is_ok()) return status;
  return sink;
}

// Scans the input. If CSV was cut in quotes, drops what was made of it, and scans again.
Status scan_for(std::unique_ptr<StageSink> *sink, Run *run) {
  Report before = run->report;
  run->cuts_lines = may_cut_lines(*run);
  Status status = scan_input(run, sink->get());
  if (!run->cut_in_quotes) return status;
  run->cuts_lines = run->cut_in_quotes = false;
  before.phases = std::move(run->report.phases);
  run->report = std::move(before);
  Result<std::unique_ptr<StageSink>> another = open_sink(run);
  if (!another.is_ok()) return another.status();
  *sink = std::move(*another);
  return scan_input(run, sink->get());
}

Result<Report> go(Run *run, WaitingText *waiting) {
  if (Status status = open_outputs(run); !status.is_ok()) return status;
  if (Status status = hold_output(run, waiting); !status.is_ok()) return status;
  Result<std::unique_ptr<StageSink>> made = open_sink(run);
  if (!made.is_ok()) return made.status();
  std::unique_ptr<StageSink> &sink = *made;

  for (bool again = true; again; ++run->round) {
    // Split, read, cut: workers claim units and take their chunks (input_scan.cc). Their hands
    // decode, select, map, group and combine, or transform (sinks/).
    if (Status status = scan_for(&sink, run); !status.is_ok()) return status;
    if (!run->has_input()) return run->take_report();
    // Beyond this point, no new key will appear.

    // Reduce: merges the states that all workers have of a key into one.
    if (Status status = sink->reduce(); !status.is_ok()) return status;
    // Beyond this point, each key has one state, and the workers' own states do not count any more.

    Result<bool> verdict = sink->end_round(run->round);
    if (!verdict.is_ok()) return verdict.status();
    again = *verdict;
  }

  // Sort and output.
  Status status = sink->answers() ? write_answer(run, sink.get()) : Status::ok();
  if (status.is_ok() && sink->answers()) status = finish_waiting(run, waiting);
  if (status.is_ok() && run->plan.checkpoint) status = run->plan.checkpoint->end();
  if (!status.is_ok()) return status;
  return run->take_report();
}

}  // namespace

Run::Run(const Program &the_program, const Plan &the_plan, Observer *the_observer)
    : program(the_program),
      stage(program.stage->make(program)),
      plan(the_plan),
      observer(the_observer),
      pool(plan.workers, program.switches.pool && !program.isolation.is_wanted,
           [this] { PluginRun::enter(&plugins); }),
      readers(plan.readers ? std::make_unique<InputReaders>(*plan.readers) : nullptr) {
  report.phases = plan.phases;
  plugins.workers = plan.workers;
  plugins.quiet = program.quiet;
}

Result<Report> run(const Program &program, const Plan &plan, Observer *observer,
                   std::unique_ptr<OutputFile> output) {
  std::optional<AffinityKeeper> keeper;  // worker 0 is this thread
  if (program.pin) keeper.emplace();
  try {
    WaitingText waiting;  // outlives the output of the run
    Run run(program, plan, observer);
    run.output = std::move(output);
    const PluginRun::Scope scope(&run.plugins);
    Result<Report> report = go(&run, &waiting);
    const i64 source = run.readers ? run.readers->first_with_header() : -1;
    if (report.is_ok() && source >= 0) report->with_header = *run.readers->dialect(source);
    return report;
  } catch (const std::bad_alloc &) {
    return Status::out_of_memory();
  }
}

}  // namespace mrc
