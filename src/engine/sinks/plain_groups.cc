#include "engine/sinks/plain_groups.h"

#include "engine/sinks/group_product.h"
#include "engine/sinks/grouping.h"
#include "kept/merge_partials.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Memory of all launches of partial reduces at once.
i64 bytes_of_launches(const Plan &plan) { return plan.memory / 8; }

}  // namespace

Status PlainGroups::open() {
  if (!adopts()) return Status::ok();
  for (const PartialPiece &piece : sink_.run().program.partial.merged->whole.pieces) {
    for (const auto &[position, ends] : piece.lines) sink_.lines()->add(position, ends);
  }
  return Status::ok();
}

void PlainGroups::begin(const ChunkSource *) {
  if (sink_.run().program.switches.runs == EagerRuns::wait) return;
  runs_ = std::make_unique<EagerReducer>(sink_.layout(), spec());
}

std::unique_ptr<Hand> PlainGroups::make_hand(i64 worker, BadRecordSink *bad) {
  return std::make_unique<GroupHand>(&sink_, worker, bad);
}

void PlainGroups::stop() {
  if (runs_) runs_->stop();
}

Status PlainGroups::end() {
  if (!runs_) return Status::ok();
  Status status = runs_->finish(sink_.outputs());
  sink_.run().report.eager = runs_->counts();
  runs_.reset();
  return status.is_ok() ? sink_.failure() : status;
}

EagerSpec PlainGroups::spec() const {
  const Plan &plan = sink_.run().plan;
  const Switches &switches = sink_.run().program.switches;
  EagerSpec spec;
  spec.overflow = sink_.settings().overflow;
  spec.folds = switches.runs == EagerRuns::reduce;
  spec.start = switches.start;
  spec.stop = switches.stop;
  spec.input_bytes = plan.streams > 0 ? 0 : plan.input_bytes;
  spec.low_priority = switches.low_priority;
  const i64 fit = std::max<i64>(1, bytes_of_launches(plan) / EagerReducer::kLeastBytes);
  spec.most_at_once = switches.stagger ? 1 : std::min(plan.workers, fit);
  spec.memory_bytes = bytes_of_launches(plan) / spec.most_at_once;
  spec.enter = [this] { PluginRun::enter(&sink_.run().plugins); };
  return spec;
}

void PlainGroups::adjust(GroupSettings *settings) const {
  if (!runs_) return;
  const Plan &plan = sink_.run().plan;
  settings->runs = runs_.get();
  settings->memory_bytes -=
      std::min(settings->memory_bytes / 2, bytes_of_launches(plan) / plan.workers);
}

bool PlainGroups::adopts() const { return sink_.run().program.partial.merged != nullptr; }

Status PlainGroups::adopt() {
  Run &run = sink_.run();
  run.timer.begin("load");
  const MergedPartials &merged = *run.program.partial.merged;
  using Stretch = MergedPartials::Stretch;
  std::vector<std::pair<const Stretch *, const BlockInfo *>> blocks;
  for (const Stretch &stretch : merged.stretches) {
    for (const BlockInfo &block : stretch.blocks) {
      blocks.emplace_back(&stretch, &block);
      run.report.merged_states += block.records;
    }
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[stretch, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    const Result<Bytes> records =
        read_block(*stretch->file, {0, sink_.layout().state_bytes()}, *block, &buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, stretch->shift.value_or(0));
    return into->relieve();
  };
  sink_.outputs()->clear();
  return sink_.saved().load_all(std::ssize(blocks), load_one, sink_.settings(), sink_.outputs());
}

}  // namespace mrc
