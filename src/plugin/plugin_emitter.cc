#include "plugin/plugin_emitter.h"

#include "map/key_parts.h"
#include "plugin/call.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace mrc
