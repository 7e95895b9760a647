// How a worker maps the records of a run's job.
#pragma once

#include "engine/run.h"

#include <memory>

namespace mrc {

// Made by the worker. `bad` outlives the mapper.
inline std::unique_ptr<Mapper> make_worker_mapper(const Run &run, BadRecordSink *bad) {
  if (run.job.plugin && run.job.plugin->maps()) {
    return run.job.plugin->make_mapper({.scanner = *run.plan.scanner,
                                        .inputs = run.input_views,
                                        .terminator = run.job.map.terminator,
                                        .splits = run.own_splits.get(),
                                        .bad = run.round == 0 ? bad : nullptr});
  }
  return make_mapper(run.job.map, *run.plan.scanner, run.plan.readers.get(), bad);
}

// Of one round: the same for all workers, so that what they make can be merged.
inline Seed seed_of(const Run &run) { return run.job.seed ? *run.job.seed : Seed::random(); }

}  // namespace mrc
