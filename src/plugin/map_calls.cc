#include "plugin/inner/map_calls.h"

#include "plugin/call.h"
#include "plugin/own_splits.h"

namespace mrc {

MapCalls::MapCalls(const PluginSession &job, const MapperSurroundings &around)
    : job_(job),
      functions_(job.functions()),
      around_(around),
      emitter_({functions_.values, functions_.value_count}, job.orders_values(),
               job.has_integer_keys(), around.bad) {
  if (functions_.begin == nullptr) return;
  begun_ =
      guarded(job_.place("begin"), [&] { return functions_.begin(job_.self(), &worker_); }) == 0;
}

void MapCalls::map(const Chunk &chunk, i64 offset, mrc_records records, Emitter *out) {
  if (plugin_failed()) return;
  const bool own = chunk.split >= 0;
  const InputView &input = around_.inputs[static_cast<size_t>(chunk.source)];
  emitter_.begin(out, &chunk, functions_.acquire == nullptr,
                 own ? static_cast<u64>(chunk.split) : position_of(chunk.source, offset));
  records.size = sizeof records;
  records.input_name = input.name.c_str();
  records.input = input.argument;
  records.offset = chunk.offset;
  records.bytes = {chunk.bytes.data(), chunk.bytes.size()};
  records.split_number = chunk.split;
  if (own) {
    records.split = &around_.splits->split(chunk.split);
    records.input = records.split->input;
  }
  guarded(job_.place("map", records.input_name, offset), [&] {
    const int result = functions_.map == nullptr
                           ? (emit_records(records), 0)
                           : functions_.map(job_.self(), worker_, &records, &emitter_);
    emitter_.take_all();
    return result;
  });
}

void MapCalls::emit_records(const mrc_records &records) {
  for (i64 i = 0; i < records.count; ++i) mrc_emit(&emitter_, records.records[i]);
}

// Workers end in any order, so all that `end` emits is ordered after everything else.
void MapCalls::end(Emitter *out) {
  if (functions_.end == nullptr || !begun_) return;
  // `end` is called even after failures, because it frees the memory of the worker.
  emitter_.begin(out, nullptr, false, ~u64{0});
  guarded(job_.place("end"), [&] {
    const int result = functions_.end(job_.self(), worker_, &emitter_);
    emitter_.take_all();
    return result;
  });
}

}  // namespace mrc
