// Records are views of the chunk, collected into batches of MRC_BATCH. So the costs of a call, and
// of checking it for failure, come once for a batch.
#include "plugin/own_splits.h"
#include "plugin/plugin_emitter.h"
#include "plugin/plugin_job.h"
#include "scan/line_scan.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

class PluginMapper : public Mapper {
 public:
  PluginMapper(const PluginSession &job, const MapperSurroundings &around)
      : job_(job),
        functions_(job.functions()),
        around_(around),
        words_(Words::word, around.scanner),
        lines_(around.terminator, around.scanner),
        emitter_({functions_.values, functions_.value_count}, job.orders_values(),
                 job.has_integer_keys(), around.bad) {
    if (functions_.begin == nullptr) return;
    begun_ =
        guarded(job_.place("begin"), [&] { return functions_.begin(job_.self(), &worker_); }) == 0;
  }

  i64 map(const Chunk &chunk, Emitter *out) override;
  void finish(Emitter *out) override;

 private:
  i64 map_words(const Chunk &chunk);
  i64 map_lines(const Chunk &chunk);
  i64 map_fixed(const Chunk &chunk);
  i64 map_bytes(const Chunk &chunk);
  // Collects records one by one. It is a separate object so that its index stays in a register: no
  // store to a record can alias it.
  class Filler {
   public:
    MRC_INLINE explicit Filler(PluginMapper *mapper) : mapper_(*mapper) {}
    MRC_INLINE void add(const char *record, u64 size) {
      mapper_.records_[at_] = {record, size};
      if (++at_ < MRC_BATCH) [[likely]]
        return;
      mapper_.call(MRC_BATCH);
      at_ = 0;
    }
    // REQUIRES: called once at the end
    void finish() {
      if (at_ > 0) mapper_.call(static_cast<i64>(at_));
    }

   private:
    PluginMapper &mapper_;
    size_t at_ = 0;
  };
  void call(i64 count);
  void emit_records(i64 count);

  const PluginSession &job_;
  const mrc_job &functions_;
  const MapperSurroundings around_;
  WordScan words_;
  LineScan lines_;
  PluginEmitter emitter_;
  void *worker_ = nullptr;
  bool begun_ = true;
  const Chunk *chunk_ = nullptr;
  Emitter *out_ = nullptr;
  std::array<mrc_text, MRC_BATCH> records_;
};

i64 PluginMapper::map(const Chunk &chunk, Emitter *out) {
  if (plugin_failed()) return 0;
  chunk_ = &chunk;
  out_ = out;
  i64 records = 0;
  switch (functions_.shape) {
    case MRC_LINES: records = map_lines(chunk); break;
    case MRC_FIXED: records = map_fixed(chunk); break;
    case MRC_WORDS: records = map_words(chunk); break;
    default: records = map_bytes(chunk);
  }
  return records;
}

i64 PluginMapper::map_words(const Chunk &chunk) {
  Filler filler(this);
  const i64 words =
      words_.each(chunk, [&](const char *word, u64 size) { filler.add(word, size); }, [] {});
  filler.finish();
  return words;
}

i64 PluginMapper::map_lines(const Chunk &chunk) {
  Filler filler(this);
  const i64 lines = lines_.each<Returns::stripped>(
      without_byte_order_mark(chunk), [&](Bytes line) { filler.add(line.data(), line.size()); },
      [] {});
  filler.finish();
  return lines;
}

// Bytes left at the end of an input are not a record; the reader reports them.
i64 PluginMapper::map_fixed(const Chunk &chunk) {
  const i64 bytes = functions_.record_bytes, records = std::ssize(chunk.bytes) / bytes;
  Filler filler(this);
  for (i64 i = 0; i < records; ++i) {
    filler.add(chunk.bytes.data() + i * bytes, static_cast<u64>(bytes));
  }
  filler.finish();
  return records;
}

i64 PluginMapper::map_bytes(const Chunk &) {
  call(0);
  return 1;
}

void PluginMapper::call(i64 count) {
  if (plugin_failed()) return;
  const Chunk &chunk = *chunk_;
  const bool own = chunk.split >= 0;
  const i64 offset = chunk.offset + (count > 0 ? records_[0].data - chunk.bytes.data() : i64{0});
  const InputView &input = around_.inputs[static_cast<size_t>(chunk.source)];
  emitter_.begin(out_, &chunk, functions_.acquire == nullptr,
                 own ? static_cast<u64>(chunk.split) : position_of(chunk.source, offset));
  mrc_records records{};
  records.size = sizeof records;
  records.input_name = input.name.c_str();
  records.input = input.argument;
  records.offset = chunk.offset;
  records.bytes = {chunk.bytes.data(), chunk.bytes.size()};
  records.records = count > 0 ? records_.data() : nullptr;
  records.count = count;
  records.split_number = chunk.split;
  if (own) {
    records.split = &around_.splits->split(chunk.split);
    records.input = records.split->input;
  }
  guarded(job_.place("map", records.input_name, offset), [&] {
    const int result = functions_.map == nullptr
                           ? (emit_records(count), 0)
                           : functions_.map(job_.self(), worker_, &records, &emitter_);
    emitter_.take_all();
    return result;
  });
}

void PluginMapper::emit_records(i64 count) {
  for (i64 i = 0; i < count; ++i) mrc_emit(&emitter_, records_[static_cast<size_t>(i)]);
}

// Workers end in any order, so all that `end` emits is ordered after everything else.
void PluginMapper::finish(Emitter *out) {
  if (functions_.end == nullptr || !begun_) return;
  // `end` is called even after failures, because it frees the memory of the worker.
  emitter_.begin(out, nullptr, false, ~u64{0});
  guarded(job_.place("end"), [&] {
    const int result = functions_.end(job_.self(), worker_, &emitter_);
    emitter_.take_all();
    return result;
  });
}

}  // namespace

std::unique_ptr<Mapper> make_plugin_mapper(const PluginSession &job,
                                           const MapperSurroundings &around) {
  return std::make_unique<PluginMapper>(job, around);
}

}  // namespace mrc
