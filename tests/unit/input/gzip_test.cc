#include "support/compress.h"
#include "support/read_stream.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

using std::string;

TEST(Gzip, ReadsWhatGzipWritesInPiecesOfAnySize) {
  for (size_t size : {0, 1, 1000, 70000, 500000}) {
    const string text = log_like(size);
    for (const char *command : {"gzip -1 -c", "gzip -c", "gzip -9 -c"}) {
      const string packed = filtered(command, text);
      for (i64 piece : {1, 7, 4096, 1 << 20}) {
        if (piece < 10 && size > 1000) continue;
        const ReadStream all = decompressed(packed, piece);
        EXPECT_TRUE(all.text == text) << command << " " << size << " " << piece;
        EXPECT_EQ(all.error, "");
      }
    }
  }
}

TEST(Gzip, ReadsWhatCannotBeCompressed) {
  std::mt19937_64 random(5);
  string text(300000, '\0');
  for (char &byte : text) byte = static_cast<char>(random());
  EXPECT_TRUE(decompressed(filtered("gzip -c", text)).text == text);
}

TEST(Gzip, ReadsHeadersWithNamesAndComments) {
  const TemporaryFolder folder;
  const string path = folder.write("a-name-in-the-header", "text\n");
  ASSERT_EQ(std::system(("gzip -N '" + path + "'").c_str()), 0);
  EXPECT_EQ(decompressed(folder.read("a-name-in-the-header.gz")).text, "text\n");
  string all = gzipped("text\n");
  all[3] = 4 | 8 | 16;  // extra field, name, comment
  all.insert(10, string("\5\0extraname\0comment\0", 2 + 5 + 5 + 8));
  EXPECT_EQ(decompressed(all).text, "text\n");
  EXPECT_EQ(decompressed(all, 1).error, "");
}

TEST(Gzip, PutsMembersTogether) {
  const string all = gzipped("a\nb") + gzipped("") + gzipped("c\n") + gzipped(log_like(200000));
  const ReadStream read = decompressed(all);
  EXPECT_TRUE(read.text == "a\nbc\n" + log_like(200000));
  EXPECT_EQ(read.error, "");
}

TEST(Gzip, IgnoresZerosAtTheEndAndReportsGarbage) {
  const string packed = gzipped("a\n");
  for (size_t zeros : {1, 2, 3, 200000}) {
    const ReadStream read = decompressed(packed + string(zeros, '\0'));
    EXPECT_EQ(read.text, "a\n");
    EXPECT_EQ(read.error, "");
    const ReadStream garbage = decompressed(packed + string(zeros, '\0') + packed);
    EXPECT_EQ(garbage.text, "a\n");
    EXPECT_NE(
        garbage.error.find("trailing garbage at byte " + std::to_string(packed.size() + zeros)),
        string::npos)
        << garbage.error;
  }
  EXPECT_EQ(decompressed(packed + "x").error,
            "in: gzip: trailing garbage at byte " + std::to_string(packed.size()) +
                " of the compressed data; what lies before it is used");
}

TEST(Gzip, IsUndoneOnce) {
  const string inner = gzipped("a\n");
  EXPECT_EQ(decompressed(gzipped(inner)).text, inner);
}

TEST(Gzip, HandsOutWhatComesBeforeItsEndIsMissing) {
  const string text = log_like(3000);
  const string packed = filtered("gzip -c", text) + gzipped("second member\n");
  size_t before = 0;
  for (size_t size = 3; size < packed.size(); ++size) {
    const ReadStream read = decompressed(Bytes(packed).substr(0, size), 100);
    const string whole = text + "second member\n";
    EXPECT_TRUE(whole.starts_with(read.text)) << size;
    EXPECT_GE(read.text.size(), before) << size;
    before = read.text.size();
    const bool between = read.text == text && read.error.empty();
    if (between) continue;  // all of the first member, and nothing of the second
    EXPECT_NE(read.error.find(" at byte "), string::npos) << size << read.error;
  }
  EXPECT_GT(before, text.size());
}

TEST(Gzip, ReportsEveryBitThatIsFlippedAndMatters) {
  const string text = log_like(3000);
  const string packed = gzipped(text);
  for (size_t at = 10; at < packed.size(); ++at) {  // after the header
    for (int bit : {0, 3, 7}) {
      string flipped = packed;
      flipped[at] = static_cast<char>(flipped[at] ^ 1 << bit);
      const ReadStream read = decompressed(flipped, 1000);
      // Some bits mean nothing: those that fill the last byte, say.
      EXPECT_TRUE(!read.error.empty() || read.text == text) << at;
    }
  }
}

TEST(Gzip, HeadersThatAreDamagedAreNoData) {
  const string packed = gzipped("a\n");
  string method = packed;
  method[2] = 7;
  BufferedReader reader(method, 0, "in");
  const ReadStream read = read_all(open_gzip(&reader).get());
  EXPECT_EQ(read.text, "");
  EXPECT_NE(read.error, "");
}

}  // namespace
}  // namespace mrc
