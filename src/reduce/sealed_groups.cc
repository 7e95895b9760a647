#include "reduce/sealed_groups.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mrc {
namespace {

// A tile of fewer keys is one partition: its blocks are read in one go.
constexpr i64 kKeysOfOne = i64{1} << 14;
constexpr int kBits = 8;
constexpr i64 kBlockBytes = i64{1} << 20;

OverflowSpec spec_of(const StateLayout &layout, i64 keys, const std::string &tmpdir) {
  return {.shape = {0, layout.state_bytes()},
          .partition_bits = keys <= kKeysOfOne ? 0 : kBits,
          .seed = {},
          .tmpdir = tmpdir};
}

// The first eight bytes of a key, as a number that orders as they do.
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

// Sorted as a whole; a partition that is larger than memory is one of very few.
Status SealedGroups::write_partition(i64 partition, RunWriter *writer) {
  gathered_.clear();
  Status status =
      records_.each(partition, &buffer_, [&](const std::byte *begin, const std::byte *end) {
        gathered_.append(reinterpret_cast<const char *>(begin), static_cast<size_t>(end - begin));
      });
  if (!status.is_ok()) return status;
  gathered_.reserve(gathered_.size() + kRecordSlack);
  const std::vector<Entry> entries = sorted_entries(gathered_, records_.shape());
  for (size_t i = 0; i < entries.size();) {
    BlockInfo block{.order = RunOrder::key,
                    .partition_bits = records_.partition_bits(),
                    .partition = partition,
                    .lo = entries[i].prefix};
    block_.clear();
    for (; i < entries.size() && std::ssize(block_) < kBlockBytes; ++i, ++block.records) {
      const Entry &entry = entries[i];
      block_.append(reinterpret_cast<const char *>(&entry.prefix), sizeof entry.prefix);
      block_.append(reinterpret_cast<const char *>(entry.record) + sizeof entry.prefix,
                    static_cast<size_t>(entry.end - entry.record) - sizeof entry.prefix);
      block.hi = entry.prefix;
    }
    if (status = writer->add_block(block, block_); !status.is_ok()) return status;
  }
  return status;
}

}  // namespace mrc
