#include "engine/sinks/group_worker.h"

#include "base/number.h"
#include "map/key_image.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace mrc {

GroupWorker::GroupWorker(const StateLayout &layout, const GroupSettings &settings)
    : layout_(layout),
      settings_(settings),
      output_(std::make_unique<MapOutput>(settings.container)),
      emitter_(this, settings.seed, settings.value_width),
      policy_(settings.rules),
      frozen_(settings.hot_bytes == 0),
      values_(static_cast<size_t>(
          settings.value_width *
          records_together(settings.value_width * i64{sizeof(u64)}, Batch<Key16>::kCapacity))),
      lone_(static_cast<size_t>(layout.state_bytes() / 8)) {
  if (settings.shared == nullptr) return;
  writer_ = std::make_unique<SharedWriter>(settings.shared, settings.value_width,
                                           settings.first_partition,
                                           [this]() -> OverflowBuffer & { return overflow(); });
}

i64 GroupWorker::map(Mapper *mapper, const Chunk &chunk) {
  if (settings_.runs != nullptr) settings_.runs->add_mapped(std::ssize(chunk.bytes));
  return mapper->map(chunk, &emitter_);
}

template <typename Key>
inline void GroupWorker::fold(const Batch<Key> &batch) {
  if (frozen_ || !may_insert(batch)) return fold_frozen(batch);
  output_->groups.container<Key>().group(batch, states_.data());
  layout_.add(states_.data(), {batch.values.data(), batch.width}, batch.size, &output_->arena);
}

void GroupWorker::take(const Batch<Key16> &batch) { fold(batch); }
void GroupWorker::take(const Batch<Key32> &batch) { fold(batch); }
void GroupWorker::take(const Batch<KeyRef> &batch) { fold(batch); }

// True if the table has room for the batch or may grow; otherwise freezes all tables. If values
// may borrow, an empty table always gets its first slots: a frozen empty table would stage a state
// for each record.
template <typename Key>
inline bool GroupWorker::may_insert(const Batch<Key> &batch) {
  const FlatTable<Key> *table = output_->groups.flat<Key>();
  if (table == nullptr || table->has_room(batch.size)) return true;
  if (settings_.borrowing != Borrowing::none && table->slots() == 0) return true;
  const i64 others = output_->groups.usage().bytes - table->memory_bytes();
  frozen_ = others + table->bytes_with(batch.size) > settings_.hot_bytes;
  return !frozen_;
}

template <typename Key>
void GroupWorker::fold_frozen(const Batch<Key> &batch) {
  if (settings_.hot_bytes == 0) return stage_all(batch);
  const HotPolicy::Action action = policy_.next();
  if (action == HotPolicy::Action::relearn) {
    flush_groups();
    return fold(batch);
  }
  if (action == HotPolicy::Action::stage_all) {
    policy_.staged_all();
    return stage_all(batch);
  }
  const i64 hits = output_->groups.flat<Key>()->find(batch, states_.data());
  policy_.looked_up(batch.size, hits);
  if (hits < batch.size) stage_missing(batch);
  State **to = states_.data();
  u64 *values = values_.data();
  for (i64 i = 0; i < batch.size; ++i) {
    *to = states_[static_cast<size_t>(i)];
    std::copy_n(batch.values.data() + i * batch.width, batch.width, values);
    if (*to == nullptr) continue;
    ++to;
    values += batch.width;
  }
  layout_.add(states_.data(), {values_.data(), batch.width}, hits, &output_->arena);
}

template <typename Key>
void GroupWorker::stage_all(const Batch<Key> &batch) {
  if (settings_.borrowing == Borrowing::none) {
    return writer_ ? writer_->add_all(batch) : overflow().append_all(batch);
  }
  for (i64 i = 0; i < batch.size; ++i) stage(batch, i);
}

// Stages the records that have no state in states_.
template <typename Key>
void GroupWorker::stage_missing(const Batch<Key> &batch) {
  if (settings_.borrowing == Borrowing::none) {
    return writer_ ? writer_->add_missing(batch, states_.data())
                   : overflow().append_missing(batch, states_.data());
  }
  for (i64 i = 0; i < batch.size; ++i) {
    if (states_[static_cast<size_t>(i)] == nullptr) stage(batch, i);
  }
}

// Shares or stages a record whose values may borrow.
template <typename Key>
void GroupWorker::stage(const Batch<Key> &batch, i64 i) {
  const u64 *values = batch.values.data() + i * batch.width;
  const auto is_wide = [](Number number) { return is_number(number) && !is_narrow(number); };
  const bool borrows =
      settings_.borrowing == Borrowing::any || std::any_of(values, values + batch.width, is_wide);
  if (!borrows && writer_) return writer_->add(batch, i);
  if (!writer_ || !writer_->add_borrowed(batch, i)) stage_as_state(batch, i);
}

