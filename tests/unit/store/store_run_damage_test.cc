// Runs that are not what a RunWriter has written: an error each, and never a crash.
#include "store/store.h"
#include "support/run_bytes.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

constexpr RecordShape kDamagedShape{4, 8};
constexpr u64 kFirst = sizeof(HeaderBytes);

// Two blocks of two records each, ordered by hash, one in each half of the hashes.
string small_run() {
  Result<RunFile> file = RunFile::temporary(testing::TempDir());
  if (!file.is_ok()) std::abort();
  RunWriter writer(&*file, {.order = RunOrder::hash, .partition_bits = 1, .shape = kDamagedShape});
  const auto *fixed = reinterpret_cast<const std::byte *>("12345678");
  for (u64 i = 0; i < 2; ++i) {
    Payload payload(kDamagedShape);
    payload.add({.hash = i << 63 | 1, .key = "a", .fixed = fixed});
    payload.add({.hash = i << 63 | 9, .key = "bc", .is_state = true, .fixed = fixed, .var = "d"});
    BlockInfo info = payload.info();
    info.order = RunOrder::hash;
    info.partition_bits = 1;
    info.partition = static_cast<i64>(i);
    if (!writer.add_block(info, payload.bytes()).is_ok()) std::abort();
  }
  if (!writer.finish().is_ok()) std::abort();
  return all_bytes(*file);
}

class DamagedRun : public testing::Test {
 protected:
  const string good_ = small_run();
  string bytes_ = good_;
  const u64 second_ = get<u64>(good_, footer_begin(good_) + sizeof(FooterBytes) + 72);

  // What is wrong once a field has this value and all checksums are right.
  template <typename T>
  string with(u64 at, T value) {
    bytes_ = good_;
    set(&bytes_, at, value);
    repair(&bytes_);
    return read_all(bytes_);
  }
  string of_second(const string &what) const {
    return "block 1 at byte " + std::to_string(second_) + ": " + what;
  }
};

TEST_F(DamagedRun, IsNotThisOne) { EXPECT_EQ(read_all(good_), ""); }

TEST_F(DamagedRun, IsNoticedWhereverItIsCutOff) {
  for (size_t size = 0; size < good_.size(); ++size) {
    EXPECT_NE(read_all(Bytes(good_).substr(0, size)), "") << size;
  }
  EXPECT_EQ(read_all(""), "is not a run of mrc");
  EXPECT_EQ(read_all(Bytes(good_).substr(0, 130)),
            "it ends before its footer; the file is damaged");
  EXPECT_EQ(read_all(Bytes(good_).substr(0, good_.size() - 1)),
            "it was never finished, or its end is missing; the file is damaged");
}

TEST_F(DamagedRun, IsNoticedIfSomethingFollows) {
  for (size_t more : {1, 8, 24, 1000}) EXPECT_NE(read_all(good_ + string(more, '\0')), "") << more;
  EXPECT_EQ(read_all(good_ + good_),
            "its blocks end before its footer begins; the file is damaged");
}

TEST_F(DamagedRun, IsNoticedWhicheverBitHasFlipped) {
  for (size_t at = 0; at < good_.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes_[at] = static_cast<char>(good_[at] ^ 1 << bit);
      EXPECT_NE(read_all(bytes_), "") << "byte " << at << " bit " << bit;
    }
    bytes_[at] = good_[at];
  }
}

// What checksums do not find must not lead reading astray either.
TEST_F(DamagedRun, IsHarmlessWhicheverBitHasFlippedUnderRightChecksums) {
  for (size_t at = 0; at < good_.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes_ = good_;
      bytes_[at] = static_cast<char>(good_[at] ^ 1 << bit);
      repair(&bytes_);
      read_all(bytes_);
    }
  }
}

TEST_F(DamagedRun, SaysWhereAndWhat) {
  bytes_[0] = 'm';
  EXPECT_EQ(read_all(bytes_), "is not a run of mrc");
  bytes_ = good_;
  bytes_[50] ^= 1;
  EXPECT_EQ(read_all(bytes_), "the checksum of its header is wrong; the file is damaged");
  bytes_ = good_;
  bytes_[second_ + 70] ^= 1;
  EXPECT_EQ(read_all(bytes_), of_second("its checksum is wrong; the file is damaged"));
  bytes_ = good_;
  bytes_[footer_begin(good_) + 9] ^= 1;
  EXPECT_EQ(read_all(bytes_), "the checksum of its footer is wrong; the file is damaged");
}

TEST_F(DamagedRun, IsNotMadeOfBlocksOfAnother) {
  // The second block, whole and right, where the first one should be.
  bytes_.replace(kFirst, second_ - kFirst, good_.substr(second_, second_ - kFirst));
  EXPECT_EQ(read_all(bytes_),
            "block 0 at byte 128: it is not the one of the index; the file is damaged");
}

TEST_F(DamagedRun, MayNotLieInItsHeader) {
  EXPECT_EQ(with<u32>(40, 3), "its order is unknown; the file is damaged");
  EXPECT_EQ(with<u32>(44, 33), "its partitions are too many; the file is damaged");
  EXPECT_EQ(with<u32>(48, 2), "its records have impossible sizes; the file is damaged");
  EXPECT_EQ(with<u32>(52, 1 << 30), "its records have impossible sizes; the file is damaged");
  for (u32 size : {u32{0}, u32{120}, u32{132}, ~u32{7}}) {
    EXPECT_EQ(with(8, size), "its header is cut off or of impossible length; the file is damaged");
  }
}

