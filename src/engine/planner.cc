#include "base/setting_name.h"
#include "engine/bad_records.h"
#include "engine/engine.h"
#include "engine/followed_inputs.h"
#include "engine/input_formats.h"
#include "engine/plan_kept.h"
#include "engine/plan_keys.h"
#include "engine/plan_partials.h"
#include "engine/plan_topology.h"
#include "engine/spooled_inputs.h"
#include "engine/stage_records.h"
#include "split/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

constexpr i64 kLargestSplit = i64{2} << 20;
constexpr i64 kSmallestSplit = i64{256} << 10;
constexpr i64 kSplitsPerWorker = 8;
// Buffers of workers lie beside the memory that is asked for: so much is for those of the workers
// that there are in any memory, and each one more needs so much memory.
constexpr i64 kBesideMemory = i64{48} << 20;
constexpr i64 kBuffersOfWorker = i64{8} << 20;
constexpr i64 kMemoryOfWorker = 4 * kBuffersOfWorker;

// Compressed files: how many, of which kinds.
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

// `records`: what - is, in place of standard input; null: it is that.
void examine_inputs(const Program &program, const StageRecords *records, Plan *plan) {
  bool stdin_named = false;
  for (i64 argument = 0; argument < std::ssize(program.inputs); ++argument) {
    const std::string &path = program.inputs[static_cast<size_t>(argument)];
    // Standard input can be read once.
    if (path == "-" && std::exchange(stdin_named, true)) continue;
    Result<Source> source = records != nullptr && path == "-"
                                ? records->source()
                                : examine(path, program.input_command);
    if (!source.is_ok()) {
      plan->unreadable.push_back(source.status().message());
      continue;
    }
    if (source->binary != nullptr && !takes_binary(program, argument)) {
      plan->unreadable.push_back(refuse_binary(*source->binary, source->name()).message());
      continue;
    }
    source->argument = argument;
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

// Tables stay in memory for the whole run.
void plan_lookups(const Program &program, Plan *plan) {
  for (const Lookup &lookup : program.lookups) {
    plan->memory -= std::min(lookup.table->bytes(), plan->memory / 2);
    plan->decisions.push_back(
        {"lookup", fmt::format("{}: {} keys", lookup.name, lookup.table->rows()),
         fmt::format("a table of {:.1f} MiB in memory, looked up for each record",
                     static_cast<double>(lookup.table->bytes()) / (1 << 20))});
  }
}

// What one input lacks, no row would show.
void check_join_inputs(Plan *plan) {
  if (plan->sources.size() != 1) return;  // both are there, or both are reported
  plan->problem = Status::error(plan->unreadable.front());
  plan->unreadable.clear();
}

i64 bytes_to_read(const Source &source) {
  if (source.parts.empty()) return source.end - source.fresh();
  i64 bytes = 0;
  for (const Source::Part &part : source.parts) bytes += part.end - part.begin;
  return bytes;
}

void describe_inputs(Plan *plan) {
  for (const Source &source : plan->sources) {
    if (source.is_known) continue;
    plan->streams += source.stream;
    plan->input_bytes += bytes_to_read(source);
    plan->packed += source.codec != Codec::none;
    plan->packed_bytes += source.packed_bytes;
  }
  plan->decisions.push_back(
      {"input",
       fmt::format("{} bytes in files: {}, streams: {}", plan->input_bytes,
                   std::ssize(plan->sources) - plan->streams, plan->streams - plan->packed),
       plan->unreadable.empty() ? "as they are now; what is appended later is not read"
                                : fmt::format("{} left out", plan->unreadable.size())});
  if (plan->packed > 0) plan->decisions.push_back(describe_packed(*plan));
}

// Large enough that claiming one costs nothing, small enough that all workers have
// several (Phoenix IV-C2; the in-depth study, 5.5).
void plan_split(const Program &program, i64 cpus, Plan *plan) {
  i64 bytes =
      std::clamp(plan->input_bytes / (kSplitsPerWorker * cpus), kSmallestSplit, kLargestSplit);
  if (program.split_bytes) bytes = *program.split_bytes;
  plan->splits = plan_splits(plan->sources, bytes, stripe_weights(program, *plan, cpus));
  plan->decisions.push_back(
      {"splits", fmt::format("{} of {} bytes", plan->splits.size(), bytes),
       program.split_bytes ? "as asked" : "several for each worker, smaller in the last 5 %"});
}

// Many workers in little memory would not keep the promise; nor would those of a job with very many
// aggregates, whose buffers are larger.
i64 most_workers(const Program &program, const Plan &plan) {
  const i64 wide = bytes_of_wide_records(program);
  const i64 in_any = std::max<i64>(1, kBesideMemory / (kBuffersOfWorker + wide));
  return in_any + plan.memory / (kMemoryOfWorker + 4 * wide);
}

void plan_workers(const Program &program, const Stage &stage, i64 cpus, Plan *plan) {
  const i64 splits = program.partial.merged ? merged_blocks(program) : std::ssize(plan->splits);
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

Status check_live(const Program &program, const Plan &plan) {
  const bool is_known = plan.streams == plan.packed && !program.follows;
  if (program.live.every_percent == 0 || is_known) return Status::ok();
  return Status::error(setting_name("live") +
                       ": how much input will come is not known; give a time in place of a share");
}

}  // namespace

CutBytes cuts_of(const Program &program, const Stage &stage) {
  const i64 fixed = stage.record_bytes();
  return fixed > 0 ? CutBytes::every(fixed) : CutBytes(program.map.cut_bytes());
}

CutBytes ends_of_records(const Program &program, const Stage &stage) {
  const i64 fixed = stage.record_bytes();
  return fixed > 0 ? CutBytes::every(fixed) : CutBytes({&program.map.terminator, 1});
}

Plan make_plan(const Program &program, const Topology *topology, const StageRecords *records) {
  const std::unique_ptr<const Stage> stage = program.stage->make(program);
  Plan plan;
  if (program.partial.listed || program.partial.merged) {
    plan_partial_inputs(program, &plan);
  } else if (records == nullptr || program.join) {
    examine_inputs(program, records, &plan);
  } else {
    plan.sources.push_back(records->source());
  }
  if (program.join) check_join_inputs(&plan);
  if (plan.problem.is_ok()) plan_commands(program, &plan);
  if (program.follows) follow_inputs(&plan);
  if (program.isolation.reads_pipes() && plan.problem.is_ok()) {
    plan.problem = spool_inputs(program, &plan);
  }
  if (program.join && plan.problem.is_ok()) plan.problem = spool_join(program, &plan);
  if (plan.problem.is_ok()) plan.problem = check_bad_path(program);
  if (plan.problem.is_ok()) plan_kept(program, &plan);
  describe_inputs(&plan);
  if (plan.problem.is_ok()) plan.problem = check_live(program, plan);
  if (plan.problem.is_ok()) plan_formats(program, &plan);
  plan_last_lines(program, ends_of_records(program, *stage), &plan);
  if (!plan.problem.is_ok()) return plan;
  plan_content_tiles(program, ends_of_records(program, *stage), &plan);
  const i64 cpus = program.threads ? *program.threads : available_cpus();
  plan_topology(program, topology, &plan);
  plan_split(program, cpus, &plan);
  plan_memory(program, cpus, &plan);
  plan_lookups(program, &plan);
  if (records != nullptr) plan.memory -= records->bytes_in_memory();
  plan_workers(program, *stage, cpus, &plan);

  plan.io = program.io.value_or(IoMode::read);
  plan.decisions.push_back(
      {"io", plan.io == IoMode::read ? "read" : "mmap",
       program.io ? "as asked"
                  : "a buffer that stays in the L2 cache costs less than page tables"});
  plan_places(program, &plan);

  plan.scanner = &best_scanner();
  plan.decisions.push_back({"scan", plan.scanner->name, "the widest vectors of this CPU"});
  describe_memory(program, &plan);
  stage->plan(&plan);
  return plan;
}

}  // namespace mrc
