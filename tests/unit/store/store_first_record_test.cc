#include "store/store.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

constexpr RecordShape kShape{0, 8};

// A block of two records with these keys.
struct Written {
  RunFile file;
  BlockInfo block;
};
Written write(const TemporaryFolder &folder, const std::string &first, const std::string &second) {
  Written written{std::move(*RunFile::temporary(folder.path("."))), {}};
  RunWriter writer(&written.file, {.shape = kShape});
  const u64 state = 7;
  std::string records;
  for (const std::string &key : {first, second}) {
    append_record(kShape, {5, key, true, reinterpret_cast<const State *>(&state), {}}, &records);
  }
  EXPECT_TRUE(writer.add_block({.records = 2, .lo = 5, .hi = 5}, records).is_ok());
  written.block = writer.blocks().front();
  return written;
}

TEST(ReadFirstRecord, OfAnyLength) {
  const TemporaryFolder folder;
  Pages buffer;
  for (const size_t size : {0, 1, 900, 992, 993, 2000, 5 << 20}) {
    const std::string key(size, 'k');
    const Written written = write(folder, key, "second");
    const Result<StoredRecord> record =
        read_first_record(written.file, kShape, written.block, &buffer);
    ASSERT_TRUE(record.is_ok()) << size << record.status().message();
    EXPECT_EQ(record->key, key);
    EXPECT_TRUE(record->is_state);
    EXPECT_EQ(load<u64>(record->fixed), 7u);
  }
}

// What is too long for its front is checked as a block.
TEST(ReadFirstRecord, ALengthThatIsDamagedIsAnError) {
  const TemporaryFolder folder;
  const Written written = write(folder, "first", "second");
  const Bytes none("\xff\xff\x0f", 3);
  ASSERT_TRUE(written.file.write(written.block.offset + 64 + 12, {&none, 1}).is_ok());
  Pages buffer;
  EXPECT_FALSE(read_first_record(written.file, kShape, written.block, &buffer).is_ok());
}

}  // namespace
}  // namespace mrc
