#include "engine/inner/input_scan.h"

#include "base/setting_name.h"
#include "engine/inner/gather_groups.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/input_watch.h"
#include "engine/inner/isolated.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/ledger.h"
#include "engine/inner/plan_steps.h"
#include "kept/merge_partials.h"
#include "split/follow_queue.h"

#include <fmt/format.h>

namespace mrc {
namespace {

Status take_chunks(ScanPart *part) {
  for (;;) {
    Result<std::optional<Chunk>> chunk = part->reader->next();
    if (!chunk.is_ok()) return chunk.status();
    if (!*chunk) return Status::ok();
    Status status = part->notes->note(**chunk);
    if (status.is_ok() && part->running != nullptr) status = part->running->prepare(&**chunk);
    if (status.is_ok()) status = part->hand->take(**chunk, &part->records);
    if (!status.is_ok()) return status;
    part->notes->look_back();
    if (part->watch != nullptr) part->watch->look();
  }
}

class Scan {
 public:
  Scan(ChunkSource *source, Sink *sink, Watch *watch, RunningPass *running)
      : source_(*source), sink_(*sink), watch_(*watch), running_(running) {}

  Status work(i64 worker) {
    Status status = guarded([&] { return take_part(worker); });
    if (!status.is_ok()) {
      source_.cancel();
      sink_.stop();
      if (running_ != nullptr) running_->stop();
    }
    return status;
  }

 private:
  Status take_part(i64 worker) {
    Result<std::unique_ptr<Watch::Notes>> notes = watch_.begin(worker);
    if (!notes.is_ok()) return notes.status();
    const std::unique_ptr<ChunkSource::Reader> reader = source_.make_reader(worker);
    const std::unique_ptr<Hand> hand = sink_.make_hand(worker, (*notes)->bad());
    ScanPart part{reader.get(), hand.get(), notes->get(), worker == 0 ? &watch_ : nullptr};
    std::optional<RunningPass::Worker> running;
    if (running_ != nullptr) part.running = &running.emplace(running_, (*notes)->bad());
    Status status = take_units(&part);
    const Status sealed = hand->seal(status.is_ok());
    watch_.end(std::move(*notes), reader->counts(), part.records);
    return status.is_ok() ? sealed : status;
  }

