#include "reduce/state_writer.h"

#include "map/key_image.h"

#include <algorithm>
#include <type_traits>

namespace mrc {

// Returns the size of the group's record.
i64 StateRecords::save(Bytes key, const State *state) {
  saved_.clear();
  if (!layout_.is_flat()) layout_.save(state, &saved_);
  return record_bytes(shape(), std::ssize(key), true, std::ssize(saved_));
}

void StateRecords::write(u64 hash, Bytes key, const State *state, i64 bytes) {
  if (used_ + bytes + kRecordSlack > std::ssize(records_)) {
    records_.resize(static_cast<size_t>(std::max(kBlockBytes, used_ + bytes) + kRecordSlack));
  }
  auto *at = reinterpret_cast<std::byte *>(records_.data()) + used_;
  write_record(at, shape(), {hash, key, true, state, saved_});
  used_ += bytes;
  ++count_;
}

void StateWriter::write_block() {
  BlockInfo what;
  what.records = block_.count();
  if (status_.is_ok()) status_ = writer_.add_block(what, block_.bytes());
  block_.clear();
}

Status StateWriter::finish() {
  if (block_.count() > 0) write_block();
  return status_.is_ok() ? writer_.finish() : status_;
}

template <typename Key>
class PartitionWriter::Visitor : public GroupVisitor<Key> {
 public:
  explicit Visitor(PartitionWriter *writer) : writer_(*writer) {}

  void take(const Batch<Key> &batch, State *const *states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      writer_.add(batch.hashes[i], key_bytes(batch.keys[i]), states[i]);
    }
  }

 private:
  PartitionWriter &writer_;
};

PartitionWriter::PartitionWriter(const RunFile *file, const StateLayout &layout,
                                 const OverflowSpec &spec)
    : partition_bits_(spec.partition_bits), writer_(file, header_of(spec)), block_(layout) {}

Status PartitionWriter::write(Groups *groups) {
  const auto visit = [&]<typename Key>(std::type_identity<Key>) {
    Visitor<Key> visitor(this);
    groups->container<Key>().visit({what_.partition, partition_bits_}, &visitor);
  };
  what_.partition_bits = partition_bits_;
  for (i64 partition = 0; partition < i64{1} << partition_bits_; ++partition) {
    what_.partition = partition;
    visit(std::type_identity<Key16>());
    visit(std::type_identity<Key32>());
    visit(std::type_identity<KeyRef>());
    write_block();
  }
  return status_.is_ok() ? writer_.finish() : status_;
}

void PartitionWriter::add(u64 hash, Bytes key, const State *state) {
  block_.add(hash, key, state, [this] { write_block(); });
  what_.lo = block_.count() == 1 ? hash : std::min(what_.lo, hash);
  what_.hi = block_.count() == 1 ? hash : std::max(what_.hi, hash);
}

void PartitionWriter::write_block() {
  if (block_.count() == 0) return;
  what_.records = block_.count();
  if (status_.is_ok()) status_ = writer_.add_block(what_, block_.bytes());
  block_.clear();
}

}  // namespace mrc
