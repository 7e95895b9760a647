#include "base/setting_name.h"
#include "engine/engine.h"
#include "engine/inner/bad_records.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan_steps.h"
#include "split/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

constexpr i64 kLargestSplit = i64{2} << 20;
constexpr i64 kSmallestSplit = i64{256} << 10;
constexpr i64 kSplitsPerWorker = 8;
// A worker that computes running fields keeps its turn until it has the last chunk of a split. So a
// split is one chunk, which is small, because its values are in memory. (Running sums of 227 MB on
// two CPUs: 1.70 s with splits of 2 MiB, 0.92 s with 256 KiB, 0.87 s with 128 KiB, 0.91 s with 64.)
constexpr i64 kSplitInTurn = i64{128} << 10;
// Buffers of workers are not part of the job's memory limit. This much is for the buffers of the
// workers that any limit allows; each further worker needs kMemoryOfWorker of the limit.
constexpr i64 kBesideMemory = i64{48} << 20;
constexpr i64 kBuffersOfWorker = i64{8} << 20;
constexpr i64 kMemoryOfWorker = 4 * kBuffersOfWorker;

// Describes compressed files: their bytes, and their number by kind.
Decision describe_packed(const Plan &plan) {
  std::map<std::string, i64> kinds;
  for (const Source &source : plan.sources) {
    if (source.codec != Codec::none) ++kinds[codec_name(source.codec)];
  }
  std::string text;
  for (const auto &[name, files] : kinds) text += fmt::format(", {}: {}", name, files);
  return {"packed", fmt::format("{} bytes in compressed files{}", plan.packed_bytes, text),
          "largest first, one for each worker; then all help with what is left"};
}

// `records`: replaces standard input; null: `-` is standard input.
void examine_inputs(const Program &program, const StageRecords *records, Plan *plan) {
  bool stdin_named = false;
  for (i64 argument = 0; argument < std::ssize(program.inputs); ++argument) {
    const std::string &path = program.inputs[static_cast<size_t>(argument)];
    // Standard input can be read only once.
    if (path == "-" && std::exchange(stdin_named, true)) continue;
    Result<Source> source =
        records != nullptr && path == "-"
            ? records->source()
            : examine(path, program.input_command, content_of(program, argument));
    if (!source.is_ok()) {
      plan->unreadable.push_back(source.status().message());
      continue;
    }
    source->argument = argument;
    const bool takes_bytes = takes_binary(program, argument);
    if (source->collection && (!takes_bytes || !is_named_file(*source))) {
      add_parts(program, *source, plan);
      continue;
    }
    source->collection = nullptr;  // the job reads the bytes of the archive
    const BinaryFormat *binary = source->binary;
    if (binary != nullptr && (binary->is_own || !takes_bytes)) {
      plan->unreadable.push_back(refuse_binary(*binary, source->name()).message());
      continue;
    }
    plan->sources.push_back(std::move(*source));
  }
}

void plan_commands(const Program &program, Plan *plan) {
  if (program.input_command.empty() || program.partial.merged) return;
  const i64 commands = std::ranges::count_if(
      plan->sources, [](const Source &source) { return !source.command.empty(); });
  if (commands == 0 && program.partial.listed == nullptr) {
    plan->problem =
        Status::error(setting_name("input-cmd") + ": there is no input for the command; name one");
  }
  plan->decisions.push_back({"command",
                             fmt::format("{} runs of {}", commands, program.input_command),
                             "as many at a time as there are workers"});
}

// Subtracts the tables from the memory: they stay in memory for the whole run.
void plan_lookups(const Program &program, Plan *plan) {
  for (const Lookup &lookup : program.lookups) {
    plan->memory -= std::min(lookup.table->bytes(), plan->memory / 2);
    plan->decisions.push_back(
        {"lookup", fmt::format("{}: {} keys", lookup.name, lookup.table->rows()),
         fmt::format("a table of {:.1f} MiB in memory, looked up for each record",
                     static_cast<double>(lookup.table->bytes()) / (1 << 20))});
  }
}

// Fails if one input is unreadable: no row would show what is missing.
void check_join_inputs(Plan *plan) {
  if (!plan->problem.is_ok() || plan->unreadable.empty() || plan->sources.empty())
    return;  // all inputs can be read, or all are reported
  plan->problem = Status::error(plan->unreadable.front());
  plan->unreadable.clear();
}