  ChunkSource &source_;
  Sink &sink_;
  Watch &watch_;
  RunningPass *const running_;
};

}  // namespace

Status take_units(ScanPart *part) {
  for (;;) {
    Result<std::optional<Unit>> unit = part->reader->claim();
    if (!unit.is_ok()) return unit.status();
    if (!*unit) return Status::ok();
    if (part->running != nullptr) part->running->begin_unit(**unit);
    Status status = part->hand->begin_unit(**unit);
    if (status.is_ok()) status = take_chunks(part);
    if (status.is_ok() && part->running != nullptr) part->running->end_unit();
    if (status.is_ok()) status = part->hand->end_unit(**unit);
    if (!status.is_ok()) return status;
  }
}

Status scan(ChunkSource *source, Sink *sink, Watch *watch, WorkerPool *pool, RunningPass *running) {
  Scan scan(source, sink, watch, running);
  return pool->run(pool->size(), [&](i64 worker) { return scan.work(worker); });
}

// One scan of a run's input: its splits and streams, or the splits that a plugin makes of it.

namespace {

// A quarter of the memory, and some outside the limit, is for the windows of decompressors. Only
// one decompressor that needs more than its share may be open at a time.
i64 most_window_bytes(const Run &run) {
  constexpr i64 kBeside = i64{16} << 20;
  return (run.plan.memory / 4 + kBeside) / run.pool.size();
}

// Milliseconds to wait for more input. Less would give nearly empty blocks, and hardly newer
// interim answers.
constexpr i64 kPatienceOfInterim = 50;

// Sources that the sink does not read now are neither opened nor waited for.
std::vector<Source> sources_of_scan(const Plan &plan, const StageSink &sink) {
  std::vector<Source> sources = plan.sources;
  for (i64 i = 0; i < std::ssize(sources); ++i) {
    if (!sink.reads(i)) sources[static_cast<size_t>(i)].pass_over();
  }
  return sources;
}

bool reads_all(const Plan &plan, const StageSink &sink) {
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    if (!sink.reads(i)) return false;
  }
  return true;
}

// Splits of the inputs that the sink reads now; shares_of_scan() has their shares.
std::vector<Split> splits_of_scan(const Plan &plan, const StageSink &sink) {
  std::vector<Split> splits = plan.splits;
  std::erase_if(splits, [&](const Split &split) { return !sink.reads(split.source); });
  return splits;
}

Shares shares_of_scan(const Plan &plan, const StageSink &sink) {
  Shares shares = plan.shares;
  for (i64 &end : shares.ends) {
    end = std::count_if(plan.splits.begin(), plan.splits.begin() + end,
                        [&](const Split &split) { return sink.reads(split.source); });
  }
  return shares;
}

// Returns how records end in each input of a join, if some are binary; nothing: all end alike.
std::vector<CutBytes> cuts_of_sides(const Run &run) {
  const auto &join = run.program.join;
  if (!join || !join->has_binary_side()) return {};
  std::vector<CutBytes> cuts;
  for (i64 source = 0; source < std::ssize(run.plan.sources); ++source) {
    const i64 bytes = join->inputs[join->side_of(source)].format.record_bytes;
    cuts.push_back(bytes > 0 ? CutBytes::every(bytes) : cuts_of(run.program, *run.stage));
  }
  return cuts;
}

bool claims_in_order(const Run &run, const StageSink &sink) {
  return sink.claims_in_order() || run.program.map.fields.running != nullptr;
}

// Takes the settings of the plan, in the order that the sink wants.
QueueSpec queue_spec(const Run &run, std::vector<Split> splits, InputWatch *watch,
                     StageSink *sink) {
  const Plan &plan = run.plan;
  QueueSpec spec{
      .sources = sources_of_scan(plan, *sink),
      .splits = std::move(splits),
      .cuts = cuts_of(run.program, *run.stage),
      .own_cuts = cuts_of_sides(run),
      .complain = [watch](const Source &of, const Status &what) { watch->complain(of, what); },
      .takes_binary = [&run](i64 source) { return takes_binary(run.program, source); },
      .most_window_bytes = most_window_bytes(run),
      .in_order = claims_in_order(run, *sink),
      .never_back = run.program.numbers_groups(),
      .io = plan.io};
  open_feeds(run.program, plan, spec, &spec.sources);
  if (run.program.map.groups) spec.groups = [&run](i64) { return run.program.map.groups; };
  if (run.readers) spec.groups = [&run](i64 source) { return groups_of(*run.readers, source); };
  const bool is_live = run.program.live.is_wanted();
  if (spec.in_order || is_live) spec.idle = [watch] { watch->look(); };
  if (is_live) spec.patience_ms = kPatienceOfInterim;
  if (spec.in_order) {
    spec.far_ahead = [sink] { return sink->is_far_ahead(); };
    return spec;
  }
  if (run.program.isolation.is_wanted) return spec;
  spec.tile_bytes = plan.tile_bytes;
  if (plan.shares.ends.empty()) return spec;
  spec.shares = reads_all(plan, *sink) ? plan.shares : shares_of_scan(plan, *sink);
  if (plan.nodes_matter && run.program.switches.by_pages) {
    deal_by_pages(plan, &spec.splits, &spec.shares);
  }
  spec.group_of = [&run](i64 worker) {
    if (run.program.switches.static_schedule) return worker;
    const Place &place = run.plan.places[static_cast<size_t>(worker)];
    // A worker hands over what it makes of a tile to one group, even if the kernel moves it.
    return run.plan.tile_bytes > 0 ? place.group : group_here(run.plan.topology, place);
  };
  return spec;
}

// Returns the number of records read by other processes, by the run that this one resumes, or when
// a range index was made.
i64 known_records(const Run &run) {
  if (run.program.partial.merged) return run.program.partial.merged->records();
  if (run.plan.checkpoint) return run.plan.checkpoint->known_records().records;
  return run.plan.left_out.records();
}

// Describes how to read records of followed inputs, and reports to the watch.
FollowSpec follow_spec(const Run &run, InputWatch *watch) {
  const bool fixed = run.stage->record_bytes() > 0;
  const bool has_fields = run.readers != nullptr;
  return {
      .cuts = ends_of_records(run.program, *run.stage),
      .terminator = run.program.map.terminator,
      .fixed = fixed,
      .begin = [watch](i64 source, Bytes head) { return watch->begin_followed(source, head); },
      .wants_more = [&run, has_fields](
                        Bytes head) { return has_fields && wants_more_records(run.program, head); },
      .note = [watch](const std::string &message) { watch->note(message); },
      .idle = [watch] { watch->look(); }};
}

// All sources have the same combiner.
void count_combined(const std::vector<Source> &sources, Report *report) {
  if (sources.empty() || !sources[0].combiner) return;
  const Combiner &combiner = *sources[0].combiner;
  report->combiner_lines_in += combiner.lines_in;
  report->combiner_bytes_in += combiner.bytes_in;
  report->combiner_lines_out += combiner.lines_out;
  report->combiner_bytes_out += combiner.bytes_out;
}

// Memory that groups of running fields may always use.
constexpr i64 kLeastGroups = i64{16} << 20;

Status no_file_to_look_ahead(const Run &run) {
  return Status::error(fmt::format(
      "{0} -: lead() reads ahead in one file, which {1} not; {0} FIELDS puts any records in order",
      setting_name("order"),
      run.plan.sources.size() > 1 ? "several inputs are" : run.plan.sources[0].name() + " is"));
}

Status gather_all(Run *run, StageSink *sink, const RunningField &field, RunningPass *pass) {
  if (Status status = check_reread(*run, field); !status.is_ok()) return status;
  InputWatch watch(run);
  std::vector<Split> splits = splits_of_scan(run->plan, *sink);
  Result<std::unique_ptr<ScannedCuts>> cuts = watch.scan_cuts(splits);
  if (!cuts.is_ok()) return cuts.status();
  QueueSpec spec = queue_spec(*run, std::move(splits), &watch, sink);
  spec.scanned = cuts->get();
  spec.idle = nullptr;
  spec.far_ahead = nullptr;
  SplitQueue queue(std::move(spec));
  watch.attach(&queue);
  watch.follow(&queue, sink);
  return gather_groups(run, &queue, &watch, pass);
}

// Scans the source after the first pass over each of its chunks, if there is one.
Status scan_chunks(Run *run, ChunkSource *source, StageSink *sink, InputWatch *watch) {
  using Does = RunningPass::Does;
  const std::vector<Source> &sources = run->plan.sources;
  const auto &fields = run->program.map.fields.running;
  if (!fields || sources.empty()) return scan(source, sink, watch, &run->pool);
  const bool is_file = sources.size() == 1 && !sources[0].stream && !sources[0].followed;
  if (fields->ahead() > 0 && !is_file) return no_file_to_look_ahead(*run);
  RunningGroups groups(*fields);
  const auto make_pass = [&](Does does) {
    return std::make_unique<RunningPass>(does, *fields, *run->readers->first(), sources,
                                         cuts_of(run->program, *run->stage),
                                         std::max(run->plan.memory / 4, kLeastGroups), &groups);
  };
  if (const RunningField *of_all = fields->of_all()) {
    Status status = gather_all(run, sink, *of_all, make_pass(Does::gather).get());
    if (!status.is_ok()) return status;
    groups.begin_again();
  }
  return scan(source, sink, watch, &run->pool, make_pass(Does::compute).get());
}

// `isolated`: `source`, if worker processes read it; else null.
Status scan_source(Run *run, ChunkSource *source, StageSink *sink, InputWatch *watch,
                   SplitQueue *isolated = nullptr) {
  watch->follow(source, sink);
  sink->begin(source);
  Status status = isolated != nullptr ? scan_isolated(run, isolated, sink, watch)
                                      : scan_chunks(run, source, sink, watch);
  if (run->cuts_lines && !status.is_ok()) run->cut_in_quotes = true;  // the error may come of that
  if (run->cut_in_quotes) return Status::ok();
  watch->end_reading(sink->last_position());
  Report &report = run->report;
  report.left_files = run->plan.left_out.files;
  report.left_bytes = run->plan.left_out.bytes;
  report.workers = run->pool.size();
  report.cpus = std::min(report.workers, available_cpus());
  const bool is_new_input = run->round == 0 || run->program.join;
  if (is_new_input) report.packed_bytes += source->packed_bytes();
  report.partial |= !run->plan.unreadable.empty() || watch->unread_sources() > 0;
  report.unread = report.bytes == 0 && watch->unread_sources() == std::ssize(run->plan.sources);
  const bool counts = run->stage->counts_records();
  if (is_new_input && counts) report.read_records = report.records + known_records(*run);
  if (status.is_ok()) status = sink->end(&report);
  return status.is_ok() ? watch->finish(sink->last_position()) : status;
}

}  // namespace

