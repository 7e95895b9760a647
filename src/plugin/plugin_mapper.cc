// Records are views of the chunk, collected into batches of MRC_BATCH. So the costs of a call, and
// of checking it for failure, come once for a batch.
#include "plugin/call.h"
#include "plugin/inner/map_calls.h"
#include "scan/line_scan.h"

#include <array>

namespace mrc {
namespace {

class PluginMapper : public Mapper {
 public:
  PluginMapper(const PluginSession &job, const MapperSurroundings &around)
      : functions_(job.functions()),
        words_(Words::word, around.scanner),
        lines_(around.terminator, around.scanner),
        calls_(job, around) {}

  i64 map(const Chunk &chunk, Emitter *out) override;
  void finish(Emitter *out) override { calls_.end(out); }

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

  const mrc_job &functions_;
  WordScan words_;
  LineScan lines_;
  MapCalls calls_;
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
  mrc_records records{};
  records.records = count > 0 ? records_.data() : nullptr;
  records.count = count;
  const i64 offset = count > 0 ? records_[0].data - chunk_->bytes.data() : i64{0};
  calls_.map(*chunk_, chunk_->offset + offset, records, out_);
}

}  // namespace

std::unique_ptr<Mapper> make_plugin_mapper(const PluginSession &job,
                                           const MapperSurroundings &around) {
  if (job.reads_fields()) return make_row_mapper(job, around);
  return std::make_unique<PluginMapper>(job, around);
}

}  // namespace mrc