void describe_inputs(Plan *plan) {
  for (const Source &source : plan->sources) count_input(source, 1, plan);
  plan->decisions.push_back(
      {"input",
       fmt::format("{} bytes in files: {}, streams: {}", plan->input_bytes,
                   std::ssize(plan->sources) - plan->streams, plan->streams - plan->packed),
       plan->unreadable.empty() ? "as they are now; what is appended later is not read"
                                : fmt::format("{} left out", plan->unreadable.size())});
  if (plan->packed > 0) plan->decisions.push_back(describe_packed(*plan));
}

// Splits are large enough that claiming one costs nothing, and small enough that all workers have
// several (Phoenix IV-C2; the in-depth study, 5.5).
void plan_split(const Program &program, i64 cpus, Plan *plan) {
  i64 bytes =
      std::clamp(plan->input_bytes / (kSplitsPerWorker * cpus), kSmallestSplit, kLargestSplit);
  const bool takes_turns = program.map.fields.running != nullptr;
  if (takes_turns) bytes = kSplitInTurn;
  if (program.split_bytes) bytes = *program.split_bytes;
  plan->splits = plan_splits(plan->sources, bytes, stripe_weights(program, *plan, cpus));
  plan->decisions.push_back({"splits", fmt::format("{} of {} bytes", plan->splits.size(), bytes),
                             program.split_bytes ? "as asked"
                             : takes_turns ? "each is one chunk, for which a worker has its turn"
                                           : "several for each worker, smaller in the last 5 %"});
}

// Limits workers by memory: the buffers of many workers would exceed a small limit, and those of a
// job with very many aggregates are larger.
i64 most_workers(const Program &program, const Plan &plan) {
  const i64 wide = bytes_of_wide_records(program);
  const i64 in_any = std::max<i64>(1, kBesideMemory / (kBuffersOfWorker + wide));
  return in_any + plan.memory / (kMemoryOfWorker + 4 * wide);
}

// Kept rows and text are as much work as input that is read. Groups are less.
i64 kept_splits(const Program &program, const Plan &plan) {
  const Makes makes = program.stage->makes;
  if (!plan.state || makes == Makes::groups || makes == Makes::report) return 0;
  return plan.state->known_bytes() / kSmallestSplit;
}

void plan_workers(const Program &program, const Stage &stage, i64 cpus, Plan *plan) {
  const i64 read = std::ssize(plan->splits) + kept_splits(program, *plan);
  const i64 splits = program.partial.merged ? merged_blocks(program) : read;
  const bool few = plan->streams == 0 && splits < cpus && !stage.makes_units() && !program.follows;
  plan->workers = few ? std::max<i64>(1, splits) : cpus;
  const i64 most = most_workers(program, *plan);
  const bool tight = plan->workers > most;
  if (tight) plan->workers = most;
  plan->decisions.push_back({"workers", fmt::format("{}", plan->workers),
                             tight             ? "no more have room in the memory"
                             : few             ? "a split is work for one"
                             : program.threads ? "as asked"
                                               : "the CPUs allowed by affinity and cgroup quota"});
}

}  // namespace

i64 bytes_to_read(const Source &source) {
  if (source.parts.empty()) return source.end - source.fresh();
  i64 bytes = 0;
  for (const Source::Part &part : source.parts) bytes += part.end - part.begin;
  return bytes;
}

void count_input(const Source &source, i64 times, Plan *plan) {
  if (source.is_known) return;
  const bool is_packed = source.codec != Codec::none;
  plan->streams += times * source.stream;
  plan->input_bytes += times * bytes_to_read(source);
  plan->packed += times * is_packed;
  plan->packed_bytes += times * source.packed_bytes;
}

CutBytes cuts_of(const Program &program, const Stage &stage) {
  const i64 fixed = stage.record_bytes();
  return fixed > 0 ? CutBytes::every(fixed) : CutBytes(program.map.cut_bytes());
}

CutBytes ends_of_records(const Program &program, const Stage &stage) {
  const i64 fixed = stage.record_bytes();
  return fixed > 0 ? CutBytes::every(fixed) : CutBytes({&program.map.terminator, 1});
}

namespace {

// The data that all steps of a plan work on.
struct Planning {
  const Program &program;
  const Stage &stage;
  const Topology *topology;     // null: that of the machine
  const StageRecords *records;  // replace standard input; null: they do not
  Plan plan = {};
  i64 cpus = 1;

