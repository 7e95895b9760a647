#include "store/store.h"
#include "support/run_bytes.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace mrc {
namespace {

using std::string;

constexpr RecordShape kRunShape{4, 8};
const auto *kFixed = reinterpret_cast<const std::byte *>("12345678");

RunFile temporary() {
  Result<RunFile> file = RunFile::temporary(testing::TempDir());
  EXPECT_TRUE(file.is_ok()) << file.status().message();
  return std::move(*file);
}

// `records` of them, with hashes from `hash` on.
Payload some_records(u64 hash, i64 records) {
  Payload payload(kRunShape);
  for (i64 i = 0; i < records; ++i) {
    const string key = "key " + std::to_string(i);
    payload.add({hash + static_cast<u64>(i), key, i % 2 == 1, kFixed, i % 3 == 0 ? key : ""});
  }
  return payload;
}

BlockInfo with_order(BlockInfo info, RunOrder order) {
  info.order = order;
  return info;
}

void expect_same(const RunHeader &a, const RunHeader &b) {
  EXPECT_EQ(bytes_of(encode(a)), bytes_of(encode(b)));
}

TEST(Run, ComesBackAsItWasWritten) {
  RunFile file = temporary();
  const RunHeader header = {.plan = 77,
                            .seed = {1, 2},
                            .hash_id = 5,
                            .order = RunOrder::hash,
                            .partition_bits = 2,
                            .shape = kRunShape};
  RunWriter writer(&file, header);
  std::vector<string> payloads;
  for (u64 i = 0; i < 4; ++i) {
    const Payload payload = some_records(i << 62 | 5, 10 + static_cast<i64>(i) * 1000);
    BlockInfo info = with_order(payload.info(), RunOrder::hash);
    info.partition_bits = 2;
    info.partition = static_cast<i64>(i);
    ASSERT_TRUE(writer.add_block(info, payload.bytes()).is_ok());
    payloads.emplace_back(payload.bytes());
  }
  ASSERT_TRUE(writer.finish().is_ok());
  EXPECT_EQ(*file.size(), writer.bytes());

  Result<RunReader> reader = RunReader::open(&file);
  ASSERT_TRUE(reader.is_ok()) << reader.status().message();
  expect_same(reader->header(), header);
  EXPECT_EQ(reader->totals(), writer.totals());
  EXPECT_EQ(reader->totals().records, 6040);
  ASSERT_EQ(reader->blocks(), writer.blocks());
  Pages pages;
  for (const BlockInfo &block : reader->blocks()) {
    Result<Bytes> payload = reader->read_block(block, &pages);
    ASSERT_TRUE(payload.is_ok()) << payload.status().message();
    EXPECT_TRUE(*payload == payloads[static_cast<size_t>(block.number)]);
  }
}

TEST(Run, MayBeEmpty) {
  RunFile file = temporary();
  RunWriter writer(&file, {});
  ASSERT_TRUE(writer.finish().is_ok());
  Result<RunReader> reader = RunReader::open(&file);
  ASSERT_TRUE(reader.is_ok()) << reader.status().message();
  EXPECT_TRUE(reader->blocks().empty());
  EXPECT_EQ(reader->totals(), RunTotals());
}

TEST(Run, IsTheSameHoweverItsPayloadIsCut) {
  const Payload payload = some_records(1, 3000);
  string whole;
  for (size_t piece_bytes : {size_t{1} << 30, size_t{4096}, size_t{7}}) {
    RunFile file = temporary();
    RunWriter writer(&file, {.shape = kRunShape});
    std::vector<Bytes> pieces = {Bytes()};
    for (Bytes left = payload.bytes(); !left.empty();) {
      pieces.push_back(left.substr(0, piece_bytes));
      left.remove_prefix(pieces.back().size());
    }
    ASSERT_TRUE(writer.add_block(payload.info(), pieces).is_ok());
    ASSERT_TRUE(writer.finish().is_ok());
    if (whole.empty()) whole = all_bytes(file);
    EXPECT_TRUE(all_bytes(file) == whole) << piece_bytes;
  }
}

TEST(Run, KeepsBlocksOfAnyOrderWhereItPromisesNone) {
  RunFile file = temporary();
  RunWriter writer(&file, {.shape = kRunShape});
  for (RunOrder order : {RunOrder::key, RunOrder::raw, RunOrder::hash}) {
    const Payload payload = some_records(100 - static_cast<u64>(order), 5);
    ASSERT_TRUE(writer.add_block(with_order(payload.info(), order), payload.bytes()).is_ok());
  }
  ASSERT_TRUE(writer.finish().is_ok());
  Result<RunReader> reader = RunReader::open(&file);
  ASSERT_TRUE(reader.is_ok()) << reader.status().message();
  Pages pages;
  for (const BlockInfo &block : reader->blocks()) {
    EXPECT_TRUE(reader->read_block(block, &pages).is_ok());
  }
}

TEST(Run, KeepsRecordsInTheLongForm) {
  const string key(5 << 20, 'k'), var(6 << 20, 'v');
  Payload payload(kRunShape);
  payload.add({1, key, false, kFixed, {}});
  payload.add({2, "short", true, kFixed, var});
  RunFile file = temporary();
  RunWriter writer(&file, {.shape = kRunShape});
  ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
  Pages pages;
  Result<Bytes> read = read_block(file, kRunShape, writer.blocks()[0], &pages);
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_TRUE(*read == payload.bytes());
}

TEST(RunWriter, LetsOthersReadBlocksBeforeItIsFinished) {
  RunFile file = temporary();
  RunWriter writer(&file, {.shape = kRunShape});
  std::vector<std::thread> threads;
  for (u64 i = 0; i < 8; ++i) {
    const Payload payload = some_records(i, 500);
    ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
    threads.emplace_back([&file, block = writer.blocks().back(), text = string(payload.bytes())] {
      Pages pages;
      for (int round = 0; round < 20; ++round) {
        Result<Bytes> read = read_block(file, kRunShape, block, &pages);
        ASSERT_TRUE(read.is_ok()) << read.status().message();
        EXPECT_TRUE(*read == text);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
}

TEST(ReadBlock, LeavesSlackBehindTheRecords) {
  RunFile file = temporary();
  RunWriter writer(&file, {.shape = kRunShape});
  // Blocks that end just where a page does.
  for (size_t size = 3900; size < 4100; size += 4) {
    Payload payload(kRunShape);
    payload.add({1, string(size, 'k'), false, kFixed, {}});
    ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
    Pages pages;
    Result<Bytes> read = read_block(file, kRunShape, writer.blocks().back(), &pages);
    ASSERT_TRUE(read.is_ok());
    const char *end = reinterpret_cast<const char *>(pages.data()) + pages.size();
    EXPECT_GE(end - (read->data() + read->size()), kRecordSlack);
  }
}

}  // namespace
}  // namespace mrc
