// plugin: calls the map of a job for one worker, and passes on what it emits.
#pragma once

#include "plugin/plugin_emitter.h"
#include "plugin/plugin_job.h"

#include <memory>

namespace mrc {

// From `begin` to `end`. Failures are reported by plugin/call.h.
class MapCalls {
 public:
  // Calls `begin`. REQUIRES: both arguments outlive this
  MapCalls(const PluginSession &job, const MapperSurroundings &around);

  // Calls map with records of a chunk, whose `records`, `count` and `values` are set. `offset`:
  // where the first of them begins in the input. Does nothing after a failure.
  void map(const Chunk &chunk, i64 offset, mrc_records records, Emitter *out);
  void end(Emitter *out);

 private:
  void emit_records(const mrc_records &records);

  const PluginSession &job_;
  const mrc_job &functions_;
  const MapperSurroundings around_;
  PluginEmitter emitter_;
  void *worker_ = nullptr;
  bool begun_ = true;
};

// The mapper of jobs with fields. REQUIRES: job.reads_fields()
std::unique_ptr<Mapper> make_row_mapper(const PluginSession &job, const MapperSurroundings &around);

}  // namespace mrc