  CutBytes ends() const { return ends_of_records(program, stage); }
};

void examine_sources(Planning *its) {
  const Program &program = its->program;
  if (program.partial.listed || program.partial.merged) {
    plan_partial_inputs(program, &its->plan);
  } else if (its->records == nullptr || program.join) {
    examine_inputs(program, its->records, &its->plan);
  } else {
    its->plan.sources.push_back(its->records->source());
  }
  if (program.join) check_join_inputs(&its->plan);
}

void feed_commands(Planning *its) {
  its->cpus = its->program.threads ? *its->program.threads : available_cpus();
  if (!its->program.feed.command.empty()) plan_feeds(its->program, its->cpus, &its->plan);
}

void begin_streams(Planning *its) {
  plan_commands(its->program, &its->plan);
  if (its->program.follows) follow_inputs(&its->plan);
}

void spool(Planning *its) {
  if (its->program.isolation.reads_pipes()) {
    its->plan.problem = spool_inputs(its->program, &its->plan);
  }
  if (its->program.join && its->plan.problem.is_ok()) {
    its->plan.problem = spool_join(its->program, &its->plan);
  }
}

void open_blocks(Planning *its) { open_indexed_files(its->program, &its->plan); }

void check_outputs(Planning *its) { its->plan.problem = check_bad_path(its->program); }

void find_kept(Planning *its) {
  plan_kept(its->program, &its->plan);
  describe_inputs(&its->plan);
}

void check_live(Planning *its) {
  const Plan &plan = its->plan;
  const bool is_known = plan.streams == plan.packed && !its->program.follows;
  if (its->program.live.every_percent == 0 || is_known) return;
  its->plan.problem =
      Status::error(setting_name("live") +
                    ": how much input will come is not known; give a time in place of a share");
}

void find_formats(Planning *its) {
  plan_formats(its->program, &its->plan);
  if (its->plan.problem.is_ok()) check_readings(its->program, &its->plan);
}

void leave_out_files(Planning *its) { plan_folders(its->program, &its->plan); }

void find_ends(Planning *its) {
  plan_last_lines(its->program, its->ends(), &its->plan);
  plan_content_tiles(its->program, its->ends(), &its->plan);
}

void leave_out_pages(Planning *its) { plan_ranges(its->program, &its->plan); }

void divide(Planning *its) {
  plan_topology(its->program, its->topology, &its->plan);
  plan_split(its->program, its->cpus, &its->plan);
}

void share_memory(Planning *its) {
  plan_memory(its->program, its->cpus, &its->plan);
  plan_lookups(its->program, &its->plan);
  if (its->records != nullptr) its->plan.memory -= its->records->bytes_in_memory();
  plan_workers(its->program, its->stage, its->cpus, &its->plan);
}

void choose_reading(Planning *its) {
  Plan &plan = its->plan;
  plan.io = its->program.io.value_or(IoMode::read);
  plan.decisions.push_back(
      {"io", plan.io == IoMode::read ? "read" : "mmap",
       its->program.io ? "as asked"
                       : "a buffer that stays in the L2 cache costs less than page tables"});
  plan_places(its->program, &plan);
  plan.scanner = &best_scanner();
  plan.decisions.push_back({"scan", plan.scanner->name, "the widest vectors of this CPU"});
  describe_memory(its->program, &plan);
}

void plan_stage(Planning *its) { its->stage.plan(&its->plan); }

// The steps in their order, and what holds beyond each. No step follows a problem.
constexpr void (*kSteps[])(Planning *its) = {
    examine_sources,  // each input is a source, or a message says why it cannot be read
    feed_commands,    // commands stand in place of the inputs that they read
    begin_streams,    // commands print, and files that grow are followed
    spool,            // what is read more than once is no pipe
    open_blocks,      // compressed files of which parts can be read are files, and not streams
    check_outputs,    // no output overwrites an input
    find_kept,        // sources begin where earlier runs have ended, and their sizes are known
    check_live,       // interim answers know their share of the input
    find_formats,     // files have dialects
    leave_out_files,  // the condition may hold in each file, by the fields of its folders
    find_ends,        // sources end with whole records, and parts are what is not kept by content
    leave_out_pages,  // parts are pages in which the condition may hold
    divide,           // splits are dealt to the groups of CPUs
    share_memory,     // each worker has its share
    choose_reading,   // workers have places, and a way to read
    plan_stage,       // the stage has sampled its keys, and has its tables
};

}  // namespace

Plan make_plan(const Program &program, const Topology *topology, const StageRecords *records) {
  const std::unique_ptr<const Stage> stage = program.stage->make(program);
  Planning planning{program, *stage, topology, records};
  for (const auto step : kSteps) {
    step(&planning);
    if (!planning.plan.problem.is_ok()) break;
  }
  return std::move(planning.plan);
}

}  // namespace mrc