template <typename Key>
void GroupWorker::stage_as_state(const Batch<Key> &batch, i64 i) {
  const size_t at = static_cast<size_t>(i);
  std::fill(lone_.begin(), lone_.end(), 0);
  State *state = reinterpret_cast<State *>(lone_.data());
  layout_.add(&state, {batch.values.data() + i * batch.width, batch.width}, 1, &lone_arena_);
  saved_.clear();
  if (!layout_.is_flat()) layout_.save(state, &saved_);
  overflow().append({batch.hashes[at], key_bytes(batch.keys[at]), true, state, saved_});
  lone_arena_.clear();
}

// Appends groups to an overflow buffer as STATE records.
namespace {
template <typename Key>
class Flusher : public GroupVisitor<Key> {
 public:
  Flusher(const StateLayout &layout, OverflowBuffer *overflow)
      : layout_(layout), overflow_(overflow) {}

  void take(const Batch<Key> &batch, State *const *states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      saved_.clear();
      if (!layout_.is_flat()) layout_.save(states[i], &saved_);
      overflow_->append({batch.hashes[i], key_bytes(batch.keys[i]), true, states[i], saved_});
    }
  }

 private:
  const StateLayout &layout_;
  OverflowBuffer *overflow_;
  std::string saved_;
};
}  // namespace

namespace {

// Appends all groups of an output to its overflow buffer, which it makes if need be.
void stage_groups(const StateLayout &layout, const OverflowSpec &spec, MapOutput *output) {
  if (!output->overflow) output->overflow = std::make_unique<OverflowBuffer>(spec);
  output->groups.seal([&](State *const *into, State *const *from, i64 n) {
    layout.merge(into, from, n, &output->arena);
  });
  auto flush = [&]<typename Key>(std::type_identity<Key>) {
    Flusher<Key> flusher(layout, output->overflow.get());
    output->groups.container<Key>().visit({}, &flusher);
  };
  flush(std::type_identity<Key16>());
  flush(std::type_identity<Key32>());
  flush(std::type_identity<KeyRef>());
}

}  // namespace

Status spill_all(const StateLayout &layout, const OverflowSpec &spec,
                 std::unique_ptr<MapOutput> *output) {
  stage_groups(layout, spec, output->get());
  auto overflow = std::move((*output)->overflow);
  *output = std::make_unique<MapOutput>(ContainerSpec{});
  Status status = overflow->spill();
  overflow->clear(false);
  (*output)->overflow = std::move(overflow);
  return status;
}

void GroupWorker::flush_groups() {
  stage_groups(layout_, settings_.overflow, output_.get());
  output_->groups.clear();
  output_->arena.clear();
  frozen_ = false;
}

// Stops sharing, because the shared partitions or this worker's groups have grown too large. The
// first worker that stops turns the shared groups into staged records. Later records are staged.
Status GroupWorker::leave_shared() {
  writer_->flush();
  writer_.reset();
  if (!settings_.shared->close()) return Status::ok();
  return settings_.shared->stage(&overflow(), settings_.memory_bytes / 4);
}

void GroupWorker::seal_groups() {
  output_->groups.seal([this](State *const *into, State *const *from, i64 n) {
    layout_.merge(into, from, n, &output_->arena);
  });
}

void GroupWorker::load(Bytes records, u64 shift) {
  if (!folder_) {
    folder_ = std::make_unique<RecordFolder>(layout_, RecordShape{0, layout_.state_bytes()},
                                             output_->groups.containers(), &output_->arena);
  }
  folder_->begin_sealed(settings_.seed, shift);
  const auto *begin = reinterpret_cast<const std::byte *>(records.data());
  folder_->fold(begin, begin + records.size());
  folder_->flush();
}

void GroupWorker::make_room(Bytes first, i64 records) {
  const RecordShape shape{0, layout_.state_bytes()};
  const auto *at = reinterpret_cast<const std::byte *>(first.data()), *end = at + first.size();
  i64 short_keys = 0, medium_keys = 0, all = 0;
  for (StoredRecord record; at < end; ++all) {
    at = read_record(at, shape, &record);
    const i64 size = std::ssize(record.key);
    short_keys += size <= Key16::kLongest;
    medium_keys += size > Key16::kLongest && size <= Key32::kLongest;
  }
  const auto make_room_for = [&]<typename Key>(std::type_identity<Key>, i64 seen) {
    FlatTable<Key> *const table = output_->groups.flat<Key>();
    if (table == nullptr || seen == 0) return;
    const double share = static_cast<double>(seen) / static_cast<double>(all);
    i64 keys = static_cast<i64>(static_cast<double>(records) * std::min(1.0, 1.1 * share));
    while (table->bytes_with(keys) > settings_.memory_bytes / 4 && keys > 0) keys /= 2;
    table->make_room(keys);
  };
  make_room_for(std::type_identity<Key16>(), short_keys);
  make_room_for(std::type_identity<Key32>(), medium_keys);
  make_room_for(std::type_identity<KeyRef>(), all - short_keys - medium_keys);
}