Status scan_input(Run *run, StageSink *sink) {
  run->timer.begin(sink->in_order() ? "transform" : "map");
  InputWatch watch(run);
  const Result<ChunkSource *> own = sink->own_source();
  if (!own.is_ok()) return own.status();
  if (*own != nullptr) return scan_source(run, *own, sink, &watch);
  std::vector<Split> splits =
      reads_all(run->plan, *sink) ? run->plan.splits : splits_of_scan(run->plan, *sink);
  Result<std::unique_ptr<ScannedCuts>> cuts = watch.scan_cuts(splits);
  if (!cuts.is_ok()) return cuts.status();
  const bool in_any_order = !claims_in_order(*run, *sink) && !run->program.isolation.is_wanted;
  if (run->plan.nodes_matter && in_any_order) {  // even for stripes, as the report shows them
    Status status = find_nodes(run->plan, &run->pool, &splits);
    if (!status.is_ok()) return status;
  }
  QueueSpec spec = queue_spec(*run, std::move(splits), &watch, sink);
  spec.scanned = cuts->get();
  if (run->program.follows) {
    FollowQueue queue(std::move(spec), follow_spec(*run, &watch));
    watch.attach(queue.there());
    return scan_source(run, &queue, sink, &watch);
  }
  SplitQueue queue(std::move(spec));
  watch.attach(&queue);
  SplitQueue *const isolated = run->program.isolation.is_wanted ? &queue : nullptr;
  Status status = scan_source(run, &queue, sink, &watch, isolated);
  count_combined(queue.sources(), &run->report);
  run->report.tiles.stolen += queue.stolen_tiles();
  return status;
}

}  // namespace mrc
