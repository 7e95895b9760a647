#include "input/gzip.h"
#include "support/compress.h"
#include "support/read_stream.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

TEST(Bgzf, IsGzip) {
  const string text = log_like(200000);
  for (size_t block : {1000, 30000, 65280}) {
    EXPECT_TRUE(filtered("gzip -dc", bgzipped(text, block)) == text);
    EXPECT_TRUE(decompressed(bgzipped(text, block)).text == text);
  }
}

TEST(Bgzf, HasBlocksThatSayTheirSize) {
  const string block = bgzf_block(log_like(5000));
  EXPECT_EQ(bgzf_block_bytes(block), static_cast<i64>(block.size()));
  EXPECT_EQ(bgzf_block_bytes(Bytes(block).substr(0, 18)), static_cast<i64>(block.size()));
  EXPECT_EQ(bgzf_block_bytes(Bytes(block).substr(0, 17)), 0);
  EXPECT_EQ(bgzf_block_bytes(gzipped("abcdefghijklmnop")), 0);
}

TEST(Bgzf, IsTakenInRangesOfWholeBlocks) {
  const string packed = bgzipped(log_like(100000), 1000);
  BufferedReader reader(packed, 0, "in");
  string taken;
  i64 unpacked = 0, ranges = 0;
  for (;; ++ranges) {
    const BgzfRange range = next_bgzf_range(&reader, 10500);
    if (range.packed.empty()) break;
    EXPECT_LE(range.unpacked, 10500);
    EXPECT_TRUE(decompressed(range.packed).text ==
                log_like(100000).substr(static_cast<size_t>(unpacked),
                                        static_cast<size_t>(range.unpacked)));
    taken += range.packed;
    unpacked += range.unpacked;
    reader.skip(static_cast<i64>(range.packed.size()));
  }
  EXPECT_EQ(taken, packed);
  EXPECT_EQ(unpacked, 100000);
  EXPECT_EQ(ranges, 10);
}

TEST(Bgzf, IsTakenBlockByBlockIfThatIsAllThatIsWanted) {
  const string packed = bgzf_block("a\n") + bgzf_block("b\n");
  BufferedReader reader(packed, 0, "in");
  EXPECT_EQ(next_bgzf_range(&reader, 1).unpacked, 2);
}

TEST(Bgzf, EndsWhereNoWholeBlockIs) {
  const string block = bgzf_block("a\n");
  for (const string &rest : {gzipped("b\n"), string("garbage garbage garbage"), block.substr(0, 20),
                             block.substr(0, block.size() - 1)}) {
    const string packed = block + rest;
    BufferedReader reader(packed, 0, "in");
    EXPECT_TRUE(next_bgzf_range(&reader, 1000).packed == block);
    reader.skip(static_cast<i64>(block.size()));
    EXPECT_TRUE(next_bgzf_range(&reader, 1000).packed.empty());
  }
}

}  // namespace
}  // namespace mrc
