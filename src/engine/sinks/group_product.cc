#include "engine/sinks/group_product.h"

namespace mrc {

GroupProduct::GroupProduct(GroupingSink *sink, i64 worker, BadRecordSink *bad, PartFiles *files)
    : sink_(*sink),
      worker_(worker),
      bad_(bad),
      files_(files),
      numbers_lines_(sink->run().program.map.values == MapSpec::Values::line),
      grouping_(std::make_unique<GroupWorker>(sink->layout(), sink->settings_of(worker))),
      mapper_(sink->make_mapper(bad)) {}

Status GroupProduct::take(const Chunk &chunk, i64 *records) {
  if (numbers_lines_) lines_.add(chunk, sink_.run().program.map.terminator);
  *records += grouping_->map(mapper_.get(), chunk);
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  return grouping_->relieve();
}

Status GroupProduct::hand_over(bool whole) {
  Result<std::unique_ptr<MapOutput>> output = end(whole);
  if (!output.is_ok() || !*output) return output.status();
  return sink_.take_output(worker_, std::move(*output), lines_);
}

Result<std::shared_ptr<SavedPart>> GroupProduct::save(bool *emptied) {
  *emptied = false;
  if (Status status = settle(); !status.is_ok()) return status;
  return sink_.saved().save(grouping_.get(), files_, emptied);
}

void GroupProduct::move_notes(std::string *notes) {
  if (numbers_lines_) lines_.move_to(notes);
}

Result<std::unique_ptr<MapOutput>> GroupProduct::end(bool whole) {
  if (mapper_) grouping_->finish_mapper(mapper_.get());
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  if (!whole) return std::unique_ptr<MapOutput>();
  return grouping_->finish();
}

void GroupProduct::begin_tile() {
  if (mapper_) return;  // nothing has been mapped yet
  mapper_ = sink_.make_mapper(bad_);
  grouping_->begin_anew(0, sink_.kept()->take_empty());
}

Result<std::unique_ptr<TileProduct>> GroupProduct::end_tile() {
  Result<std::unique_ptr<MapOutput>> output = end(true);
  if (!output.is_ok()) return output.status();
  mapper_.reset();
  return std::unique_ptr<TileProduct>(std::make_unique<GroupTile>(std::move(*output)));
}

Status GroupProduct::settle() {
  grouping_->finish_mapper(mapper_.get());
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  mapper_ = sink_.make_mapper(bad_);
  return Status::ok();
}

}  // namespace mrc
