#include "reduce/sealed_groups.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

// A tile of up to this many keys is one partition, so that one read loads it.
constexpr i64 kKeysOfOne = i64{1} << 14;
constexpr int kBits = 8;
constexpr i64 kBlockBytes = i64{1} << 20;

OverflowSpec spec_of(const StateLayout &layout, i64 keys, const std::string &tmpdir) {
  return {.shape = {0, layout.state_bytes()},
          .partition_bits = keys <= kKeysOfOne ? 0 : kBits,
          .seed = {},
          .tmpdir = tmpdir};
}

// Returns the first eight bytes of a key as a number with the same order.
u64 prefix_of(Bytes key) {
  u64 prefix = 0;
  std::memcpy(&prefix, key.data(), std::min<size_t>(key.size(), sizeof prefix));
  return __builtin_bswap64(prefix);
}

struct Entry {
  u64 prefix;
  const std::byte *record, *end;
  Bytes key;
};

bool is_before(const Entry &a, const Entry &b) {
  return a.prefix != b.prefix ? a.prefix < b.prefix : a.key < b.key;
}

std::vector<Entry> sorted_entries(const std::string &records, RecordShape shape) {
  std::vector<Entry> entries;
  const auto *at = reinterpret_cast<const std::byte *>(records.data());
  const auto *end = at + records.size();
  StoredRecord record;
  while (at < end) {
    const std::byte *next = read_record(at, shape, &record);
    entries.push_back({prefix_of(record.key), at, next, record.key});
    at = next;
  }
  std::sort(entries.begin(), entries.end(), is_before);
  return entries;
}

// Sorts the records as a whole, because partitions larger than memory are rare. Calls take(info)
// for each block, when its bytes are in *block.
template <typename Take>
Status make_blocks(const OverflowBuffer &of, i64 partition, std::string *records,
                   std::string *block, Take take) {
  records->reserve(records->size() + kRecordSlack);
  const std::vector<Entry> entries = sorted_entries(*records, of.shape());
  for (size_t i = 0; i < entries.size();) {
    BlockInfo info{.order = RunOrder::key,
                   .partition_bits = of.partition_bits(),
                   .partition = partition,
                   .lo = entries[i].prefix};
    block->clear();
    for (; i < entries.size() && std::ssize(*block) < kBlockBytes; ++i, ++info.records) {
      const Entry &entry = entries[i];
      block->append(reinterpret_cast<const char *>(&entry.prefix), sizeof entry.prefix);
      block->append(reinterpret_cast<const char *>(entry.record) + sizeof entry.prefix,
                    static_cast<size_t>(entry.end - entry.record) - sizeof entry.prefix);
      info.hi = entry.prefix;
    }
    if (Status status = take(info); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

SealedGroups::SealedGroups(const StateLayout &layout, i64 keys, u64 shift,
                           const std::string &tmpdir, i64 memory_bytes)
    : layout_(layout),
      shift_(shift),
      memory_bytes_(memory_bytes),
      records_(spec_of(layout, keys, tmpdir)) {}

void SealedGroups::take(Bytes key, const State *state) {
  if (shift_ != 0) layout_.shift(const_cast<State *>(state), shift_);
  saved_.clear();
  if (!layout_.is_flat()) layout_.save(state, &saved_);
  records_.append({checksum_bytes(key), key, true, state, saved_});
  if (records_.used_bytes() < memory_bytes_ || !status_.is_ok()) return;
  status_ = records_.spill();
  records_.clear(true);
}

Status SealedGroups::write(SealedRun *run, SealedBlocks *written) {
  if (!status_.is_ok()) return status_;
  return run->write(
      [this](RunWriter *writer) {
        Status status = Status::ok();
        for (i64 p = 0; status.is_ok() && p < i64{1} << records_.partition_bits(); ++p) {
          status = write_partition(p, writer);
        }
        return status;
      },
      written);
}

Status SealedGroups::gather(i64 partition, Pages *buffer, std::string *records) const {
  return records_.each(partition, buffer, [&](const std::byte *begin, const std::byte *end) {
    records->append(reinterpret_cast<const char *>(begin), static_cast<size_t>(end - begin));
    return true;
  });
}

Status SealedGroups::write_partition(i64 partition, RunWriter *writer) {
  gathered_.clear();
  Status status = gather(partition, &buffer_, &gathered_);
  if (!status.is_ok()) return status;
  return make_blocks(records_, partition, &gathered_, &block_,
                     [&](const BlockInfo &what) { return writer->add_block(what, block_); });
}

Result<std::vector<SealedBlock>> SealedGroups::blocks_of(
    std::span<const std::unique_ptr<SealedGroups>> all, i64 partition) {
  std::vector<SealedBlock> blocks;
  std::string gathered, block;
  Pages buffer;
  for (const auto &each : all) {
    Status status = each->status_;
    if (status.is_ok()) status = each->gather(partition, &buffer, &gathered);
    if (!status.is_ok()) return status;
  }
  if (gathered.empty()) return blocks;
  Status status =
      make_blocks(all.front()->records_, partition, &gathered, &block, [&](const BlockInfo &what) {
        blocks.push_back({what, block});
        return Status::ok();
      });
  return status.is_ok() ? Result<std::vector<SealedBlock>>(std::move(blocks)) : status;
}

}  // namespace mrc
