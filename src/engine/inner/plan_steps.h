// engine: the steps of make_plan(). Each decides on some members of the plan, by those that the
// steps before it have set.
#pragma once

#include "engine/engine.h"
#include "engine/inner/input_watch.h"
#include "engine/inner/plan.h"
#include "engine/inner/sample.h"
#include "input/collection.h"
#include "sched/sched.h"
#include "split/follow_queue.h"
#include "split/split.h"
#include "split/split_queue.h"

#include <string>

namespace mrc {

// Copies inputs that can be read only once and may have to be read again: pipes, devices, outputs
// of commands, and compressed standard input.

// Reads each of these inputs to its end, decompresses it if necessary, and replaces it by a
// temporary file, which lives as long as the plan. The plan reports an input that cannot be read to
// its end, and leaves out one of which nothing can be read.
Status spool_inputs(const Program &program, Plan *plan);
// Also replaces the inputs of a join whose fields must be known before the run, because finding the
// fields takes their first bytes.
Status spool_join(const Program &program, Plan *plan);

// Inputs that have parts, such as archives.

// Adds the parts of the input to the sources. REQUIRES: it has a collection
void add_parts(const Program &program, const Source &source, Plan *plan);
// Returns numbers of rows for which the program's condition holds for none, and notes nothing.
std::vector<Collection::Numbers> numbers_left_out(const Program &program,
                                                  const Collection &collection,
                                                  const Source &source, Plan *plan);

// Commands that read the inputs, and print what the job reads.

// Makes the commands of the program's feed the sources, and divides the inputs among them.
void plan_feeds(const Program &program, i64 cpus, Plan *plan);
// Opens the feeds of these sources. Their queues complain and limit windows as `like` does.
void open_feeds(const Program &program, const Plan &plan, const QueueSpec &like,
                std::vector<Source> *sources);

// Jobs that continue at the end of their input, and read what is appended to files.

// Marks the inputs to follow: all except compressed files, which are read once.
void follow_inputs(Plan *plan);

// Inputs that other processes have read, or of which this process reads some units.

// Replaces the inputs of a program that merges partials or maps units. An input that has changed
// since its units were listed is a problem of the plan.
void plan_partial_inputs(const Program &program, Plan *plan);

// Returns the error about an input that cannot be read as the list of units says.
Status changed_since_listed(const Source &source);

// Number of blocks of states to merge; more workers would be idle.
i64 merged_blocks(const Program &program);

// Which part of the input a run reads if earlier runs have kept results.

// Opens the kept directory and matches its sources with the inputs.
void plan_kept(const Program &program, Plan *plan);
// Returns the number of bytes of a file that the run reads.
i64 bytes_to_read(const Source &source);
// Adds an input to what there is to read, `times` times, which may be -1.
void count_input(const Source &source, i64 times, Plan *plan);
// Has an input read again if its records are read otherwise than when they were kept.
// REQUIRES: formats are known
void check_readings(const Program &program, Plan *plan);
// True if an unterminated last record of the file counts.
bool counts_last_line(const KeepSpec &keep, const Source &source);
// Leaves an unterminated last record to the next run, or until its rest arrives, unless the program
// counts it. Applies to files that may grow: with a state, or if they are followed. REQUIRES:
// formats are known
void plan_last_lines(const Program &program, const CutBytes &ends_of_records, Plan *plan);
// With tiles by content: cuts changed files into tiles, and has only those read that are not kept.
// REQUIRES: formats are known, and unterminated last records are left
void plan_content_tiles(const Program &program, const CutBytes &ends_of_records, Plan *plan);

// Pages of files that cannot have a record for which the program's condition holds.

// Returns how records are read, as text that differs for readers to which values or malformed
// records are others: "VERSION FORMAT HASH".
std::string reading_for_ranges(const Program &program, const Dialect &dialect);
// Returns why all records of all files have to be read for this program, whatever its condition
// is; "": they need not.
std::string reason_against_pages(const Program &program);
// Has compressed files that have a range index read by their blocks, as files and not as streams.
void open_indexed_files(const Program &program, Plan *plan);
// Leaves out files by their folders. REQUIRES: formats are known
void plan_folders(const Program &program, Plan *plan);
// Leaves out pages by the range indexes of files. REQUIRES: formats are known
void plan_ranges(const Program &program, Plan *plan);

// Hashes how records are read: the same bytes mean something else to another reader.
u64 hash_of(const Dialect &dialect);
// Hashes how the records of a source are read; 0: unknown before they are.
u64 reading_of(const Plan &plan, i64 source);

// The part of a plan that depends on where CPUs and memory are.

// Sets plan->topology to `given`, or to as much of this machine's topology as the job can gain
// from. REQUIRES: input_bytes is known
void plan_topology(const Program &program, const Topology *given, Plan *plan);

// Weights for plan_splits(): the number of workers in each group of CPUs.
std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers);

// Decides on places, shares and the order of splits. REQUIRES: all else is decided
void plan_places(const Program &program, Plan *plan);

// Sets the memory node of splits: workers ask the kernel for the node of each split's first page.
// The node of splits that are not in memory, or in small files, remains unknown.
Status find_nodes(const Plan &plan, WorkerPool *pool, std::vector<Split> *splits);

// Deals splits again, to the groups near their nodes. Splits without a node remain in stripes.
void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares);

// The part of a plan that depends on memory and on the keys of the input.

// plan_memory() decides on memory and tmpdir; describe_memory() adds the decision and its reason.
void plan_memory(const Program &program, i64 cpus, Plan *plan);
void describe_memory(const Program &program, Plan *plan);

// Decides on forecast and common_prefix, by a sample if there is enough input. Returns the reason.
// REQUIRES: sources, memory, workers and scanner are decided
std::string plan_sample(const Program &program, const Stage &stage, Plan *plan);
// For stages that group: decides, by the forecast, on the container, hot_bytes, expected_keys and
// partition_bits.
void plan_groups(const Program &program, const std::string &reason, Plan *plan);
// For stages that put rows in order: adds the decision on how they are sorted.
void plan_order(const Program &program, Plan *plan);

// If this share of the keys is in a class, the plan assumes that all are.
inline constexpr double kNearlyAll = 0.95;

// Approximate bytes per slot of a table.
i64 slot_bytes(const Program &program);
// Returns how many bytes more than usual the buffers of one worker need in a job with very many
// aggregates.
i64 bytes_of_wide_records(const Program &program);
// Number of keys that a table of this size can hold, even just after it has grown.
i64 keys_within(const Program &program, i64 table_bytes);
// True if a table costs more than it saves, because most keys occur only a few times.
bool is_of_rare_keys(const Forecast &forecast);

// Decides whether input is mapped in tiles, and on their size (Tiled-MapReduce 4.2).

// Sets fitting_tile_bytes by the sample. REQUIRES: topology and workers are decided
void foretell_tiles(const Program &program, const Sample &sample, Plan *plan);
// Decides on tile_bytes and, if there are tiles, on the memory of their partitions. REQUIRES: all
// that plan_sample() and plan_memory() decide
void plan_tiles(const Program &program, Plan *plan);

// Decides whether workers fold records into partitions that they share. Decides on
// most_shared_bytes and, if workers share partitions, on few_hits, hot_bytes and partition_bits.
// REQUIRES: the forecast is known, if there is one
void plan_sharing(const Program &program, Plan *plan);

}  // namespace mrc