void GroupWorker::begin_anew(i64 expected_keys, std::unique_ptr<MapOutput> empty) {
  settings_.container.expected_keys = expected_keys;
  folder_.reset();
  compacted_.reset();
  output_ = empty ? std::move(empty) : std::make_unique<MapOutput>(settings_.container);
  frozen_ = settings_.hot_bytes == 0;
  policy_ = HotPolicy(settings_.rules);
  compacting_pays_ = true;
  kept_records_ = 0;
}

bool GroupWorker::can_show() const {
  return !writer_ && !output_->has_staged_records() && settings_.container.type->shows_early;
}

OverflowBuffer &GroupWorker::overflow() {
  if (!output_->overflow) output_->overflow = std::make_unique<OverflowBuffer>(settings_.overflow);
  return *output_->overflow;
}

i64 GroupWorker::grouped_bytes() const {
  return output_->groups.usage().bytes + output_->arena.used();
}

// Keeps staged records below watermarks (MaRCO 4.3 has start and stop thresholds, too). Staged
// records are compacted when they fill a third of the room, because that needs another third. If
// they still fill a quarter of it, they are spilled. Without compaction, they are spilled when the
// room is full. Groups cannot be spilled as they are, so they are staged first.
Status GroupWorker::relieve() {
  const bool tight = grouped_bytes() > settings_.memory_bytes / 2;
  if (writer_ && (tight || settings_.shared->is_closed() ||
                  settings_.shared->used_bytes() > settings_.most_shared_bytes)) {
    if (Status status = leave_shared(); !status.is_ok()) return status;
  }
  if (tight) flush_groups();
  if (!output_->overflow) return Status::ok();
  const i64 room = settings_.memory_bytes - grouped_bytes();
  const bool may_compact = settings_.eager && compacting_pays_;
  if (overflow().used_bytes() < room / (may_compact ? 3 : 1)) return Status::ok();
  if (may_compact) compact();
  if (overflow().used_bytes() < room / 4) return Status::ok();
  compacted_.reset();
  return spill();
}

Status GroupWorker::spill() {
  OverflowBuffer &records = overflow();
  Status status = settings_.runs != nullptr ? settings_.runs->spill(&records) : records.spill();
  records.clear(settings_.reuse);
  return status;
}

void GroupWorker::compact() {
  constexpr double kLeastGain = 1.3;
  if (!compactor_) {
    compactor_ = std::make_unique<Compactor>(layout_, settings_.overflow.shape, KeyBytes::borrowed,
                                             settings_.memory_bytes / 4);
  }
  if (!compacted_) compacted_ = std::make_unique<OverflowBuffer>(settings_.overflow);
  compacting_pays_ = compactor_->compact(overflow(), compacted_.get()) >= kLeastGain;
  ++compactions_;
  overflow().swap_memory(compacted_.get());
  kept_records_ = overflow().records();
  compacted_->clear(settings_.reuse);
}

// Compacts staged records only if they have doubled since the last compaction. Otherwise the same
// states would be moved again and again.
std::unique_ptr<MapOutput> GroupWorker::leave_tile(std::unique_ptr<MapOutput> next) {
  if (settings_.eager && output_->overflow && overflow().records() >= 2 * kept_records_) compact();
  seal_groups();
  next->overflow = std::move(output_->overflow);
  frozen_ = settings_.hot_bytes == 0;
  return std::exchange(output_, std::move(next));
}

Result<std::unique_ptr<MapOutput>> GroupWorker::finish() {
  if (writer_) writer_->flush();
  // Reduce needs memory, too, so an output that fills more than half of it is spilled.
  const i64 staged = output_->overflow ? output_->overflow->used_bytes() : 0;
  const bool tight = grouped_bytes() + staged > settings_.memory_bytes / 2;
  if (tight && writer_) {
    if (Status status = leave_shared(); !status.is_ok()) return status;
  }
  if (tight || (output_->overflow && output_->overflow->spilled_records() > 0)) {
    compacted_.reset();
    Status status = spill_all(layout_, settings_.overflow, &output_);
    if (!status.is_ok()) return status;
  }
  seal_groups();
  return std::move(output_);
}

}  // namespace mrc
