#include "engine/sinks/kept_groups.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

KeptGroups::KeptGroups(Run *run, Aggregation aggregation)
    : run_(*run), inputs_(*run->plan.kept), layout_(std::move(aggregation)) {}

Status KeptGroups::open() {
  const Plan &plan = run_.plan;
  if (plan.splits.empty() && plan.streams == 0) return Status::ok();
  Result<RunFile> file = inputs_.directory().create_run(&number_);
  if (!file.is_ok()) return file.status();
  file_.emplace(std::move(*file));
  tiles_.emplace(plan, layout_, run_.worker_share() / 3, &*file_, 0);
  return Status::ok();
}

Status KeptGroups::keep() {
  if (Status status = close_tiles(); !status.is_ok()) return status;
  Status status = inputs_.note_inputs(run_.plan.sources, formats());
  return status.is_ok() ? inputs_.commit() : status;
}

Status KeptGroups::close_tiles() {
  if (!tiles_) return Status::ok();
  if (Status status = tiles_->close(); !status.is_ok()) return status;
  run_.report.sealed_tiles += std::ssize(tiles_->tiles());
  if (tiles_->run().is_empty()) return Status::ok();
  run_.report.sealed_bytes += tiles_->run().bytes();
  if (Status status = file_->commit(); !status.is_ok()) return status;
  for (const SealedTile &tile : tiles_->tiles()) {
    if (is_whole(tile)) {
      inputs_.add(tile.covered.front().source, tile, number_);
    } else {
      partial_.push_back(tile);
    }
  }
  return Status::ok();
}

// What could not be read to its end is read again the next time.
bool KeptGroups::is_whole(const SealedTile &tile) const {
  const Covered &covered = tile.covered.front();
  const Source &source = run_.plan.sources[static_cast<size_t>(covered.source)];
  return tile.covered.size() == 1 && covered.begin == source.known &&
         (source.stream || covered.end == source.end) && !run_.damaged.contains(source.path);
}

std::vector<std::string> KeptGroups::formats() const {
  std::vector<std::string> names(run_.plan.sources.size());
  for (i64 i = 0; run_.readers && i < std::ssize(names); ++i) {
    const Dialect *dialect = run_.readers->dialect(i);
    if (dialect != nullptr) names[static_cast<size_t>(i)] = dialect->format->name;
  }
  return names;
}

Result<const KeptGroups::OpenRun *> KeptGroups::run_of(i64 number) {
  const auto known = std::ranges::find(runs_, number, &OpenRun::number);
  if (known != runs_.end()) return &*known;
  Result<RunFile> file = inputs_.directory().open_run(number);
  if (!file.is_ok()) return file.status();
  runs_.push_back({number, std::move(*file), {}});
  OpenRun &opened = runs_.back();
  Result<RunReader> reader = RunReader::open(&opened.file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != RecordShape{0, layout_.state_bytes()}) {
    return Status::error(opened.file.name() + ": states have another size than those of this job");
  }
  opened.reader.emplace(std::move(*reader));
  return &opened;
}

// States count positions from their source, wherever it stood.
Status KeptGroups::add(const RunFile *file, const std::vector<BlockInfo> &blocks, i64 first,
                       i64 count, i64 source, std::vector<Stretch> *all) {
  if (first + count > std::ssize(blocks)) {
    return Status::error(file->name() + ": has fewer blocks than the manifest says");
  }
  const auto begin = blocks.begin() + first;
  all->push_back({file, {begin, begin + count}, position_of(source, 0)});
  return Status::ok();
}

Result<std::vector<KeptGroups::Stretch>> KeptGroups::stretches() {
  std::vector<Stretch> all;
  for (const KeptInputs::Known &known : inputs_.known_tiles()) {
    if (known.tile.run < 0) continue;
    Result<const OpenRun *> run = run_of(known.tile.run);
    if (!run.is_ok()) return run.status();
    Status status = add(&(*run)->file, (*run)->reader->blocks(), known.tile.first_block,
                        known.tile.blocks, known.source, &all);
    if (!status.is_ok()) return status;
  }
  for (const SealedTile &tile : partial_) {
    Status status = add(&*file_, tiles_->run().blocks(), tile.blocks.first, tile.blocks.count,
                        tile.covered.front().source, &all);
    if (!status.is_ok()) return status;
  }
  return all;
}

Result<std::vector<std::unique_ptr<MapOutput>>> KeptGroups::load(const StateLayout &layout,
                                                                 const GroupSettings &settings) {
  const Result<std::vector<Stretch>> all = stretches();
  if (!all.is_ok()) return all.status();
  std::vector<std::pair<const Stretch *, const BlockInfo *>> blocks;
  for (const Stretch &stretch : *all) {
    for (const BlockInfo &block : stretch.blocks) blocks.emplace_back(&stretch, &block);
  }
  std::vector<std::unique_ptr<MapOutput>> outputs(static_cast<size_t>(run_.pool.size()));
  std::atomic<size_t> next{0};
  const RecordShape shape{0, layout_.state_bytes()};
  Status status = run_.pool.run(run_.pool.size(), [&](i64 worker) {
    auto grouping = std::make_unique<GroupWorker>(layout, settings);
    Pages buffer;
    for (size_t i; (i = next.fetch_add(1)) < blocks.size();) {
      const auto &[stretch, block] = blocks[i];
      Result<Bytes> records = read_block(*stretch->file, shape, *block, &buffer);
      if (!records.is_ok()) return records.status();
      grouping->load(*records, stretch->shift);
      if (Status full = grouping->relieve(); !full.is_ok()) return full;
    }
    Result<std::unique_ptr<MapOutput>> output = grouping->finish();
    if (!output.is_ok()) return output.status();
    outputs[static_cast<size_t>(worker)] = std::move(*output);
    return Status::ok();
  });
  if (!status.is_ok()) return status;
  return outputs;
}

}  // namespace mrc
