#include "support/compress.h"
#include "support/read_stream.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

TEST(Zstd, ReadsWhatZstdWritesInPiecesOfAnySize) {
  for (size_t size : {0, 1, 1000, 500000}) {
    const string text = log_like(size);
    for (const char *command : {"zstd -qc", "zstd -q -19 --long=27 -c", "zstd -q --no-check -c"}) {
      const string packed = filtered(command, text);
      for (i64 piece : {1, 4096, 1 << 20}) {
        if (piece < 10 && size > 1000) continue;
        const ReadStream all = decompressed(packed, piece);
        EXPECT_TRUE(all.text == text) << command << " " << size << " " << piece;
        EXPECT_EQ(all.error, "");
      }
    }
  }
}

TEST(Zstd, PutsFramesTogetherAndSkipsWhatIsToBeSkipped) {
  const string skippable("\x53\x2a\x4d\x18\3\0\0\0abc", 11);
  const ReadStream read = decompressed(skippable + zstandard("a\n") + skippable + zstandard("") +
                                       zstandard("b\n") + skippable);
  EXPECT_EQ(read.text, "a\nb\n");
  EXPECT_EQ(read.error, "");
}

TEST(Zstd, HandsOutWhatComesBeforeItsEndIsMissing) {
  const string text = log_like(300000);
  const string packed = zstandard(text) + zstandard("second\n");
  for (size_t size = 4; size < packed.size(); size += 97) {
    const ReadStream read = decompressed(Bytes(packed).substr(0, size));
    EXPECT_TRUE((text + "second\n").starts_with(read.text)) << size;
    EXPECT_NE(read.error.find("zstd: unexpected end at byte " + std::to_string(size)), string::npos)
        << read.error;
  }
}

TEST(Zstd, ReportsGarbageAndFlippedBytes) {
  string packed = filtered("zstd -qc", log_like(3000));
  EXPECT_NE(decompressed(packed + "garbage").error.find("zstd: "), string::npos);
  EXPECT_TRUE(decompressed(packed + "garbage").text == log_like(3000));
  packed[packed.size() - 1] ^= 1;  // of the checksum
  EXPECT_NE(decompressed(packed).error, "");
}

}  // namespace
}  // namespace mrc