TEST_F(DamagedRun, MayNotLieInItsBlocks) {
  EXPECT_EQ(with<u32>(second_ + 4, 1),
            "its totals are not those of its blocks; the file is damaged");
  EXPECT_EQ(with<u32>(second_ + 4, 0), of_second("its number of records is impossible"));
  EXPECT_EQ(with<u32>(second_ + 4, 9), of_second("its number of records is impossible"));
  EXPECT_EQ(with<u64>(second_ + 8, 4), of_second("its lengths are impossible"));
  EXPECT_EQ(with<u8>(second_ + 24, 1),
            of_second("its codec is unknown: a newer mrc compressed it"));
  EXPECT_EQ(with<u8>(second_ + 25, 3), of_second("its order is unknown"));
  EXPECT_EQ(with<u8>(second_ + 25, 2), of_second("its order is not that of the run"));
  EXPECT_EQ(with<uint16_t>(second_ + 26, 0), of_second("its bounds are impossible"));
  EXPECT_EQ(with<uint16_t>(second_ + 26, 40), of_second("its bounds are impossible"));
  EXPECT_EQ(with<u32>(second_ + 28, 0), of_second("its bounds are impossible"));
  EXPECT_EQ(with<u64>(second_ + 32, 0), of_second("its bounds are impossible"));
  const string order = of_second("its records are not in its bounds or not in its order");
  EXPECT_EQ(with<u64>(second_ + 32, u64{1} << 63 | 2), order);
  EXPECT_EQ(with<u64>(second_ + 40, u64{1} << 63 | 8), order);
  EXPECT_EQ(with<u64>(second_ + 64, u64{1} << 63 | 10), order);
  EXPECT_EQ(with<u64>(kFirst + 64, u64{1} << 63),
            "block 0 at byte 128: its records are not in its bounds or not in its order");
}

TEST_F(DamagedRun, MayNotLieInItsRecords) {
  EXPECT_EQ(with<u32>(second_ + 64 + 8, 100),
            of_second("record 0, 0 bytes into the block: its key is longer than the record"));
}

TEST_F(DamagedRun, MayNotLieInItsFooter) {
  const u64 footer = footer_begin(good_), entry = footer + sizeof(FooterBytes);
  const string nonsense = "its footer makes no sense; the file is damaged";
  EXPECT_EQ(with<u32>(footer, 0), nonsense);
  EXPECT_EQ(with<u32>(footer + 4, 60), nonsense);
  EXPECT_EQ(with<u32>(footer + 4, 10000), nonsense);
  for (u64 blocks : {u64{3}, ~u64{0}, u64{1} << 61}) EXPECT_EQ(with(footer + 8, blocks), nonsense);
  EXPECT_EQ(with<u32>(footer + 40, 0), nonsense);
  for (u64 at : {u64{16}, u64{24}, u64{32}}) {
    EXPECT_EQ(with<u64>(footer + at, 5),
              "its totals are not those of its blocks; the file is damaged");
  }
  for (u64 offset : {u64{0}, u64{127}, footer, footer - 63, ~u64{0}, u64{1} << 63}) {
    EXPECT_EQ(with(entry, offset),
              "block 0 is not where the one before it ends; the file is damaged");
  }
}

TEST(RunVersion, OfAnotherMajorNumberIsRefused) {
  string bytes = small_run();
  bytes[6] = 2;
  EXPECT_EQ(read_all(bytes), "has version 2 of the format, this mrc reads version 1");
  bytes[6] = 0;
  EXPECT_EQ(read_all(bytes), "has version 0 of the format, this mrc reads version 1");
}

// What a newer minor version may do: use what is reserved, and make everything longer.
TEST(RunVersion, OfANewerMinorNumberIsRead) {
  const string old = small_run();
  const u64 footer = footer_begin(old);
  string bytes = old.substr(0, 120) + string(64, 'h') + old.substr(120, footer - 120);
  bytes[7] = 9;
  set<u32>(&bytes, 8, 128 + 64);
  bytes[80] = 'r';
  repair_header(&bytes);
  string head = old.substr(footer, sizeof(FooterBytes)) + "longhead";
  set<u32>(&head, 4, sizeof(FooterBytes) + 8);
  set<u32>(&head, 40, sizeof(EntryBytes) + 16);
  head[50] = 'r';
  for (u64 i = 0; i < 2; ++i) {
    string entry = old.substr(footer + sizeof(FooterBytes) + i * sizeof(EntryBytes), 72);
    const u64 offset = get<u64>(entry, 0) + 64;
    set<u64>(&bytes, offset + 48, 12345);  // reserved
    repair_block(&bytes, offset);
    head += bytes_of(EntryBytes{offset, get<BlockBytes>(bytes, offset)});
    head += string(16, 'e');
  }
  head += "more than an index";
  const EndBytes end = {head.size() + sizeof end, 0, {'M', 'R', 'U', 'N', 'E', 'N', 'D', '\0'}};
  bytes += head;
  bytes += bytes_of(end);
  repair_footer(&bytes);
  EXPECT_EQ(read_all(bytes), "");
}

TEST(UnfinishedRun, IsToldFromADamagedOne) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::create(folder.path("run"));
  ASSERT_TRUE(file.is_ok());
  RunWriter writer(&*file, {.shape = kDamagedShape});
  Payload payload(kDamagedShape);
  for (u64 i = 0; i < 100; ++i) {
    payload.add({.hash = i, .key = "key", .fixed = reinterpret_cast<const std::byte *>("1234")});
  }
  ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
  EXPECT_EQ(
      RunReader::open(&*file).status().message(),
      folder.path("run") + ": it was never finished, or its end is missing; the file is damaged");
}

}  // namespace
}  // namespace mrc
