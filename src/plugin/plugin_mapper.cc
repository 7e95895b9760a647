#include "map/key_parts.h"
#include "plugin/call.h"
#include "plugin/own_splits.h"
#include "plugin/plugin_emitter.h"
#include "plugin/plugin_job.h"
#include "scan/line_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace mrc {
namespace {

bool lies_within(Bytes part, Bytes whole) {
  const auto at = reinterpret_cast<uintptr_t>(part.data());
  const auto begin = reinterpret_cast<uintptr_t>(whole.data());
  return at >= begin && at - begin + part.size() <= whole.size();
}

// No plugin emits this value; it shows if a plugin emits keys of the other type.
constexpr i64 kUntouched = 0x6d72635f6b657973;

}  // namespace

u64 missing_word(mrc_type type) {
  if (type == MRC_INTEGER) return static_cast<u64>(MRC_NO_INTEGER);
  return type == MRC_REAL ? mrc_real_word(std::numeric_limits<double>::quiet_NaN()) : 0;
}

PluginEmitter::PluginEmitter(std::span<const mrc_type> types, bool ordered, bool integer_keys,
                             BadRecordSink *bad_sink)
    : mrc_emitter{},
      bad_(bad_sink),
      ordered_(ordered),
      integer_keys_(integer_keys),
      key_array_(MRC_BATCH),
      integer_array_(MRC_BATCH, kUntouched),
      value_array_(types.size() * MRC_BATCH + 1) {
  size = sizeof(mrc_emitter);
  width = static_cast<uint32_t>(types.size());
  for (const mrc_type type : types) missing_.push_back(missing_word(type));
  keys = key_array_.data();
  integers = integer_array_.data();
  values = value_array_.data();
  count = MRC_BATCH;
  forget_values();
  flush = [](mrc_emitter *self) { static_cast<PluginEmitter *>(self)->take_all(); };
  keep = [](mrc_emitter *self, mrc_text text) {
    auto *out = static_cast<PluginEmitter *>(self);
    const Bytes copy = out->kept_[out->keeping_].copy(Bytes(text.data, text.size));
    return mrc_text{copy.data(), copy.size()};
  };
  bad = [](mrc_emitter *self, mrc_text record, const char *reason) {
    static_cast<PluginEmitter *>(self)->take_bad({record.data, record.size}, reason);
  };
}

// The position of a bad record is derived from its address in the chunk.
void PluginEmitter::take_bad(Bytes record, const char *reason) {
  end_if_copy();
  if (reason == nullptr || chunk_ == nullptr || !lies_within(record, chunk_->bytes)) {
    return fail_plugin("said that a record is bad, but not why, or not one that it was given");
  }
  if (bad_ != nullptr) bad_->take(*chunk_, {record, reason});
}

void PluginEmitter::begin(Emitter *to, const Chunk *chunk, bool padded, u64 order) {
  to_ = to;
  chunk_ = chunk;
  readable_ = padded ? chunk->bytes : Bytes();
  order_ = order;
  number_ = 0;
}

void PluginEmitter::take_all() {
  end_if_copy();
  const PluginTimer timer(PluginWork::none);
  if (count < 0 || count > MRC_BATCH) {
    fail_plugin(fmt::format("left {} keys in an emitter that has room for {}", count, MRC_BATCH));
    count = 0;
  }
  if (!has_keys_of_type()) {
    fail_plugin(integer_keys_
                    ? "emitted a key that is a text; set the job's key_type to MRC_TEXT"
                    : "emitted a key that is an integer; set its key_type to MRC_INTEGER");
    count = 0;
  }
  if (integer_keys_) {
    take<-1>([this](size_t i) { return integer_key(i); });
  } else {
    take_texts();
  }
  to_->flush();
  forget_values();
  keeping_ = 1 - keeping_;
  kept_[keeping_].clear();
  padded_.clear();
}

// Authors easily forget to set key_type. Checking the first and the last key is enough.
bool PluginEmitter::has_keys_of_type() const {
  for (const size_t i : {size_t{0}, static_cast<size_t>(std::max<i64>(count, 1) - 1)}) {
    if (integer_keys_ ? key_array_[i].data != nullptr : integer_array_[i] != kUntouched) {
      return false;
    }
  }
  return true;
}

// Makes the values missing that the next emits do not set, so that they do not keep old ones.
void PluginEmitter::forget_values() {
  if (width == 1) {  // vectorized
    std::fill_n(values, count, missing_[0]);
  } else {
    uint64_t *to = values;
    for (i64 i = 0; i < count; ++i) {
      for (const u64 word : missing_) *to++ = word;
    }
  }
  count = 0;
}

void PluginEmitter::take_texts() {
  const auto begin = reinterpret_cast<uintptr_t>(readable_.data());
  const u64 span = readable_.size();
  // Keys in the chunk may be over-read; others are copied, since they may lie at the end of memory.
  auto text_key = [&](size_t i) {
    const Bytes key(keys[i].data, keys[i].size);
    const u64 at = reinterpret_cast<uintptr_t>(key.data()) - begin;
    return at < span && key.size() <= span - at ? key : padded(key);
  };
  if (width == 0 && !ordered_) return take<0>(text_key);
  if (width == 1 && !ordered_) return take<1>(text_key);
  take<-1>(text_key);
}

// `kWidth`: the number of values; -1: any number, and the words that order them.
template <i64 kWidth, typename KeyOf>
MRC_INLINE void PluginEmitter::take(KeyOf key_of) {
  EmitLoop<Fold::none, kWidth> loop(to_);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const Bytes key = key_of(i);
    if (loop.is_full()) [[unlikely]] {  // if records have very many values
      loop.leave();
      to_->flush();
      loop.enter();
    }
    u64 *to = loop.emit(key.data(), key.size());
    if constexpr (kWidth == 1) *to = values[i];
    if constexpr (kWidth < 0) {
      for (size_t k = 0; k < width; ++k) to[k] = values[i * width + k];
      if (!ordered_) continue;
      to[width] = order_;
      to[width + 1] = number_++;
    }
  }
  loop.leave();
}

Bytes PluginEmitter::integer_key(size_t i) {
  text_.clear();
  append_key_part({.name = {}, .number = true}, fmt::format_int(integers[i]).c_str(), &text_);
  return padded(text_);
}

__attribute__((noinline)) Bytes PluginEmitter::padded(Bytes key) {
  char *copy = reinterpret_cast<char *>(padded_.alloc(std::ssize(key) + kPadding));
  if (!key.empty()) std::memcpy(copy, key.data(), key.size());
  return Bytes(copy, key.size());
}

// Records are views of the chunk, collected into batches of MRC_BATCH. So the costs of a call, and
// of checking it for failure, come once for a batch.

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
