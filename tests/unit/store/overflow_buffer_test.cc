#include "store/overflow_buffer.h"

#include "support/temporary_folder.h"
#include "unit/group/numbered_keys.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Records of 24 bytes, all in one partition.
void append(OverflowBuffer *records, i64 n) {
  NumberedKeys<Key16> keys;
  for (i64 done = 0; done < n; done += 1000) {
    std::vector<Numbered> content;
    for (i64 i = 0; i < 1000; ++i) content.push_back({i + 1000, 0});
    records->append_all(*make_batch(&keys, content));
  }
}

TEST(OverflowBuffers, CutALargePartitionIntoBlocks) {
  const TemporaryFolder folder;
  OverflowSpec spec;
  spec.partition_bits = 3;
  spec.tmpdir = folder.path(".");
  OverflowBuffer records(spec);
  append(&records, 1000);
  ASSERT_TRUE(records.spill().is_ok());
  EXPECT_EQ(records.spilled_blocks(), 1);
  records.clear(true);
  append(&records, 200'000);
  ASSERT_TRUE(records.spill().is_ok());
  EXPECT_GE(records.spilled_blocks(), 4);
  EXPECT_LE(records.spilled_blocks(), 6);
  records.clear(false);
  Pages block;
  i64 bytes = 0, longest = 0;
  ASSERT_TRUE(records
                  .each(0, &block,
                        [&](const auto *begin, const auto *end) {
                          bytes += end - begin;
                          longest = std::max(longest, end - begin);
                          return true;
                        })
                  .is_ok());
  EXPECT_EQ(bytes, records.partition_bytes(0));
  EXPECT_LT(longest, (i64{1} << 20) + (i64{64} << 10));
  EXPECT_EQ(records.spilled_records(), 201'000);
}

// Records of many values do not run into the chunk after theirs.
TEST(OverflowBuffers, HaveRoomForRecordsOfManyValues) {
  for (const i64 width : {20, 26, 27, 30, 100, 1000}) {
    OverflowSpec spec;
    spec.partition_bits = 1;
    spec.shape.raw_bytes = width * i64{sizeof(u64)};
    OverflowBuffer records(spec);
    NumberedKeys<Key32> keys;
    std::vector<Numbered> content;
    for (i64 i = 0; i < 500; ++i) content.push_back({i, static_cast<u64>(i % 2) << 63});
    const auto batch = make_batch(&keys, content);
    batch->width = width;
    for (i64 i = 0; i < width * batch->size; ++i) {
      batch->values.push_back(static_cast<u64>(i / width));
    }
    records.append_all(*batch);
    i64 seen = 0;
    for (const i64 partition : {0, 1}) {
      records.each_in_memory(partition, [&](const std::byte *begin, const std::byte *end) {
        for (StoredRecord record; begin < end; ++seen) {
          begin = read_record(begin, spec.shape, &record);
          const u64 value = load<u64>(record.fixed),
                    last = load<u64>(record.fixed + 8 * (width - 1));
          ASSERT_EQ(value, last) << width;
          ASSERT_EQ(record.key, NumberedKeys<Key32>::text(static_cast<i64>(value)));
        }
      });
    }
    EXPECT_EQ(seen, 500) << width;
  }
}

}  // namespace
}  // namespace mrc
